import { Token } from 'cdktf';
import { isDate } from './shape.ts';

/** A number token that was written into a string, where Terraform can no longer resolve it. */
const WRITTEN_NUMBER_TOKEN = /-\d(?:\.\d+)?e\+(?:2[89]\d|30\d)/i;

/** Returns whether Terraform fills in the value: a token, or its own notation in a string. The provider validates it. */
export const isUnresolved = (value: unknown): boolean =>
  // Most strings hold no brace, and the tokens of a string have one: this is asked of every value.
  typeof value === 'string'
    ? value.includes('{') && (Token.isUnresolved(value) || /(?<!\$)\$\{|(?<!%)%\{/.test(value))
    : Token.isUnresolved(value);

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

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** More than any configuration has: a value that contains itself ends here. */
const DEEPEST = 50;

/**
 * Returns whether resolving a value would change nothing but omit what is undefined. Cheaper than to resolve it, and false where
 * that is not certain: for classes, for braces, and for numbers that may be tokens.
 */
export function isLiteral(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('{') && !holdsNumberToken(value);
  if (typeof value === 'number') return Number.isFinite(value) && !Token.isUnresolved(value);
  if (typeof value !== 'object' || value === null) return ['boolean', 'undefined', 'object'].includes(typeof value);
  if (depth > DEEPEST) return false;
  const isInner = (part: unknown): boolean => isLiteral(part, depth + 1);
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isInner(item));
  return isPlain(value) && Object.entries(value).every(([name, part]) => !name.includes('{') && isInner(part));
}
