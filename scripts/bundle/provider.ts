// Bundles the provider, of which Terraform starts three processes for a command.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'rolldown';
import { licencesOf } from './licences.ts';
import { encodedSchema } from './schema-response.ts';
import { writeBundle } from './write-bundle.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * The files that are loaded together, by what leads to them: the first process of a command answers one question, the second one
 * validates, and only the third one has a gateway. What is in none of them is loaded by few.
 */
const GROUPS: readonly (readonly [name: string, test: RegExp])[] = [
  ['main', /src\/terraform\/main\.ts$/],
  ['served', /src\/terraform\/served\.ts$/],
  ['connected', /src\/(?:gateway\/open|disk\/create-journal)\.ts$/],
];

/** The schema as core receives it: to make it takes longer than all else that the first process does. */
const schemaModule = (encoded: string): Plugin => ({
  name: 'encoded schema',
  load: {
    filter: { id: /src\/terraform\/schema-response\.ts$/ },
    handler: () => `export const ENCODED_SCHEMA = ${JSON.stringify(encoded)};`,
  },
});

/** Writes `provider/`: the files of a package of the provider, and the script that starts it. */
export async function bundleProvider(dist: string): Promise<void> {
  const folder = join(dist, 'provider');
  const { modules } = await writeBundle(join(folder, 'lib'), {
    input: { main: 'src/terraform/main.ts' },
    starts: /src\/terraform\/main\.ts$/,
    plugins: [schemaModule(await encodedSchema())],
    groups: GROUPS.map(([name, test], index) => ({ name, test, priority: GROUPS.length - index })),
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  for (const file of ['provider.cjs', 'launch.sh']) {
    copyFileSync(join(root, 'scripts/provider', file), join(folder, file));
  }
  writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(modules));
}
