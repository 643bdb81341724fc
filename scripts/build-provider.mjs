// Makes what a registry of Terraform or OpenTofu wants of a release of the provider, in `dist-provider/`: a zip for each platform, the
// manifest, and the checksums, which are to be signed (docs/publishing-the-provider.md). The same sources give the same bytes.
// With --out DIR they go there; with --binary the zip of this machine holds one executable with Node.js in it. Needs a build.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { zipSync } from 'fflate';

const root = resolve(import.meta.dirname, '..');
const built = join(root, 'dist/provider');
const { values: given } = parseArgs({ options: { out: { type: 'string' }, binary: { type: 'boolean' } } });
const out = resolve(given.out ?? join(root, 'dist-provider'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const PLATFORMS = ['darwin_amd64', 'darwin_arm64', 'linux_amd64', 'linux_arm64'];
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
const MANIFEST = { version: 1, metadata: { protocol_versions: ['6.0'] } };

const PROGRAM = `terraform-provider-keyplane_v${version}`;
const nameOf = (rest) => `terraform-provider-keyplane_${version}_${rest}`;

/** A file in a zip of Unix, which keeps its mode. It has no time of its own: the bytes would be others each time. */
const UNIX = 3;
const [REGULAR, EXECUTABLE, PLAIN] = [0o100000, 0o755, 0o644];
const entry = (bytes, mode) => [
  bytes,
  { level: 9, os: UNIX, attrs: (REGULAR | mode) * 0x10000, mtime: new Date(1980, 0, 1) },
];

function portableFiles() {
  const files = readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => relative(built, join(found.parentPath, found.name)))
    .sort();
  return Object.fromEntries(
    files.map((path) => {
      const bytes = readFileSync(join(built, path));
      return path === 'launch.sh' ? [PROGRAM, entry(bytes, EXECUTABLE)] : [path, entry(bytes, PLAIN)];
    }),
  );
}

async function binaryFiles() {
  const { buildBinary } = await import('./provider/binary.mjs');
  return {
    'LICENSES.txt': entry(readFileSync(join(built, 'LICENSES.txt')), PLAIN),
    [PROGRAM]: entry(await buildBinary(), EXECUTABLE),
  };
}

const write = (name, bytes) => {
  writeFileSync(join(out, name), bytes);
  return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
};

const tryList = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

if (!existsSync(built)) throw new Error('there is no provider in dist/: run `npm run build` first');
const here = `${process.platform}_${ARCHITECTURES[process.arch]}`;
const portable = portableFiles();
// A zip of an earlier version in this folder would be released along with these.
for (const old of tryList(out).filter((name) => name.startsWith('terraform-provider-'))) rmSync(join(out, old));
mkdirSync(out, { recursive: true });
const sums = [];
for (const platform of PLATFORMS) {
  const files = given.binary && platform === here ? await binaryFiles() : portable;
  sums.push(write(nameOf(`${platform}.zip`), zipSync(files)));
}
sums.push(write(nameOf('manifest.json'), `${JSON.stringify(MANIFEST)}\n`));
writeFileSync(join(out, nameOf('SHA256SUMS')), sums.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(''));
process.stdout.write(`wrote ${out} for version ${version}${given.binary ? `, with a binary for ${here}` : ''}\n`);
