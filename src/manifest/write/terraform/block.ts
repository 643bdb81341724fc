import type { Json } from '../../../domain/index.ts';

/** A value of a configuration, before it is written in one of the two syntaxes. */
export type BlockValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'flag'; readonly value: boolean }
  /** Exact, as decimal digits. */
  | { readonly kind: 'number'; readonly digits: string }
  | { readonly kind: 'list'; readonly items: readonly BlockValue[] }
  | { readonly kind: 'object'; readonly members: readonly BlockMember[] }
  /** A reference to another block: `keyplane_api_key.checkout.id`. */
  | { readonly kind: 'reference'; readonly path: string }
  /** A string of JSON. */
  | { readonly kind: 'json'; readonly value: Json };

export type BlockMember = readonly [name: string, value: BlockValue];

export interface ConfigurationBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly members: readonly BlockMember[];
  readonly blocks: readonly ConfigurationBlock[];
  /** Comments, one for each line. */
  readonly comments: readonly string[];
  /** Data for Keyplane. Syntaxes that cannot hold it omit it first. */
  readonly meta?: { readonly [name: string]: string };
}

export const text = (value: string): BlockValue => ({ kind: 'text', text: value });
export const flag = (value: boolean): BlockValue => ({ kind: 'flag', value });
export const number = (digits: string | number): BlockValue => ({ kind: 'number', digits: String(digits) });
export const texts = (items: readonly string[]): BlockValue => ({ kind: 'list', items: items.map(text) });
export const object = (...members: readonly BlockMember[]): BlockValue => ({ kind: 'object', members });
export const reference = (path: string): BlockValue => ({ kind: 'reference', path });
export const json = (value: Json): BlockValue => ({ kind: 'json', value });

export const block = (
  type: string,
  labels: readonly string[],
  more: Partial<ConfigurationBlock> = {},
): ConfigurationBlock => ({
  type,
  labels,
  members: [],
  blocks: [],
  comments: [],
  ...more,
});
