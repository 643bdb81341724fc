// Bundles the compiled programs, the command line and the provider. What every start of a program needs is few files; what only
// some commands need, or a configured provider, is in others that load on demand. Reading many small files is half of a start.
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

const root = resolve(import.meta.dirname, '..');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** A native package cannot be bundled. The provider uses sharp if it is installed next to the provider. */
const NATIVE = ['sharp', 'libsql'];

/** CommonJS packages use variables that an ES module does not have. */
const COMMON_JS = [
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
  external: NATIVE,
  define: { KEYPLANE_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

const LICENCE_FILE = /^(licen[cs]e|copying)(\.(md|txt))?$/i;

interface Description {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Description;
  const file = readdirSync(folder).find((each) => LICENCE_FILE.test(each));
  const text =
    file === undefined
      ? 'Its package does not include the text of the licence.'
      : readFileSync(join(folder, file), 'utf8');
  const source = `https://www.npmjs.com/package/${name}/v/${version}`;
  return `${name} ${version} (${license})\n${source}\n\n${text.trim()}\n`;
}

/** During a build, `dist` is in a cache below `node_modules`. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?!\.)(?:@[^/]+\/)?[^/]+/;

/** Returns the licences of all packages that the bundle includes, by name. */
function licencesOf({ inputs }: Metafile, from: string): string {
  const folders = Object.keys(inputs).flatMap((path) => PACKAGE.exec(resolve(from, path))?.[0] ?? []);
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  const texts = [...new Set(folders)].sort().map(licenceOf);
  return [`keyplane\n\n${own}\n`, ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}

interface Program {
  /** The compiled module that begins it, below `dist`. */
  readonly entry: string;
  /** The folder of its files, below `dist`. */
  readonly folder: string;
  readonly extension: '.js' | '.mjs';
}

/** @returns the licences of all packages that the bundle includes */
async function bundleProgram(dist: string, { entry, folder, extension }: Program): Promise<string> {
  const { metafile } = await build({
    ...bundling,
    metafile: true,
    // The names of chunks depend on paths, which from here are the same on every machine.
    absWorkingDir: dirname(dist),
    entryPoints: { main: join(dist, entry) },
    format: 'esm',
    splitting: true,
    outdir: join(dist, folder),
    outExtension: { '.js': extension },
    chunkNames: '[name]-[hash]',
    banner: { js: COMMON_JS },
  });
  return licencesOf(metafile, dirname(dist));
}

/** Writes `provider/` into a compiled `dist`: the files of a package of the provider, and the script that starts it. */
async function bundleProvider(dist: string): Promise<void> {
  const licences = await bundleProgram(dist, {
    entry: 'src/terraform/main.js',
    folder: 'provider/lib',
    extension: '.mjs',
  });
  const folder = join(dist, 'provider');
  for (const file of ['provider.cjs', 'launch.sh']) {
    copyFileSync(join(import.meta.dirname, 'provider', file), join(folder, file));
  }
  writeFileSync(join(folder, 'LICENSES.txt'), licences);
}

/** Writes `cli/` into a compiled `dist`, and removes the modules that only the command line needed. */
async function bundleCommandLine(dist: string): Promise<void> {
  const licences = await bundleProgram(dist, { entry: 'src/cli/main.js', folder: 'cli', extension: '.js' });
  chmodSync(join(dist, 'cli/main.js'), 0o755);
  writeFileSync(join(dist, 'cli/LICENSES.txt'), licences);
  rmSync(join(dist, 'src/cli'), { recursive: true });
}

/** Writes both programs into a compiled `dist`. */
export async function bundlePrograms(dist: string): Promise<void> {
  await Promise.all([bundleProvider(dist), bundleCommandLine(dist)]);
}
