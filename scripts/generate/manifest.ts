import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { manifestJsonSchema } from '../../src/manifest/index.ts';
import type { GeneratedFiles } from './generated-files.ts';

const NOTICE = '// Generated from the manifest schema in src/manifest by `npm run generate`. Do not edit.';

/** Returns one type for each definition of the schema, named after it: `ManifestBudget`. */
async function manifestTypes(): Promise<string> {
  // References such as ${env:NAME} are omitted: a program has the value itself, and keeps the exact types.
  const schema = structuredClone(manifestJsonSchema({ references: false })) as JSONSchema;
  schema.title = 'KeyplaneManifest';
  for (const [name, definition] of Object.entries<JSONSchema>(schema.$defs ?? {})) {
    // `Budget`, `Key` and `Gateway` mean something else to a program.
    definition.title = `Manifest${name}`;
    const { expires } = definition.properties ?? {};
    // A program has the date itself.
    if (expires) expires.tsType = "'never' | Date | string";
  }
  return compile(schema, 'KeyplaneManifest', {
    bannerComment: NOTICE,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
}

/** Writes schema/keyplane.schema.json and src/library/gen/manifest.ts from the schema that validates manifests. */
export async function generateManifest(files: GeneratedFiles): Promise<void> {
  files.settle('schema/keyplane.schema.json', `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
  files.settle('src/library/gen/manifest.ts', await manifestTypes());
}
