/**
 * Characters that make people see something else than what is there: controls, escape sequences, characters without a width or
 * ink, spaces that look like another, directions that reorder text, and halves of characters.
 */
export const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\u0000-\u001f\u007f-\u00a0\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{DI}|\p{Surrogate}/gu;

/**
 * The beginnings of what services obey in the log of a job: `::add-mask::` (GitHub, at the beginning of a line), `##[group]` (GitHub,
 * anywhere), `##vso[` (Azure Pipelines) and `##teamcity[`. A text may be wrapped before any of its words.
 */
const COMMAND = /##(?=\[|vso\[|teamcity\[)|(?<!\S)::(?=[a-z][a-z-]*(?:\s|::))/gi;

const escaped = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Letters of other alphabets that look like Latin ones: nobody writes a word in two of them but to deceive. */
const LOOKALIKE = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}\p{sc=Coptic}\p{sc=Lisu}]/gu;
const WORD = /[\p{L}\p{M}]+/gu;

const isMixed = (word: string): boolean => /\p{sc=Latin}/u.test(word) && word.search(LOOKALIKE) >= 0;

/**
 * A text in which every character can be seen as what it is, and which no service obeys: what is unsafe is escaped, as `\u{1b}`.
 */
export function visibleText(text: string): string {
  const safe = text.replace(INVISIBLE, escaped).replace(COMMAND, (found) => escaped(found) + found.slice(1));
  if (/^\p{ASCII}*$/u.test(safe)) return safe;
  return safe.replace(WORD, (word) => (isMixed(word) ? word.replace(LOOKALIKE, escaped) : word));
}

const unitEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The JSON text of a value without such characters and commands: they are escaped, so that whoever parses it gets the same value.
 */
export const visibleJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent)
    // Raw line ends are white space between members; within strings they are escaped already.
    .replace(INVISIBLE, (found) => (found === '\n' ? found : found.split('').map(unitEscape).join('')))
    .replace(COMMAND, (found) => unitEscape(found) + found.slice(1));
