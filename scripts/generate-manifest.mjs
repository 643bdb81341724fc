// Writes schema/keyplane.schema.json and constructs/gen/manifest.ts from the schema that validates manifests. With
// --check it writes nothing and fails when a file is not what it would write. Needs a build.
import { compile } from 'json-schema-to-typescript';
import { manifestJsonSchema } from '../dist/src/manifest/index.js';
import { settle } from './generated-file.mjs';

const NOTICE = '// Made by scripts/generate-manifest.mjs from the manifest schema in src/manifest. Do not edit.';

/** Each definition gets one type, named after it. */
async function types() {
  // References such as ${env:NAME} are left out: a program has the value itself, and keeps the exact types.
  const schema = structuredClone(manifestJsonSchema({ references: false }));
  schema.title = 'KeyplaneManifest';
  for (const [name, definition] of Object.entries(schema.$defs)) definition.title = name;
  return compile(schema, 'KeyplaneManifest', {
    bannerComment: NOTICE,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
}

settle('schema/keyplane.schema.json', `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
settle('constructs/gen/manifest.ts', await types());
