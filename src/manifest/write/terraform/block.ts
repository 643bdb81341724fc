import type { Json } from '../../../domain/index.ts';

/** A value of a configuration, before it is written in one of the two syntaxes. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'flag'; readonly value: boolean }
  /** Exact, as decimal digits. */
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  /** A reference to another block: `keyplane_api_key.checkout.id`. */
  | { readonly kind: 'reference'; readonly path: string }
  /** A string of JSON. */
  | { readonly kind: 'json'; readonly value: Json };

export type Member = readonly [name: string, value: Value];

export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  readonly members: readonly Member[];
  readonly blocks: readonly Block[];
  /** Comments, one for each line. */
  readonly comments: readonly string[];
  /** Data for Keyplane. Syntaxes that cannot hold it omit it first. */
  readonly meta?: { readonly [name: string]: string };
}

export const text = (value: string): Value => ({ kind: 'text', text: value });
export const flag = (value: boolean): Value => ({ kind: 'flag', value });
export const number = (digits: string | number): Value => ({ kind: 'number', digits: String(digits) });
export const texts = (items: readonly string[]): Value => ({ kind: 'list', items: items.map(text) });
export const object = (...members: readonly Member[]): Value => ({ kind: 'object', members });
export const reference = (path: string): Value => ({ kind: 'reference', path });
export const json = (value: Json): Value => ({ kind: 'json', value });

export const block = (type: string, labels: readonly string[], more: Partial<Block> = {}): Block => ({
  type,
  labels,
  members: [],
  blocks: [],
  comments: [],
  ...more,
});
