// Writes schema/keyplane.schema.json and constructs/gen/manifest.ts from the schema that validates manifests. With
// --check it writes nothing and fails when a file is not what it would write. Needs a build.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import { manifestJsonSchema } from '../dist/src/manifest/index.js';

const root = resolve(import.meta.dirname, '..');
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

const FILES = {
  'schema/keyplane.schema.json': `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`,
  'constructs/gen/manifest.ts': await types(),
};

const readOr = (path, missing) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return missing;
  }
};

for (const [name, text] of Object.entries(FILES)) {
  const path = resolve(root, name);
  if (readOr(path, '') === text) continue;
  if (process.argv.includes('--check')) {
    process.stdout.write(`${name} is not up to date: run \`npm run build && node scripts/generate.mjs\`\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    process.stdout.write(`wrote ${name}\n`);
  }
}
