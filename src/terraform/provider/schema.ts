import type { ValueType } from '../codec/value.ts';

/** One attribute of a configuration: who sets it, and what it means. */
export interface Attribute {
  readonly type: ValueType;
  /** Markdown. */
  readonly description: string;
  /** Set by people (`required`, `optional`), by the provider (`computed`), or by either. */
  readonly set: 'required' | 'optional' | 'computed' | 'optional or computed';
  readonly isSensitive?: true;
}

export interface Schema {
  /** Raised when stored states of an older one have to be upgraded. */
  readonly version: number;
  /** Markdown. */
  readonly description: string;
  readonly attributes: { readonly [name: string]: Attribute };
}

export const typeOf = ({ attributes }: Schema): ValueType => [
  'object',
  Object.fromEntries(Object.entries(attributes).map(([name, { type }]) => [name, type])),
];
