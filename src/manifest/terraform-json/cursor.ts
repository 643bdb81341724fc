import { Refused } from './refused.ts';

/** Where the reader of an expression stands in its text. */
export interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
}

const DEPTH_LIMIT = 100;

export const cursorAt = (text: string): Cursor => ({ text, at: 0, depth: 0 });

export const isAtEnd = ({ text, at }: Cursor): boolean => at >= text.length;

export function unreadable(what: string): Refused {
  return new Refused(`The expression can not be read: ${what}.`, {
    expected: 'an expression of Terraform',
    hint: 'Write `$${` for the characters `${` themselves.',
  });
}

/** What the sticky pattern matches here, if anything; it is passed over. */
export function tryMatch(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

const BLANK = /(?:\s+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** Passes over white space and comments. */
export const skipBlank = (cursor: Cursor): string => tryMatch(cursor, BLANK) ?? '';

/** Is this what comes next, after white space? */
export function sees({ text, at }: Cursor, sign: string): boolean {
  BLANK.lastIndex = at;
  const blank = BLANK.exec(text)?.[0].length ?? 0;
  return text.startsWith(sign, at + blank);
}

export function tryTake(cursor: Cursor, sign: string): boolean {
  if (!sees(cursor, sign)) return false;
  skipBlank(cursor);
  cursor.at += sign.length;
  return true;
}

export function take(cursor: Cursor, sign: string): void {
  if (!tryTake(cursor, sign)) throw unreadable(isAtEnd(cursor) ? 'it ends too early' : `\`${sign}\` is missing`);
}

/** One level deeper: who nests without bound would end the process. */
export function deeper<T>(cursor: Cursor, read: () => T): T {
  cursor.depth += 1;
  if (cursor.depth > DEPTH_LIMIT) throw unreadable(`it nests more than ${DEPTH_LIMIT} deep`);
  const result = read();
  cursor.depth -= 1;
  return result;
}
