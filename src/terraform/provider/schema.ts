import type { ObjectValue, Value, ValueType } from '../codec/value.ts';
import type { Step } from '../codec/value-error.ts';

/** What is wrong with a value that was written; the path leads on from the attribute. */
export interface Problem {
  readonly summary: string;
  readonly detail?: string;
  readonly path?: readonly Step[];
}

interface Common {
  /** Markdown. */
  readonly description: string;
  /** Set by people (`required`, `optional`), by the provider (`computed`), or by either. */
  readonly set: 'required' | 'optional' | 'computed' | 'optional or computed';
  readonly isSensitive?: true;
  readonly isDeprecated?: true;
  /** Reaches the provider with the configuration, and is kept in neither plan nor state. */
  readonly isWriteOnly?: true;
  /** Of an optional or computed one: what is meant when nothing is written. */
  readonly default?: Value;
  /** Another value needs another object. Nobody can tell of what is in a set. */
  readonly replaces?: true;
  /** Says what is wrong with a value that was written; unknown elements may be in it. */
  check?(value: Value): readonly Problem[];
}

/** One attribute of a configuration: who sets it, and what it means. */
export type Attribute =
  | (Common & { readonly type: ValueType })
  | (Common & { readonly nesting: Nesting; readonly attributes: AttributeTable });

export type Nesting = 'single' | 'list' | 'set' | 'map';

export interface AttributeTable {
  readonly [name: string]: Attribute;
}

export interface Schema {
  /** Raised when stored states of an older one have to be upgraded. */
  readonly version: number;
  /** Markdown. */
  readonly description: string;
  readonly isDeprecated?: true;
  readonly attributes: AttributeTable;
  /** Says what is wrong between attributes; values may be unknown. */
  check?(config: ObjectValue): readonly Problem[];
}

/** What tells one object of the provider from all others, for as long as it lives. */
export interface IdentitySchema {
  readonly version: number;
  readonly attributes: {
    readonly [name: string]: {
      readonly type: ValueType;
      readonly description: string;
      /** Has it to be given to import something? */
      readonly isRequired: boolean;
    };
  };
}

export function attributeType(attribute: Attribute): ValueType {
  if ('type' in attribute) return attribute.type;
  const object = typeOf(attribute);
  return attribute.nesting === 'single' ? object : [attribute.nesting, object];
}

const types = new WeakMap<AttributeTable, ValueType>();

/** Asked for at every call, so it is made once. */
export function typeOf({ attributes }: { readonly attributes: AttributeTable }): ValueType {
  const known = types.get(attributes);
  if (known) return known;
  const entries = Object.entries(attributes).map(([name, attribute]) => [name, attributeType(attribute)]);
  const type: ValueType = ['object', Object.fromEntries(entries)];
  types.set(attributes, type);
  return type;
}

export const identityType = ({ attributes }: IdentitySchema): ValueType => [
  'object',
  Object.fromEntries(Object.entries(attributes).map(([name, { type }]) => [name, type])),
];
