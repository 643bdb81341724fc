// Bundles the compiled provider. The code that every start needs is one file. The code that only a configured provider needs (the
// gateway, its schemas, undici) is loaded on configuration, because one command starts the provider three to seven times.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/** A native package cannot be bundled. The provider uses it if it is installed next to the provider. */
const NATIVE = ['sharp'];

/** CommonJS packages load built-ins by `require`, which an ES module does not have. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

export const bundling: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Keeps names, for readable stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  external: NATIVE,
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

/**
 * Writes `provider/` into a compiled `dist`: the files of a package of the provider, and the script that starts it.
 *
 * @returns false when there is nothing to bundle
 */
export async function bundleProvider(dist: string): Promise<boolean> {
  const entry = join(dist, 'src/terraform/main.js');
  if (!existsSync(entry)) return false;
  const folder = join(dist, 'provider');
  mkdirSync(folder);
  const { metafile } = await build({
    ...bundling,
    metafile: true,
    // The names of chunks depend on paths, which from here are the same on every machine.
    absWorkingDir: dirname(dist),
    entryPoints: { main: entry },
    format: 'esm',
    splitting: true,
    outdir: join(folder, 'lib'),
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    banner: { js: REQUIRE },
  });
  for (const file of ['provider.cjs', 'launch.sh']) copyFileSync(join(import.meta.dirname, file), join(folder, file));
  writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(metafile, dirname(dist)));
  return true;
}
