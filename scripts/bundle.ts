// Bundles the command line, the library and the provider. What every start of a program needs is few files; what only some
// commands need, or a configured provider, is in others that load on demand. Reading many small files is half of a start.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { licencesOf } from './bundle/licences.ts';
import { bundlePackage, OPTIONAL } from './bundle/package.ts';
import { REPLACED } from './bundle/replaced.ts';

const root = resolve(import.meta.dirname, '..');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };

/** CommonJS packages use variables that an ES module does not have. */
export const COMMON_JS = [
  "import { createRequire as requireFrom } from 'node:module';",
  'const require = requireFrom(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join(' ');

export const bundling: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Keeps names, for readable stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  external: OPTIONAL,
  define: { KEYPLANE_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

const USES_COMMON_JS = /(?<![\w$.])(?:require|__filename|__dirname)(?![\w$])/;

/** Making the `require` of a file takes longer than reading most of them, and few need it. */
function withoutBanner(text: string): string {
  const rest = text.replace(COMMON_JS, '');
  return USES_COMMON_JS.test(rest) ? text : rest;
}

const REPLACEMENTS: readonly Plugin[] = REPLACED.map(({ name, file, text }) => ({
  name,
  setup({ onLoad }) {
    onLoad({ filter: file }, () => ({ contents: text }));
  },
}));

/** Writes `provider/`: the files of a package of the provider, and the script that starts it. */
async function bundleProvider(dist: string): Promise<void> {
  const folder = join(dist, 'provider');
  const { metafile, outputFiles } = await build({
    ...bundling,
    metafile: true,
    // The names of chunks depend on paths, which from here are the same on every machine.
    absWorkingDir: root,
    entryPoints: { main: 'src/terraform/main.ts' },
    format: 'esm',
    splitting: true,
    outdir: join(folder, 'lib'),
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    banner: { js: COMMON_JS },
    plugins: [...REPLACEMENTS],
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withoutBanner(text));
  }
  for (const file of ['provider.cjs', 'launch.sh']) {
    copyFileSync(join(import.meta.dirname, 'provider', file), join(folder, file));
  }
  writeFileSync(
    join(folder, 'LICENSES.txt'),
    licencesOf(Object.keys(metafile.inputs).map((path) => resolve(root, path))),
  );
}

/** Adds programs and library to the declarations in `dist`. */
export async function bundlePrograms(dist: string): Promise<void> {
  await Promise.all([bundleProvider(dist), bundlePackage(dist)]);
}
