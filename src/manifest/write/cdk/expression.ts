import type { Json } from '../../../domain/index.ts';

/** A TypeScript expression. */
export type Expression =
  | { readonly kind: 'text'; readonly text: string }
  /** Code: numbers, keywords, names of variables. */
  | { readonly kind: 'verbatim'; readonly code: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'object'; readonly members: readonly Property[] };

export type Property = readonly [name: string, value: Expression];

/** Escapes the beginnings of Terraform templates. The replacer is a function, because `$$` means one `$`. */
const escapeTemplates = (text: string): string => text.replace(/[$%](?=\{)/g, (sign) => sign + sign);

/** A string that reaches Terraform unchanged. */
export const text = (value: string): Expression => ({ kind: 'text', text: escapeTemplates(value) });

/** A string that never reaches Terraform. */
export const plainText = (value: string): Expression => ({ kind: 'text', text: value });

export const verbatim = (code: string | number | boolean): Expression => ({ kind: 'verbatim', code: String(code) });
export const texts = (items: readonly string[]): Expression => ({ kind: 'list', items: items.map(text) });
export const object = (...members: readonly Property[]): Expression => ({ kind: 'object', members });

export function json(value: Json): Expression {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item: Json) => json(item)) };
  if (value === null || typeof value !== 'object') return verbatim(JSON.stringify(value).replace('e+', 'e'));
  return object(...Object.entries(value).map(([name, item]) => [escapeTemplates(name), json(item)] as const));
}

/** Writes dollars as a number if JavaScript holds it exactly, else as a string of its digits. */
export const dollars = (digits: string): Expression =>
  String(Number(digits)) === digits ? verbatim(digits) : plainText(digits);
