import { Token } from 'cdktf';
import { isDate } from './shape.ts';

/** What a number token becomes when it is written into a text: nobody can make a value of it again. */
const WRITTEN_NUMBER_TOKEN = /-\d(?:\.\d+)?e\+(?:2[89]\d|30\d)/i;

/** A value that Terraform fills in: a token, or its own notation in a text. Its rules are left to the provider. */
export const isUnresolved = (value: unknown): boolean =>
  Token.isUnresolved(value) || (typeof value === 'string' && /(?<!\$)\$\{|(?<!%)%\{/.test(value));

/** The text as it will be: `$${` and `%%{` stand for what would otherwise begin Terraform’s notation. */
export const unescaped = (text: string): string => text.replace(/([$%])\1\{/g, '$1{');

/** Is any part of it a value that Terraform fills in? */
export function hasUnresolved(value: unknown): boolean {
  if (isUnresolved(value)) return true;
  if (typeof value !== 'object' || value === null || isDate(value)) return false;
  return Object.values(value).some(hasUnresolved);
}

/** Does the text hold a token of a number as JavaScript prints it, such as `-8.1e+298`? */
export const holdsNumberToken = (text: string): boolean => WRITTEN_NUMBER_TOKEN.test(text);
