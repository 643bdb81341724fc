/** The display name of a key: 1 to 50 characters and at most 50 UTF-8 bytes, without control characters. */
export type KeyName = string & { readonly __keyName: unique symbol };

export const NAME_LIMIT = 50;

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Says what is wrong with a name, or undefined when it is a good one.
 *
 * The contract counts characters, deployed gateways count bytes: a name must satisfy both.
 */
export function nameProblem(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text !== text.trim()) return 'it begins or ends with white space';
  if (CONTROL.test(text)) return 'it has a control character';
  if (/\p{Surrogate}/u.test(text)) return 'it is not well-formed Unicode';
  const characters = [...text].length;
  if (characters > NAME_LIMIT) return `it has ${characters} characters, at most ${NAME_LIMIT} are allowed`;
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > NAME_LIMIT) return `it has ${bytes} UTF-8 bytes, at most ${NAME_LIMIT} are allowed`;
  return undefined;
}

/** @throws RangeError when {@link nameProblem} has something to say. */
export function keyName(text: string): KeyName {
  const problem = nameProblem(text);
  if (problem) throw new RangeError(`not a key name (${problem}): ${JSON.stringify(text)}`);
  return text as KeyName;
}

/** Names that differ only by case collide: some gateways ignore case when they search. */
export const nameFold = (name: string): string => name.toLowerCase();

/** A pattern over names: `*` stands for any run of characters, `?` for one. Nothing else is special. */
export type NameGlob = string;

const globs = new Map<NameGlob, RegExp>();

export function matchesGlob(glob: NameGlob, name: string): boolean {
  let pattern = globs.get(glob);
  if (!pattern) {
    const source = glob.replace(/[.+^${}()|[\]\\*?]/g, (c) => (c === '*' ? '.*' : c === '?' ? '.' : `\\${c}`));
    pattern = new RegExp(`^${source}$`, 'su');
    globs.set(glob, pattern);
  }
  return pattern.test(name);
}

export const matchesAnyGlob = (patterns: readonly NameGlob[], name: string): boolean =>
  patterns.some((glob) => matchesGlob(glob, name));
