import { keyplaneProvider } from '../../src/terraform/keyplane/provider.ts';
import { providerSchemaJson } from '../../src/terraform/provider/schema-json.ts';

/** A type as Terraform writes it in JSON: `"string"`, `["list", "string"]`, `["object", {…}]`. */
export type TerraformType =
  | 'string'
  | 'number'
  | 'bool'
  | 'dynamic'
  | readonly ['list' | 'set' | 'map', TerraformType]
  | readonly ['object', TypedFields]
  | readonly ['tuple', readonly TerraformType[]];

export type TypedFields = { readonly [name: string]: TerraformType };

export interface AttributeJson {
  readonly type?: TerraformType;
  readonly nested_type?: { readonly attributes: AttributesJson; readonly nesting_mode: string };
  readonly description: string;
  readonly required?: true;
  readonly optional?: true;
  readonly sensitive?: true;
  readonly write_only?: true;
  readonly deprecated?: true;
  /** It is a block, which {@link argumentsOf} adds. */
  readonly isBlock?: true;
}

export type AttributesJson = { readonly [name: string]: AttributeJson };

interface NestedBlockJson {
  readonly nesting_mode: string;
  readonly block: { readonly attributes?: AttributesJson; readonly description: string };
}

export interface SchemaJson {
  readonly block: {
    readonly attributes?: AttributesJson;
    readonly block_types?: { readonly [name: string]: NestedBlockJson };
    readonly description: string;
    readonly deprecated?: true;
  };
}

/** Returns the attributes of a type, with its blocks as optional objects. */
export function argumentsOf({ block: { attributes = {}, block_types: blocks = {} } }: SchemaJson): AttributesJson {
  const asAttribute = ({ nesting_mode, block }: NestedBlockJson): AttributeJson => ({
    nested_type: { attributes: block.attributes ?? {}, nesting_mode },
    description: block.description,
    optional: true,
    isBlock: true,
  });
  return {
    ...attributes,
    ...Object.fromEntries(Object.entries(blocks).map(([name, each]) => [name, asAttribute(each)])),
  };
}

export interface IdentityJson {
  readonly attributes?: {
    readonly [name: string]: {
      readonly type: TerraformType;
      readonly description: string;
      readonly required_for_import?: true;
    };
  };
}

export interface ParameterJson {
  readonly name: string;
  readonly type: TerraformType;
  readonly description: string;
}

export interface FunctionJson {
  readonly description: string;
  readonly summary: string;
  readonly return_type: TerraformType;
  readonly parameters?: readonly ParameterJson[];
  readonly variadic_parameter?: ParameterJson;
}

type Schemas = { readonly [type: string]: SchemaJson };

export interface ProviderJson {
  readonly provider: SchemaJson;
  readonly resource_schemas?: Schemas;
  readonly data_source_schemas?: Schemas;
  readonly ephemeral_resource_schemas?: Schemas;
  readonly list_resource_schemas?: Schemas;
  readonly action_schemas?: Schemas;
  readonly resource_identity_schemas?: { readonly [type: string]: IdentityJson };
  readonly functions?: { readonly [name: string]: FunctionJson };
}

interface ProviderSchemas {
  readonly format_version: string;
  readonly provider_schemas: { readonly [address: string]: ProviderJson };
}

export const ADDRESS = 'registry.terraform.io/keyplane/keyplane';

/** Returns the schema of the provider as `terraform providers schema -json` prints it. */
export const readProviderSchemas = (): ProviderSchemas =>
  JSON.parse(
    JSON.stringify(
      providerSchemaJson(
        ADDRESS,
        keyplaneProvider({}, () => 0),
      ),
    ),
  ) as ProviderSchemas;
