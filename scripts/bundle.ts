// Bundles the command line, the library and the provider. What every start of a program needs is few files; what only some
// commands need, or a configured provider, is in others that load on demand. Reading many small files is half of a start.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { completeDeclarations } from './bundle/declarations.ts';
import { ENGLISH_ONLY, joinStart } from './bundle/few-files.ts';
import { licencesOf } from './bundle/licences.ts';

const root = resolve(import.meta.dirname, '..');

interface Description {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const { version, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Description;

/** Native packages cannot be bundled. Each is used if it is installed, and needed only by few users. */
const NATIVE = ['sharp', 'libsql'];

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
  external: NATIVE,
  define: { KEYPLANE_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

interface Output {
  /** The modules that begin it, relative to the repository, by the path of their output without its extension. */
  readonly entries: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly chunks: string;
  readonly extension: '.js' | '.mjs';
  readonly plugins?: readonly Plugin[];
}

const USES_COMMON_JS = /(?<![\w$.])(?:require|__filename|__dirname)(?![\w$])/;

/** Making the `require` of a file takes longer than reading most of them, and few need it. */
function withoutBanner(text: string): string {
  const rest = text.replace(COMMON_JS, '');
  return USES_COMMON_JS.test(rest) ? text : rest;
}

/** @returns the files that the output contains */
async function bundle({ entries, folder, chunks, extension, plugins = [] }: Output): Promise<readonly string[]> {
  const { metafile, outputFiles } = await build({
    ...bundling,
    metafile: true,
    // The names of chunks depend on paths, which from here are the same on every machine.
    absWorkingDir: root,
    entryPoints: entries,
    format: 'esm',
    splitting: true,
    outdir: folder,
    outExtension: { '.js': extension },
    chunkNames: `${chunks}[name]-[hash]`,
    banner: { js: COMMON_JS },
    plugins: [...plugins, ENGLISH_ONLY],
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withoutBanner(text));
  }
  return Object.keys(metafile.inputs).map((path) => resolve(root, path));
}

/** Writes `provider/`: the files of a package of the provider, and the script that starts it. */
async function bundleProvider(dist: string): Promise<void> {
  const folder = join(dist, 'provider');
  const entries = { main: 'src/terraform/main.ts' };
  const files = await bundle({ entries, folder: join(folder, 'lib'), chunks: '', extension: '.mjs' });
  for (const file of ['provider.cjs', 'launch.sh']) {
    copyFileSync(join(import.meta.dirname, 'provider', file), join(folder, file));
  }
  writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(files));
}

/** The doors of the library that are bundled, by their path below `dist`. The CDKs load those of constructs as they are. */
const doors = Object.values(exports)
  .flatMap((door) => (typeof door === 'string' ? [] : [door.default.replace(/^\.\/dist\/|\.js$/g, '')]))
  .filter((path) => existsSync(join(root, `${path}.ts`)));

/** Writes the command line and the library, which share most of their modules. */
async function bundlePackage(dist: string): Promise<void> {
  const entries = { 'cli/main': 'src/cli/main.ts', ...Object.fromEntries(doors.map((path) => [path, `${path}.ts`])) };
  const plugins = [joinStart(join(root, 'src/cli'), join(root, 'src/cli/program/run.ts'))];
  const bundled = await bundle({ entries, folder: dist, chunks: 'chunks/', extension: '.js', plugins });
  const declared = completeDeclarations(
    dist,
    doors.map((path) => join(dist, `${path}.d.ts`)),
  );
  chmodSync(join(dist, 'cli/main.js'), 0o755);
  writeFileSync(join(dist, 'LICENSES.txt'), licencesOf([...bundled, ...declared]));
}

/** Adds programs and library to the declarations in `dist`. */
export async function bundlePrograms(dist: string): Promise<void> {
  await Promise.all([bundleProvider(dist), bundlePackage(dist)]);
}
