/** The words of a text: letters and digits of any script. */
export const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** A character of a word, such a one of a script without spaces, a space, or any other one. */
type Kind = 'letter' | 'dense' | 'blank' | 'sign';

const LETTER = /[\p{L}\p{N}\p{M}]/u;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

function kindOf(character: string): Kind {
  if (LETTER.test(character)) return DENSE.test(character) ? 'dense' : 'letter';
  return /\s/.test(character) ? 'blank' : 'sign';
}

/** The kinds of the characters that most texts consist of. */
const ASCII: readonly Kind[] = Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));

/** Visits every character of a text. Keeps nothing of it in memory: a list of all words needs fifty times as much as the text. */
function visit(text: string, onCharacter: (kind: Kind, units: number) => void): void {
  const kinds = new Map<number, Kind>();
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    let kind = ASCII[code] ?? kinds.get(code);
    if (kind === undefined) {
      kind = kindOf(String.fromCodePoint(code));
      kinds.set(code, kind);
    }
    const units = code > 0xffff ? 2 : 1;
    onCharacter(kind, units);
    at += units;
  }
}

export function countWords(text: string): number {
  let [words, isWithin] = [0, false];
  visit(text, (kind) => {
    const belongs = kind === 'letter' || kind === 'dense';
    if (belongs && !isWithin) words += 1;
    isWithin = belongs;
  });
  return words;
}

/** The approximate number of characters in a token. */
const CHARACTERS = 4;

/**
 * Estimates the tokens of a text: one for every four characters of a word, rounded up, and one for each other character
 * and for each letter of a script without spaces. At least 1 for a text that is not empty.
 */
export function countTokens(text: string): number {
  if (text === '') return 0;
  let [tokens, word] = [0, 0];
  visit(text, (kind, units) => {
    if (kind === 'letter') {
      word += units;
      return;
    }
    tokens += Math.ceil(word / CHARACTERS) + (kind === 'blank' ? 0 : 1);
    word = 0;
  });
  return Math.max(1, tokens + Math.ceil(word / CHARACTERS));
}

/** Hashes a text to a whole number (FNV-1a). */
export function hashOf(text: string, salt = 0): number {
  let hash = (0x811c9dc5 ^ salt) >>> 0;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Mixes two whole numbers: every bit of the result depends on every bit of both. */
export function mixed(hash: number, salt: number): number {
  let mix = Math.imul(hash ^ Math.imul(salt + 1, 0x9e3779b1), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
