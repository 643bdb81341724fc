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
