import { oncePer } from '../../domain/index.ts';
import type { TerraformObject, TerraformValue, ValueType } from '../codec/value.ts';
import type { DiagnosticContent } from './diagnostics.ts';

interface CommonAttribute {
  /** Markdown. */
  readonly description: string;
  /** Set by the user (`required`, `optional`), by the provider (`computed`), or by either. */
  readonly set: 'required' | 'optional' | 'computed' | 'optional or computed';
  readonly isSensitive?: true;
  readonly isDeprecated?: true;
  /** Reaches the provider with the configuration, and is kept in neither plan nor state. */
  readonly isWriteOnly?: true;
  /** The value of an optional or computed attribute that is omitted. */
  readonly default?: TerraformValue;
  /**
   * A new value requires a new object; `between values`: only where neither value is null. Has no effect within sets, whose elements
   * cannot be matched.
   */
  readonly requiresReplace?: true | 'between values';
  /** Returns the errors of a configured value, which may hold unknown elements. Paths lead on from the attribute. */
  check?(value: TerraformValue): readonly DiagnosticContent[];
}

/** One attribute of a configuration. */
export type Attribute =
  | (CommonAttribute & { readonly type: ValueType })
  | (CommonAttribute & {
      readonly nesting: Nesting;
      readonly attributes: AttributeTable;
      /** Written as a block, in which core rejects names that it does not know. Only for optional single objects. */
      readonly isBlock?: true;
    });

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
  /**
   * Returns the errors that concern several attributes; values may be unknown.
   *
   * @param prior the state, in a plan: `ignore_changes` puts values of it into the configuration
   */
  check?(config: TerraformObject, prior?: TerraformObject): readonly DiagnosticContent[];
}

/** The attributes that distinguish one object from all others for as long as it exists. */
export interface IdentitySchema {
  readonly version: number;
  readonly attributes: {
    readonly [name: string]: {
      readonly type: ValueType;
      readonly description: string;
      readonly isRequiredForImport: boolean;
    };
  };
}

type Entries = readonly (readonly [string, Attribute])[];

export const isBlock = (attribute: Attribute): boolean => 'isBlock' in attribute && attribute.isBlock === true;

/** Separates the attributes that are written as blocks. */
export function splitBlocks(attributes: AttributeTable): { readonly attributes: Entries; readonly blocks: Entries } {
  const entries = listOf(attributes);
  return {
    attributes: entries.filter(([, attribute]) => !isBlock(attribute)),
    blocks: entries.filter(([, attribute]) => isBlock(attribute)),
  };
}

/** The attributes of each schema as a list: every value of every call is looked through by it. A schema never changes. */
export const listOf = oncePer((attributes: AttributeTable): Entries => Object.entries(attributes));

export function attributeType(attribute: Attribute): ValueType {
  if ('type' in attribute) return attribute.type;
  const object = typeOf(attribute);
  return attribute.nesting === 'single' ? object : [attribute.nesting, object];
}

const objectType = oncePer(
  (attributes: AttributeTable): ValueType => [
    'object',
    Object.fromEntries(listOf(attributes).map(([name, attribute]) => [name, attributeType(attribute)])),
  ],
);

export const typeOf = ({ attributes }: { readonly attributes: AttributeTable }): ValueType => objectType(attributes);

export const identityType = oncePer(
  ({ attributes }: IdentitySchema): ValueType => [
    'object',
    Object.fromEntries(Object.entries(attributes).map(([name, { type }]) => [name, type])),
  ],
);
