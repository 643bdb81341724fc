import {
  DefaultTokenResolver,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
  Lazy,
  StringConcat,
  Token,
  Tokenization,
} from 'cdktf';
import { resolved } from '../stack/synthesized.ts';
import { hasUnresolved, isUnresolved } from './unresolved.ts';

/** A value that Terraform fills in: its own notation, or a token, which looks the same. */
const FILLED_IN = /((?<!\$)\$\{(?:[^{}]|\{[^{}]*\})*\})/;

/** Characters that JSON escapes in a way that Terraform’s language does not support. */
const CONTROL: Readonly<Record<string, string>> = { '\\b': '\\u0008', '\\f': '\\u000c' };

/** The inside of a quoted string of Terraform’s language. */
const quotedInside = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\[bf\\]/g, (sign) => CONTROL[sign] ?? sign);

/** A token is an expression by itself; Terraform’s own notation contains one. */
const expressionOf = (part: string): string => (Token.isUnresolved(part) ? part : part.slice(2, -1).trim());

/** Has Terraform encode a string that it completes, so that quotes in the inserted values are safe. */
function encodedByTerraform(text: string): string {
  const parts = text
    .split(FILLED_IN)
    .map((part, i) => (i % 2 === 1 ? expressionOf(part) : part && `"${quotedInside(part)}"`))
    .filter((part) => part !== '');
  return `\${jsonencode(${parts.length === 1 ? parts[0] : `join("", [${parts.join(', ')}])`})}`;
}

/** Renders JSON whose tokens are all in strings. */
function textOf(json: unknown): string {
  if (typeof json === 'string') return isUnresolved(json) ? encodedByTerraform(json) : JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(textOf).join(',')}]`;
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  const members = Object.entries(json).filter(([, value]) => value !== undefined);
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(',')}}`;
}

const isExpression = (value: unknown): boolean => typeof value === 'string' && /^\$\{.*\}$/s.test(value);

/** Replaces the tokens that the program produces, and keeps in strings those that only Terraform knows. */
class ProducedValues extends DefaultTokenResolver {
  public constructor() {
    super(new StringConcat());
  }

  public override resolveToken(token: IResolvable, context: IResolveContext, postProcessor: IPostProcessor): unknown {
    return isExpression(resolved(context.scope, token))
      ? Token.asString(token)
      : super.resolveToken(token, context, postProcessor);
  }
}

/**
 * Renders JSON as one string, verbatim except for the parts that Terraform fills in. As in every string of a CDK, `${…}` is
 * Terraform’s notation, and `$${` means the two characters.
 *
 * @param json a value of JSON, which may hold tokens: then the string is a token too, because only the synthesis produces some
 */
export const jsonText = (json: unknown): string =>
  hasUnresolved(json)
    ? Lazy.stringValue({
        produce: ({ scope, preparing }) =>
          textOf(Tokenization.resolve(json, { scope, preparing, resolver: new ProducedValues() })),
      })
    : textOf(json);
