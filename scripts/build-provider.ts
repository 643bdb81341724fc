// Writes a release of the provider for a registry of Terraform or OpenTofu to `dist-provider/`: a zip for each platform, the
// manifest, and the checksums to sign (docs/publishing-the-provider.md). The same sources give the same bytes.
// --out DIR selects another folder; --binary puts one executable that includes Node.js into the zip of this platform. Needs a build.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ZipOptions, zipSync } from 'fflate';

const root = resolve(import.meta.dirname, '..');
const built = join(root, 'dist/provider');
const { values: given } = parseArgs({ options: { out: { type: 'string' }, binary: { type: 'boolean' } } });
const out = resolve(given.out ?? join(root, 'dist-provider'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

const PLATFORMS = ['darwin_amd64', 'darwin_arm64', 'linux_amd64', 'linux_arm64'];
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const MANIFEST = { version: 1, metadata: { protocol_versions: ['6.0'] } };

const PROGRAM = `terraform-provider-keyplane_v${version}`;
const nameOf = (rest: string): string => `terraform-provider-keyplane_${version}_${rest}`;

type Entry = [bytes: Uint8Array, options: ZipOptions];

/** Marks an entry of a zip as one with a Unix mode. */
const UNIX = 3;
const [REGULAR, EXECUTABLE, PLAIN] = [0o100000, 0o755, 0o644];

/** The time is fixed, so that the bytes do not depend on it. */
const entry = (bytes: Uint8Array, mode: number): Entry => [
  bytes,
  { level: 9, os: UNIX, attrs: (REGULAR | mode) * 0x10000, mtime: new Date(1980, 0, 1) },
];

function portableFiles(): Readonly<Record<string, Entry>> {
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

async function binaryFiles(): Promise<Readonly<Record<string, Entry>>> {
  const { buildBinary } = await import('./provider/binary.ts');
  return {
    'LICENSES.txt': entry(readFileSync(join(built, 'LICENSES.txt')), PLAIN),
    [PROGRAM]: entry(await buildBinary(), EXECUTABLE),
  };
}

const write = (name: string, bytes: string | Uint8Array): string => {
  writeFileSync(join(out, name), bytes);
  return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
};

const tryList = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

if (!existsSync(built)) throw new Error('there is no provider in dist/: run `npm run build` first');
const here = `${process.platform}_${ARCHITECTURES[process.arch]}`;
const portable = portableFiles();
// A zip of an earlier version in this folder would become part of the release.
for (const old of tryList(out).filter((name) => name.startsWith('terraform-provider-'))) rmSync(join(out, old));
mkdirSync(out, { recursive: true });
const sums: string[] = [];
for (const platform of PLATFORMS) {
  const files = given.binary && platform === here ? await binaryFiles() : portable;
  sums.push(write(nameOf(`${platform}.zip`), zipSync(files)));
}
sums.push(write(nameOf('manifest.json'), `${JSON.stringify(MANIFEST)}\n`));
writeFileSync(join(out, nameOf('SHA256SUMS')), sums.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(''));
process.stdout.write(`wrote ${out} for version ${version}${given.binary ? `, with a binary for ${here}` : ''}\n`);
