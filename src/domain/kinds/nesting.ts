export const MOST_LEVELS = 100;
const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** The most that a text of JSON may have; omitted: as many as there are. */
export interface JsonLimits {
  /** Lists and objects. */
  readonly containers?: number;
  /** Those between values, outside of strings. */
  readonly commas?: number;
}

/**
 * Returns how a text of JSON is larger than anything that Keyplane needs; undefined: it is not. Everything that walks parsed
 * values recurses, and a text that nests deep would overflow the stack. A schema that rejects a million values explains each of
 * them, which takes gigabytes. Linear, and without recursion; the text need not be valid.
 */
export function excessOf(text: string, most: JsonLimits = {}): string | undefined {
  const { containers: mostContainers = Number.POSITIVE_INFINITY, commas: mostCommas = Number.POSITIVE_INFINITY } = most;
  let depth = 0;
  let containers = 0;
  let commas = 0;
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
    } else if (unit === COMMA) {
      commas += 1;
      if (commas > mostCommas) return `has more than ${mostCommas} commas between values`;
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) depth -= 1;
  }
  return undefined;
}
