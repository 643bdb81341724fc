import { fenced } from '../markdown.ts';
import {
  argumentsOf,
  type FunctionJson,
  type IdentityJson,
  type ParameterJson,
  type ProviderJson,
  type SchemaJson,
} from '../provider-schema.ts';
import { schemaSection, typeName } from './attributes.ts';
import type { Examples } from './examples.ts';

interface Kind {
  /** The folder in which registries look for its pages. */
  readonly folder: string;
  readonly title: string;
  readonly file: string;
}

const KINDS = [
  ['resource_schemas', { folder: 'resources', title: 'Resource', file: 'resource.tf' }],
  ['data_source_schemas', { folder: 'data-sources', title: 'Data Source', file: 'data-source.tf' }],
  [
    'ephemeral_resource_schemas',
    { folder: 'ephemeral-resources', title: 'Ephemeral Resource', file: 'ephemeral-resource.tf' },
  ],
  ['list_resource_schemas', { folder: 'list-resources', title: 'List Resource', file: 'list-resource.tfquery.hcl' }],
  ['action_schemas', { folder: 'actions', title: 'Action', file: 'action.tf' }],
] as const;

const NOTICE =
  '<!-- Generated from the schema of the provider and examples/provider/ by `npm run generate`. Do not edit. -->';

/** Returns the first paragraph of a description without markup, for lists and for searching. */
const plain = (markdown: string): string =>
  (markdown.split('\n\n')[0] ?? '').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/\*\*|`/g, '');

const frontMatter = (title: string, description: string): string =>
  ['---', `page_title: "${title}"`, 'subcategory: ""', 'description: |-', `  ${plain(description)}`, '---'].join('\n');

const pageOf = (paragraphs: readonly (string | undefined)[]): string =>
  `${paragraphs.filter((each) => each !== undefined).join('\n\n')}\n`;

const nameInUrl = (type: string): string => type.replace(/^keyplane_/, '');

const identityLines = (identity: IdentityJson | undefined): readonly string[] =>
  Object.entries(identity?.attributes ?? {}).map(
    ([name, { type, description, required_for_import: required }]) =>
      `- \`${name}\` (${typeName(type)}${required ? ', Required' : ''}) ${description}`,
  );

function importSection(type: string, identity: IdentityJson | undefined, examples: Examples): readonly string[] {
  const [command, block, byIdentity] = ['import.sh', 'import.tf', 'import-by-identity.tf'].map((file) =>
    examples.tryRead('resources', type, file),
  );
  if (command === undefined) return [];
  const attributes = identityLines(identity);
  return [
    '## Import',
    'By a command:',
    fenced('shell', command),
    ...(block === undefined ? [] : ['Or in the configuration:', fenced('terraform', block)]),
    ...(attributes.length === 0 ? [] : ['### Identity', attributes.join('\n')]),
    ...(byIdentity === undefined ? [] : ['From Terraform 1.12 on:', fenced('terraform', byIdentity)]),
  ];
}

function typePage(
  type: string,
  { block }: SchemaJson,
  { folder, title, file }: Kind,
  { identity, examples }: { identity: IdentityJson | undefined; examples: Examples },
): string {
  const deprecated = block.deprecated ? '~> **Deprecated.** It works, but do not use it for anything new.' : undefined;
  return pageOf([
    frontMatter(`${type} ${title} - keyplane`, block.description),
    NOTICE,
    `# ${type} (${title})`,
    block.description,
    deprecated,
    '## Example Usage',
    fenced('terraform', examples.read(folder, type, file)),
    ...schemaSection(argumentsOf({ block })),
    ...(folder === 'resources' ? importSection(type, identity, examples) : []),
  ]);
}

function signatureOf(name: string, { parameters = [], variadic_parameter: variadic, ...rest }: FunctionJson): string {
  const taken = parameters.map((each) => `${each.name} ${typeName(each.type)}`);
  if (variadic) taken.push(`${variadic.name} ${typeName(variadic.type)}...`);
  return `${name}(${taken.join(', ')}) ${typeName(rest.return_type)}`.toLowerCase();
}

const argumentLine = ({ name, type, description }: ParameterJson, more = ''): string =>
  `1. \`${name}\` (${typeName(type)}${more}) ${description}`;

function functionPage(name: string, definition: FunctionJson, examples: Examples): string {
  const { description, summary, parameters = [], variadic_parameter: variadic } = definition;
  const lines = [
    ...parameters.map((each) => argumentLine(each)),
    ...(variadic ? [argumentLine(variadic, ', Variadic')] : []),
  ];
  return pageOf([
    frontMatter(`${name} function - keyplane`, summary),
    NOTICE,
    `# function: ${name}`,
    description,
    '## Example Usage',
    fenced('terraform', examples.read('functions', name, 'function.tf')),
    '## Signature',
    fenced('text', signatureOf(name, definition)),
    '## Arguments',
    lines.join('\n'),
  ]);
}

const indexPage = ({ block }: SchemaJson, examples: Examples): string =>
  pageOf([
    frontMatter('Keyplane Provider', block.description),
    NOTICE,
    '# Keyplane Provider',
    block.description,
    'The provider needs Node.js 20.19 or newer on the PATH of Terraform or OpenTofu. Keep credentials in the environment: ' +
      'the provider reads from there whatever the configuration omits.',
    '## Example Usage',
    fenced('terraform', examples.read('provider.tf')),
    ...schemaSection(argumentsOf({ block })),
  ]);

/** Returns the pages of the provider by their path below the folder of its documentation. */
export function pagesOf(provider: ProviderJson, examples: Examples): ReadonlyMap<string, string> {
  const pages = new Map([['index.md', indexPage(provider.provider, examples)]]);
  for (const [field, kind] of KINDS) {
    for (const [type, schema] of Object.entries(provider[field] ?? {})) {
      const identity = provider.resource_identity_schemas?.[type];
      pages.set(`${kind.folder}/${nameInUrl(type)}.md`, typePage(type, schema, kind, { identity, examples }));
    }
  }
  for (const [name, definition] of Object.entries(provider.functions ?? {}))
    pages.set(`functions/${name}.md`, functionPage(name, definition, examples));
  return pages;
}
