// Measures what each kind of user installs with npm, yarn and pnpm: packages, megabytes, and with empty caches the seconds and those of CPU.
// Prints a table in Markdown. `npm run measure:install` packs the built package, serves it as a registry does, and fetches the others from that of npm.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { TIMED } from './bench/cpu.ts';
import { type LocalRegistry, serveTarball } from './install/registry.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');

const description = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
};

interface User {
  readonly who: string;
  /** Packages in addition to Keyplane. */
  readonly packages: readonly string[];
  readonly goal?: { readonly packages?: number; readonly megabytes: number };
}

/** Seconds depend on the machine and the registry: they are shown, and decide nothing. */
const USERS: readonly User[] = [
  { who: 'plans, applies, finds drift; embeds the library', packages: [], goal: { packages: 15, megabytes: 15 } },
  { who: 'checks images in CI', packages: ['sharp'] },
  { who: 'runs the reference gateway', packages: ['libsql'] },
  { who: 'runs it, and its image models', packages: ['sharp', 'libsql'], goal: { megabytes: 60 } },
  { who: 'delivers to AWS', packages: ['@aws-sdk/client-secrets-manager'] },
  { who: 'writes keys with CDK Terrain', packages: ['cdktn', 'constructs'] },
  { who: 'writes keys with CDK for Terraform', packages: ['cdktf', 'constructs'] },
];

interface Installer {
  readonly name: string;
  /** The words that add packages to a project, with caches in a folder. */
  readonly words: (cache: string) => readonly string[];
  /** Installs native packages for each C library of Linux, so the goal in megabytes does not hold. */
  readonly ignoresLibc?: true;
}

const INSTALLERS: readonly Installer[] = [
  {
    name: 'npm',
    words: (cache) => [
      ...['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict'],
      ...['--cache', cache],
    ],
  },
  {
    name: 'yarn',
    ignoresLibc: true,
    words: (cache) => ['yarn', 'add', '--non-interactive', '--ignore-scripts', '--cache-folder', cache],
  },
  {
    name: 'pnpm',
    words: (cache) => [
      ...['pnpm', 'add', '--ignore-scripts', '--config.engine-strict=true'],
      ...['--store-dir', join(cache, 'store'), `--config.cache-dir=${join(cache, 'metadata')}`],
    ],
  },
];

const TOOLS = ['yarn@1.22.22', 'pnpm@10.34.5'];

interface Size {
  readonly packages: number;
  readonly bytes: number;
}

const isPackage = (folder: string): Promise<boolean> =>
  stat(join(folder, 'package.json')).then(
    (found) => found.isFile(),
    () => false,
  );

/** The size of a folder. pnpm links to its packages: only what is really in the folder counts, and once. */
async function sizeOf(folder: string, isOfPackages: boolean): Promise<Size> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry): Promise<Size> => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return { packages: 0, bytes: (await stat(path)).size };
    if (!entry.isDirectory()) return { packages: 0, bytes: 0 };
    const isScope = isOfPackages && entry.name.startsWith('@');
    const inner = await sizeOf(path, isScope || entry.name === 'node_modules');
    const own = isOfPackages && !isScope && (await isPackage(path)) ? 1 : 0;
    return { packages: own + inner.packages, bytes: inner.bytes };
  });
  const all = await Promise.all(sizes);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  return { packages: sum(all.map(({ packages }) => packages)), bytes: sum(all.map(({ bytes }) => bytes)) };
}

interface Measured {
  readonly packages: number;
  readonly megabytes: number;
  readonly seconds: number;
  /** The seconds of all processors: a busy machine prolongs them less. */
  readonly cpu: number;
}

async function install(
  folder: string,
  [program = '', ...words]: readonly string[],
  { url }: LocalRegistry,
): Promise<Measured> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const since = performance.now();
  const { stderr } = await run('bash', ['-c', TIMED, program, ...words, `--registry=${url}`], { cwd: folder });
  const seconds = (performance.now() - since) / 1000;
  const { packages, bytes } = await sizeOf(join(folder, 'node_modules'), true);
  const cpu = stderr.trim().split(' ').map(Number);
  return { packages, megabytes: bytes / 1e6, seconds, cpu: cpu.reduce((sum, each) => sum + each, 0) };
}

const isBeyond = (goal: NonNullable<User['goal']>, { packages, megabytes }: Measured): boolean =>
  packages > (goal.packages ?? Number.POSITIVE_INFINITY) || megabytes > goal.megabytes;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

const cellOf = ({ packages, megabytes, seconds, cpu }: Measured): string =>
  `${packages}, ${megabytes.toFixed(1)} MB, ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s`;

const folder = await mkdtemp(join(tmpdir(), 'keyplane-measure-'));
try {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '');
  const registry = await serveTarball(tarball, description);
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', join(folder, 'tools'), ...TOOLS]);
  process.env.PATH = `${join(folder, 'tools/node_modules/.bin')}:${process.env.PATH}`;
  process.stdout.write(row(['who', 'installs', ...INSTALLERS.map(({ name }) => name)]) + row(Array(5).fill('---')));
  for (const [index, { who, packages, goal }] of USERS.entries()) {
    const wanted = packages.map((name) => `${name}@${description.devDependencies[name]}`);
    const cells: string[] = [];
    for (const { name, words, ignoresLibc } of INSTALLERS) {
      const project = join(folder, `${name}-${index}`);
      const measured = await install(project, [...words(`${project}-cache`), 'keyplane', ...wanted], registry);
      cells.push(cellOf(measured));
      const isTooMuch = goal !== undefined && isBeyond(goal, measured) && !ignoresLibc;
      if (isTooMuch) process.exitCode = 1;
      for (const used of [project, `${project}-cache`]) await rm(used, { recursive: true, force: true });
    }
    process.stdout.write(row([who, ['keyplane', ...packages].join(', '), ...cells]));
  }
  registry.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
