import { type MessageDefinition, many, maybe, message, one } from './message.ts';

/** Messages that describe configurations. Field numbers are those of tfplugin6. */

/** `nesting`: 1 single, 2 list, 3 set, 4 map. */
export interface ObjectMessage {
  readonly attributes: readonly AttributeMessage[];
  readonly nesting: number;
}

/** Either `type` (JSON) or `nestedType`. `descriptionKind`: 0 plain, 1 Markdown. */
export interface AttributeMessage {
  readonly name: string;
  readonly type: Uint8Array;
  readonly nestedType: ObjectMessage | undefined;
  readonly description: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly descriptionKind: number;
  readonly deprecated: boolean;
  readonly writeOnly: boolean;
}

const NestedObject: MessageDefinition<ObjectMessage> = message({
  attributes: many(1, (): MessageDefinition<AttributeMessage> => Attribute),
  nesting: one(3, 'enum'),
});

const Attribute: MessageDefinition<AttributeMessage> = message({
  name: one(1, 'string'),
  type: one(2, 'bytes'),
  nestedType: maybe(10, NestedObject),
  description: one(3, 'string'),
  required: one(4, 'bool'),
  optional: one(5, 'bool'),
  computed: one(6, 'bool'),
  sensitive: one(7, 'bool'),
  descriptionKind: one(8, 'enum'),
  deprecated: one(9, 'bool'),
  writeOnly: one(11, 'bool'),
});

const BLOCK = {
  version: one(1, 'int64'),
  attributes: many(2, Attribute),
  description: one(4, 'string'),
  descriptionKind: one(5, 'enum'),
  deprecated: one(6, 'bool'),
};

/** Has no blocks of its own. `nesting`: 1 single. */
const NestedBlock = message({ typeName: one(1, 'string'), block: maybe(2, message(BLOCK)), nesting: one(3, 'enum') });

const Block = message({ ...BLOCK, blockTypes: many(3, NestedBlock) });

export const Schema = message({ version: one(1, 'int64'), block: maybe(2, Block) });

export const ActionSchema = message({ schema: maybe(1, Schema) });

const IdentityAttribute = message({
  name: one(1, 'string'),
  type: one(2, 'bytes'),
  requiredForImport: one(3, 'bool'),
  optionalForImport: one(4, 'bool'),
  description: one(5, 'string'),
});

export const ResourceIdentitySchema = message({
  version: one(1, 'int64'),
  identityAttributes: many(2, IdentityAttribute),
});

const Parameter = message({
  name: one(1, 'string'),
  type: one(2, 'bytes'),
  allowNullValue: one(3, 'bool'),
  allowUnknownValues: one(4, 'bool'),
  description: one(5, 'string'),
  descriptionKind: one(6, 'enum'),
});

const Return = message({ type: one(1, 'bytes') });

export const FunctionSchema = message({
  parameters: many(1, Parameter),
  variadicParameter: maybe(2, Parameter),
  return: maybe(3, Return),
  summary: one(4, 'string'),
  description: one(5, 'string'),
  descriptionKind: one(6, 'enum'),
  deprecationMessage: one(7, 'string'),
});
