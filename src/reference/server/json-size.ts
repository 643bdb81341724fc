/** More than any request needs. Memory grows with the number of values: 60 MB of empty lists need more than 2 GB. */
const MOST_VALUES = 200_000;
/** Deeper values would exhaust the stack of whoever walks through them. */
const MOST_LEVELS = 500;

/** The position after the string that begins before `start`; the end of the text when it has no end. */
export function afterString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (escapes > start && text[escapes - 1] === '\\') escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/**
 * Checks, before it is parsed, whether a JSON text has more values, or nests them deeper, than the gateway reads. Takes
 * time in proportion to the text, and no memory. Accepts any text: whether it is JSON is for the parser to find out.
 */
export function isOversizedJson(text: string): boolean {
  let [values, level] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = afterString(text, at + 1) - 1;
    else if (character === '[' || character === '{') level += 1;
    else if (character === ']' || character === '}') level -= 1;
    if (character === ',' || character === '[' || character === '{') values += 1;
    if (values > MOST_VALUES || level > MOST_LEVELS) return true;
  }
  return false;
}
