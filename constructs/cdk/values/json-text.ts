import { Fn, Token } from 'cdktf';
import { isUnresolved } from './unresolved.ts';

/** One value that Terraform fills in, in its own notation or as a token, which looks the same. */
const FILLED_IN = /((?<!\$)\$\{(?:[^{}]|\{[^{}]*\})*\})/;

/** Signs that JSON escapes in a way that Terraform’s language does not know. */
const CONTROL: Readonly<Record<string, string>> = { '\\b': '\\u0008', '\\f': '\\u000c' };

/** The inside of a quoted text of Terraform’s language. */
const quotedInside = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\[bf\\]/g, (sign) => CONTROL[sign] ?? sign);

/** A token stays a token, which stands for itself in an expression; what was written by hand gives its expression. */
const expressionOf = (part: string): string => (Token.isUnresolved(part) ? part : part.slice(2, -1).trim());

/** A text of which Terraform fills in a part, as JSON that Terraform writes: quotes in what it fills in do no harm then. */
function openText(text: string): string {
  const parts = text
    .split(FILLED_IN)
    .map((part, i) => (i % 2 === 1 ? expressionOf(part) : part && `"${quotedInside(part)}"`))
    .filter((part) => part !== '');
  return `\${jsonencode(${parts.length === 1 ? parts[0] : `join("", [${parts.join(', ')}])`})}`;
}

/**
 * JSON as one text: exactly these bytes, but for the parts that Terraform fills in. As in every text of a CDK, `${…}` is
 * Terraform’s notation, and `$${` stands for the two characters.
 *
 * @param json a value of JSON, which may hold tokens
 */
export function jsonText(json: unknown): string {
  if (typeof json === 'string') return isUnresolved(json) ? openText(json) : JSON.stringify(json);
  if (isUnresolved(json)) return Fn.jsonencode(json);
  if (Array.isArray(json)) return `[${json.map(jsonText).join(',')}]`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  const members = Object.entries(json).filter(([, value]) => value !== undefined);
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`).join(',')}}`;
}
