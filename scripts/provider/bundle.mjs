// Bundles the compiled provider. What every start needs is one file; what only a configured provider needs (the gateway, its
// schemas, undici) is loaded when it is configured: reading it at each of the three to seven starts of one command costs more.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/** A native package can not be bundled: who has it beside the provider can use it. */
const NATIVE = ['sharp'];

/** Packages that are CommonJS ask for built-ins by `require`, which an ES module does not have. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

export const bundling = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Names stay: a stack trace is to be read.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  external: NATIVE,
  metafile: true,
  logLevel: 'warning',
};

const LICENCE_FILE = /^(licen[cs]e|copying)(\.(md|txt))?$/i;

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => LICENCE_FILE.test(each));
  const text =
    file === undefined ? 'Its package has no text of the licence.' : readFileSync(join(folder, file), 'utf8');
  const source = `https://www.npmjs.com/package/${name}/v/${version}`;
  return `${name} ${version} (${license})\n${source}\n\n${text.trim()}\n`;
}

/** While it is built, `dist` lies in a cache below `node_modules`. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?!\.)(?:@[^/]+\/)?[^/]+/;

/** The licences of every package of which something is in the bundle, by name. */
function licencesOf({ inputs }, from) {
  const folders = Object.keys(inputs).flatMap((path) => PACKAGE.exec(resolve(from, path))?.[0] ?? []);
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  const texts = [...new Set(folders)].sort().map(licenceOf);
  return [`keyplane\n\n${own}\n`, ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Writes `provider/` into a `dist` that is compiled: all that a package of the provider holds, and the script that starts it.
 *
 * @returns false when there is nothing to bundle
 */
export async function bundleProvider(dist) {
  const entry = join(dist, 'src/terraform/main.js');
  if (!existsSync(entry)) return false;
  const folder = join(dist, 'provider');
  mkdirSync(folder);
  const { metafile } = await build({
    ...bundling,
    // Names of chunks are made from paths too: seen from here these are the same for everybody.
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
