import type { ValueType } from '../codec/value.ts';
import type { FunctionDefinition, Parameter, Provider } from './definition.ts';
import type { Attribute, AttributeTable, IdentitySchema, Schema } from './schema.ts';

/** What a program writes as JSON: fields that are undefined are left away. */
type Tree = { readonly [field: string]: string | number | boolean | ValueType | Tree | readonly Tree[] | undefined };

/** By name, as Go writes its maps; undefined when there is nothing. */
function table<T>(members: { readonly [name: string]: T }, work: (member: T) => Tree): Tree | undefined {
  const names = Object.keys(members).sort();
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, work(members[name] as T)]));
}

/** Core writes what is true, and is silent on what is not. */
const yes = (holds: boolean | undefined): true | undefined => (holds ? true : undefined);

const attributeJson = (attribute: Attribute): Tree => ({
  ...('type' in attribute
    ? { type: attribute.type }
    : { nested_type: { attributes: attributesJson(attribute.attributes), nesting_mode: attribute.nesting } }),
  description: attribute.description,
  description_kind: 'markdown',
  deprecated: yes(attribute.isDeprecated),
  required: yes(attribute.set === 'required'),
  optional: yes(attribute.set.startsWith('optional')),
  computed: yes(attribute.set.endsWith('computed')),
  sensitive: yes(attribute.isSensitive),
  write_only: yes(attribute.isWriteOnly),
});

const attributesJson = (attributes: AttributeTable): Tree | undefined => table(attributes, attributeJson);

const blockJson = ({ attributes, description, isDeprecated }: Schema): Tree => ({
  attributes: attributesJson(attributes),
  description,
  description_kind: 'markdown',
  deprecated: yes(isDeprecated),
});

const schemaJson = (schema: Schema): Tree => ({ version: schema.version, block: blockJson(schema) });

const identityJson = ({ version, attributes }: IdentitySchema): Tree => ({
  version,
  attributes: table(attributes, ({ type, description, isRequired }) => ({
    type,
    description,
    required_for_import: yes(isRequired),
    optional_for_import: yes(!isRequired),
  })),
});

const parameterJson = ({ name, type, description }: Parameter): Tree => ({ name, description, type });

const functionJson = ({ description, summary, returns, parameters, variadic }: FunctionDefinition): Tree => ({
  description,
  summary,
  return_type: returns,
  parameters: parameters.length === 0 ? undefined : parameters.map(parameterJson),
  variadic_parameter: variadic && parameterJson(variadic),
});

type Members = Omit<Provider<never>, 'configure'>;

/**
 * A provider as `terraform providers schema -json` shows it, in a configuration that has no other: generators of bindings and of
 * documentation read that. Nothing is asked of a core. Identities are shown since Terraform 1.12, lists and actions since 1.14.
 *
 * @param address the whole one, with host
 */
export const providerSchemaJson = <C>(address: string, provider: Provider<C>): Tree => {
  const { schema, resources, dataSources, ephemerals, listings, actions, functions }: Members = provider;
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
        list_resource_schemas: schemas(listings),
        functions: table(functions, functionJson),
        resource_identity_schemas: table(resources, ({ identity }) => identityJson(identity)),
        action_schemas: table(actions, (action) => ({ block: blockJson(action.schema) })),
      },
    },
  };
};
