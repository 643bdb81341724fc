import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type GeneratedFiles, ROOT } from './generated-files.ts';
import { ADDRESS, type AttributesJson, argumentsOf, readProviderSchemas, type SchemaJson } from './provider-schema.ts';

const FOLDER = 'constructs/gen';
const BINDING_GENERATORS = { cdktf: '@cdktf/provider-generator', cdktn: '@cdktn/provider-generator' };
/** The lazy index is for projects without a bundler or a package; the pages only link to a registry that does not list us. */
const OMITTED = /(^|\/)(README\.md|lazy-index\.ts)$/;

const ATTRIBUTES_HEAD = `// Generated from the provider's schema by \`npm run generate\`. Do not edit.

/** The attributes of a type of block: those that a configuration can set, and those that only the provider sets. */
export interface BlockAttributes {
  readonly arguments: readonly string[];
  readonly readOnly: readonly string[];
  /** The members of its blocks and objects, by their paths. */
  readonly members: Readonly<Record<string, readonly string[]>>;
}

export const BLOCK_ATTRIBUTES: Readonly<Record<'keyplane_api_key' | 'keyplane_check', BlockAttributes>> = {`;

interface BindingGenerator {
  generateProviderBindingsFromSchema(folder: string, schema: object): Promise<void>;
}

function schemasWithVersion(): object {
  const { version } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as { version: string };
  return { ...readProviderSchemas(), provider_versions: { [ADDRESS]: version } };
}

/** Returns the folder of the bindings. Loading a generator starts a Terraform if there is one; the result does not depend on it. */
async function generateBindings(generator: string, folder: string, schemas: object): Promise<string> {
  const { generateProviderBindingsFromSchema } = createRequire(import.meta.url)(generator) as BindingGenerator;
  await generateProviderBindingsFromSchema(folder, schemas);
  return join(folder, 'providers/keyplane');
}

/** Makes imports name a file, as ECMAScript modules must, and exempts the file from the type checker. */
const toModule = (text: string): string =>
  `// @ts-nocheck: generated from the provider's schema by \`npm run generate\`. Do not edit.\n${text.trimStart()}`
    .replace(/(from '\.{1,2}\/[^']+?)(\/index)?'/g, "$1/index.ts'")
    .replace(/[ \t]+$/gm, '');

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort()
    : [];

const quotedList = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** The names within each attribute that is an object or a block, by its path. */
function membersOf(
  attributes: AttributesJson,
  above = '',
): readonly (readonly [path: string, names: readonly string[]])[] {
  return Object.entries(attributes).flatMap(([name, { nested_type: nested }]) => {
    if (nested === undefined) return [];
    const path = `${above}${name}`;
    return [[path, Object.keys(nested.attributes).sort()], ...membersOf(nested.attributes, `${path}.`)] as const;
  });
}

/** Lists which attributes of the validated blocks a configuration can set, so that the constructs find misspelled ones. */
function settleAttributes(files: GeneratedFiles): void {
  const { resource_schemas: resources, data_source_schemas: sources } =
    readProviderSchemas().provider_schemas[ADDRESS] ?? {};
  const listOf = (schema: SchemaJson): readonly string[] => {
    const entries = Object.entries(argumentsOf(schema)).sort(([a], [b]) => (a < b ? -1 : 1));
    const named = (isArgument: boolean): string =>
      quotedList(
        entries
          .filter(([, { required, optional }]) => (required === true || optional === true) === isArgument)
          .map(([name]) => name),
      );
    const members = membersOf(argumentsOf(schema)).map(
      ([path, names]) => `      ${path.includes('.') ? `'${path}'` : path}: [${quotedList(names)}],`,
    );
    return [
      `    arguments: [${named(true)}],`,
      `    readOnly: [${named(false)}],`,
      '    members: {',
      ...members,
      '    },',
    ];
  };
  const blocks = { keyplane_api_key: resources?.keyplane_api_key, keyplane_check: sources?.keyplane_check };
  const rows = Object.entries(blocks).flatMap(([type, schema]) =>
    schema === undefined ? [] : [`  ${type}: {`, ...listOf(schema), '  },'],
  );
  files.settle(`${FOLDER}/attributes.ts`, `${ATTRIBUTES_HEAD}\n${rows.join('\n')}\n};\n`);
}

/** Writes constructs/gen/: the constructs that mirror the provider one to one, for each CDK by its own generator. */
export async function generateConstructs(files: GeneratedFiles): Promise<void> {
  process.env.CHECKPOINT_DISABLE = '1';
  // Terraform is only asked for its version, and warns when this file does not exist.
  delete process.env.TF_CLI_CONFIG_FILE;
  const schemas = schemasWithVersion();
  const scratch = mkdtempSync(join(tmpdir(), 'keyplane-constructs-'));
  try {
    for (const [cdk, generator] of Object.entries(BINDING_GENERATORS)) {
      const bindings = await generateBindings(generator, join(scratch, cdk), schemas);
      const wanted = filesIn(bindings).filter((path) => !OMITTED.test(path));
      for (const path of wanted)
        files.settle(join(FOLDER, cdk, path), toModule(readFileSync(join(bindings, path), 'utf8')));
      for (const path of filesIn(resolve(ROOT, FOLDER, cdk)))
        if (!wanted.includes(path)) files.remove(join(FOLDER, cdk, path));
    }
    settleAttributes(files);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
