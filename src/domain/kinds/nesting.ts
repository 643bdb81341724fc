export const MOST_LEVELS = 100;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns how a text of JSON is larger than anything that Keyplane needs; undefined: it is not. Everything that walks parsed
 * values recurses, and a text that nests deep would overflow the stack. A schema that rejects a million objects explains each
 * of them, which takes gigabytes. Linear, and without recursion; the text need not be valid.
 *
 * @param mostContainers lists and objects
 */
export function excessOf(text: string, mostContainers: number): string | undefined {
  let depth = 0;
  let containers = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isQuoted) {
      if (unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) isQuoted = false;
    } else if (unit === QUOTE) isQuoted = true;
    else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      depth += 1;
      containers += 1;
      if (depth > MOST_LEVELS) return `nests more than ${MOST_LEVELS} levels deep`;
      if (containers > mostContainers) return `holds more than ${mostContainers} lists and objects`;
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) depth -= 1;
  }
  return undefined;
}
