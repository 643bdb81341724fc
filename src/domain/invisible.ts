/**
 * Characters that make people see something else than what is there: controls, escape sequences, characters without a width,
 * directions that reorder text, and halves of characters.
 */
export const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\u034f|\p{Surrogate}/gu;

const unitEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The JSON text of a value without such characters: they are escaped, so that whoever parses it gets the same value. */
export const visibleJson = (value: unknown, indent?: number): string =>
  // Raw line ends are white space between members; within strings they are escaped already.
  JSON.stringify(value, null, indent).replace(INVISIBLE, (found) =>
    found === '\n' ? found : found.split('').map(unitEscape).join(''),
  );
