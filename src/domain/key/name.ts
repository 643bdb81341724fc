/** The display name of a key: 1 to 50 characters and at most 50 UTF-8 bytes, without control characters. */
export type KeyName = string & { readonly __keyName: unique symbol };

const NAME_LIMIT = 50;

/** The name of the keys by which runs claim the lock of an account. Nothing else treats them as keys. */
export const LOCK_NAME = 'keyplane.lock';

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const ENCODER = new TextEncoder();

/** The number of UTF-8 bytes of a text. */
export function utf8Length(text: string): number {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return ENCODER.encode(text).length;
  }
  return text.length;
}

/** The form of nearly all names, which has none of the problems. */
const ORDINARY = /^[A-Za-z0-9_-]{1,50}$/;

/**
 * Returns what is wrong with a name, or undefined when it is valid.
 *
 * The contract counts characters, deployed gateways count bytes: a name must satisfy both.
 */
export function nameProblem(text: string): string | undefined {
  if (ORDINARY.test(text)) return undefined;
  if (text === '') return 'it is empty';
  if (text !== text.trim()) return 'it begins or ends with white space';
  if (CONTROL.test(text)) return 'it has a control character';
  if (/\p{Surrogate}/u.test(text)) return 'it is not well-formed Unicode';
  const characters = [...text].length;
  if (characters > NAME_LIMIT) return `it has ${characters} characters, at most ${NAME_LIMIT} are allowed`;
  const bytes = utf8Length(text);
  if (bytes > NAME_LIMIT) return `it has ${bytes} UTF-8 bytes, at most ${NAME_LIMIT} are allowed`;
  if (nameFold(text) === LOCK_NAME) return 'it is reserved for the lock of Keyplane';
  return undefined;
}

/** @throws RangeError when {@link nameProblem} finds a problem. */
export function keyName(text: string): KeyName {
  const problem = nameProblem(text);
  if (problem) throw new RangeError(`not a key name (${problem}): ${JSON.stringify(text)}`);
  return text as KeyName;
}

/** Escapes control characters and line breaks, so that the name of a live key cannot forge a line of a message. */
export const inOneLine = (text: string): string =>
  text.replace(new RegExp(CONTROL, 'g'), (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** Names that differ only by case collide: some gateways ignore case when they search. */
export const nameFold = (name: string): string => name.toLowerCase();

/** A pattern over names: `*` stands for any run of characters, `?` for one. Nothing else is special. */
export type NameGlob = string;

/**
 * Takes time in proportion to the product of both lengths at most. A regular expression would not: with many `*`, a long
 * live name could keep it busy for hours.
 */
export function matchesGlob(glob: NameGlob, name: string): boolean {
  const pattern = [...glob];
  const text = [...name];
  let p = 0;
  // The position of the last `*`, and the end of the run that it matches. Only the last run ever grows.
  let star = -1;
  let reach = 0;
  for (let t = 0; t < text.length; ) {
    // The star comes first: a name may hold a `*` too, and would match it as an ordinary character.
    if (pattern[p] === '*') {
      star = p++;
      reach = t;
    } else if (pattern[p] === '?' || pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++reach;
    } else {
      return false;
    }
  }
  return pattern.slice(p).every((rest) => rest === '*');
}

export const matchesAnyGlob = (patterns: readonly NameGlob[], name: string): boolean =>
  patterns.some((glob) => matchesGlob(glob, name));

/** Is there a text that both patterns match? Takes time in proportion to the product of their lengths. */
export function haveCommonMatch(one: NameGlob, other: NameGlob): boolean {
  const [a, b] = [[...one], [...other]];
  // At i: do the first i parts of one, and the parts of the other so far, have a match in common?
  let row = [true, ...a.map((_, i) => a.slice(0, i + 1).every((part) => part === '*'))];
  for (const part of b) {
    const next = [row[0] === true && part === '*'];
    for (const [i, own] of a.entries()) {
      const isRun = own === '*' || part === '*';
      const isSame = isRun || own === '?' || part === '?' || own === part;
      next.push((isSame && row[i] === true) || (isRun && (row[i + 1] === true || next[i] === true)));
    }
    row = next;
  }
  return row.at(-1) === true;
}

/** Orders texts by their code units, the same everywhere: for `sort`. */
export const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
