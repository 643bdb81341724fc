import type { ValueType } from '../codec/value.ts';
import type { FunctionDefinition, Parameter, Provider } from './definition.ts';
import { type Attribute, type AttributeTable, type IdentitySchema, type Schema, splitBlocks } from './schema.ts';

/** JSON to be serialized: members that are undefined are omitted. */
type SchemaJson = {
  readonly [field: string]: string | number | boolean | ValueType | SchemaJson | readonly SchemaJson[] | undefined;
};

/** Sorted by name, as Go writes its maps; undefined when empty. */
function table<T>(members: { readonly [name: string]: T }, work: (member: T) => SchemaJson): SchemaJson | undefined {
  const names = Object.keys(members).sort();
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, work(members[name] as T)]));
}

/** Core writes true and omits false. */
const trueOnly = (holds: boolean | undefined): true | undefined => (holds ? true : undefined);

const attributeJson = (attribute: Attribute): SchemaJson => ({
  ...('type' in attribute
    ? { type: attribute.type }
    : { nested_type: { attributes: attributesJson(attribute.attributes), nesting_mode: attribute.nesting } }),
  description: attribute.description,
  description_kind: 'markdown',
  deprecated: trueOnly(attribute.isDeprecated),
  required: trueOnly(attribute.set === 'required'),
  optional: trueOnly(attribute.set.startsWith('optional')),
  computed: trueOnly(attribute.set.endsWith('computed')),
  sensitive: trueOnly(attribute.isSensitive),
  write_only: trueOnly(attribute.isWriteOnly),
});

const attributesJson = (attributes: AttributeTable): SchemaJson | undefined => table(attributes, attributeJson);

/** Blocks in blocks are not supported. */
const nestedBlockJson = (block: Attribute): SchemaJson => ({
  nesting_mode: 'single',
  block: {
    attributes: 'attributes' in block ? attributesJson(block.attributes) : undefined,
    description: block.description,
    description_kind: 'markdown',
  },
});

const blockJson = ({ attributes: all, description, isDeprecated }: Schema): SchemaJson => {
  const { attributes, blocks } = splitBlocks(all);
  return {
    attributes: attributesJson(Object.fromEntries(attributes)),
    block_types: table(Object.fromEntries(blocks), nestedBlockJson),
    description,
    description_kind: 'markdown',
    deprecated: trueOnly(isDeprecated),
  };
};

const schemaJson = (schema: Schema): SchemaJson => ({ version: schema.version, block: blockJson(schema) });

const identityJson = ({ version, attributes }: IdentitySchema): SchemaJson => ({
  version,
  attributes: table(attributes, ({ type, description, isRequiredForImport }) => ({
    type,
    description,
    required_for_import: trueOnly(isRequiredForImport),
    optional_for_import: trueOnly(!isRequiredForImport),
  })),
});

const parameterJson = ({ name, type, description }: Parameter): SchemaJson => ({ name, description, type });

const functionJson = ({ description, summary, returns, parameters, variadic }: FunctionDefinition): SchemaJson => ({
  description,
  summary,
  return_type: returns,
  parameters: parameters.length === 0 ? undefined : parameters.map(parameterJson),
  variadic_parameter: variadic && parameterJson(variadic),
});

/**
 * The schema of a provider as `terraform providers schema -json` prints it for a configuration without other providers:
 * generators of bindings and of documentation read that. Needs no core. Terraform 1.12 added identities, 1.14 lists and
 * actions.
 *
 * @param address the full address, with host
 */
export const providerSchemaJson = <C>(address: string, provider: Provider<C>): SchemaJson => {
  const { schema, resources, dataSources, ephemerals, listResources, actions, functions } = provider;
  const schemas = (members: { readonly [name: string]: { readonly schema: Schema } }) =>
    table(members, (member) => schemaJson(member.schema));
  return {
    format_version: '1.0',
    provider_schemas: {
      [address]: {
        provider: schemaJson(schema),
        resource_schemas: schemas(resources),
        data_source_schemas: schemas(dataSources),
        ephemeral_resource_schemas: schemas(ephemerals),
        list_resource_schemas: schemas(listResources),
        functions: table(functions, functionJson),
        resource_identity_schemas: table(resources, ({ identity }) => identityJson(identity)),
        action_schemas: table(actions, (action) => ({ block: blockJson(action.schema) })),
      },
    },
  };
};
