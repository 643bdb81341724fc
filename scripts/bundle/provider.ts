// Bundles the provider, of which Terraform starts three processes for a command.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { licencesOf } from './licences.ts';
import { OPTIONAL, REPLACEMENTS, version, withPaths, YAML } from './package.ts';
import { encodedSchema } from './schema-response.ts';

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

/** The package declares that importing its modules does nothing. This one starts the program. */
const STARTS: Plugin = {
  name: 'start of the provider',
  transform: {
    filter: { id: /src\/terraform\/main\.ts$/ },
    handler: (code) => ({ code, moduleSideEffects: true }),
  },
};

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
  const build = await rolldown({
    cwd: root,
    input: { main: 'src/terraform/main.ts' },
    platform: 'node',
    external: OPTIONAL,
    transform: { target: 'node20.19', define: { KEYPLANE_VERSION: JSON.stringify(version) } },
    plugins: [STARTS, schemaModule(await encodedSchema()), YAML, ...REPLACEMENTS],
    checks: { ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  const { output } = await build.generate({
    dir: join(folder, 'lib'),
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    // Keeps names, for readable stack traces.
    minify: { compress: true, mangle: false, codegen: true },
    comments: false,
    codeSplitting: { groups: GROUPS.map(([name, test], index) => ({ name, test, priority: GROUPS.length - index })) },
  });
  await build.close();
  const files = output.filter((file) => file.type === 'chunk');
  for (const { fileName, code } of files) {
    const path = join(folder, 'lib', fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withPaths(code));
  }
  for (const file of ['provider.cjs', 'launch.sh']) {
    copyFileSync(join(root, 'scripts/provider', file), join(folder, file));
  }
  writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(files.flatMap(({ moduleIds }) => moduleIds)));
}
