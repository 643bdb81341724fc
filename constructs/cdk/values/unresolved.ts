import { Token } from 'cdktf';
import { isDate } from './shape.ts';

/** A number token that was written into a string, where Terraform can no longer resolve it. */
const WRITTEN_NUMBER_TOKEN = /-\d(?:\.\d+)?e\+(?:2[89]\d|30\d)/i;

/** Every number token is less: to look into the bits of a number takes longer than to compare it. */
const ABOVE_TOKENS = -1e280;

const isNumberToken = (value: number): boolean => value < ABOVE_TOKENS && Token.isUnresolved(value);

/** Returns whether Terraform fills in the value: a token, or its own notation in a string. The provider validates it. */
export function isUnresolved(value: unknown): boolean {
  // Most strings hold no brace, and the tokens of a string have one: this is asked of every value.
  if (typeof value === 'string')
    return value.includes('{') && (Token.isUnresolved(value) || /(?<!\$)\$\{|(?<!%)%\{/.test(value));
  return typeof value === 'number' ? isNumberToken(value) : Token.isUnresolved(value);
}

/** Unescapes a string: `$${` and `%%{` mean characters that would otherwise begin Terraform’s notation. */
export const unescaped = (text: string): string => text.replace(/([$%])\1\{/g, '$1{');

/** Returns whether Terraform fills in any part of the value. */
export function hasUnresolved(value: unknown): boolean {
  if (isUnresolved(value)) return true;
  if (typeof value !== 'object' || value === null || isDate(value)) return false;
  return Object.values(value).some(hasUnresolved);
}

/** Returns whether a string contains a number token as JavaScript prints it, such as `-8.1e+298`. */
export const holdsNumberToken = (text: string): boolean => WRITTEN_NUMBER_TOKEN.test(text);

/** Is the value an object without a class? */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** More than any configuration has: a value that contains itself ends here. */
const DEEPEST = 50;

/** Stands for a value that is not literal. */
export const NOT_LITERAL = Symbol('not literal');

function literalList(list: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = [];
  // Also visits the holes of a list.
  for (const item of list) {
    const part = item === undefined ? NOT_LITERAL : literalCopy(item, depth);
    if (part === NOT_LITERAL) return NOT_LITERAL;
    copy.push(part);
  }
  return copy;
}

function literalObject(object: Readonly<Record<string, unknown>>, depth: number): unknown {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    // To assign `__proto__` would make it the prototype.
    const part = name.includes('{') || name === '__proto__' ? NOT_LITERAL : literalCopy(object[name], depth);
    if (part === NOT_LITERAL) return NOT_LITERAL;
    if (part !== undefined) copy[name] = part;
  }
  return copy;
}

/**
 * Copies a value without what is undefined, if that is all that resolving it would change. Cheaper than to resolve it.
 *
 * @returns {@link NOT_LITERAL} where that is not certain: for classes, for braces, and for numbers that may be tokens
 */
export function literalCopy(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.includes('{') || holdsNumberToken(value) ? NOT_LITERAL : value;
  if (typeof value === 'number') return Number.isFinite(value) && !isNumberToken(value) ? value : NOT_LITERAL;
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || depth > DEEPEST) return NOT_LITERAL;
  if (Array.isArray(value)) return literalList(value, depth + 1);
  return isPlain(value) ? literalObject(value, depth + 1) : NOT_LITERAL;
}

/** Returns whether resolving a value would change nothing but omit what is undefined. False where that is not certain. */
export const isLiteral = (value: unknown): boolean => literalCopy(value) !== NOT_LITERAL;
