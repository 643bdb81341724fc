// Measures what each kind of user installs: packages, megabytes, and the time with an empty cache of npm. Prints a table in Markdown.
// `npm run measure:install` packs the built package and fetches the others from the registry of npm.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');

const { devDependencies: versions } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

interface User {
  readonly who: string;
  /** Packages in addition to Keyplane. */
  readonly packages: readonly string[];
  readonly goal?: { readonly packages?: number; readonly megabytes: number; readonly seconds?: number };
}

const USERS: readonly User[] = [
  { who: 'plans, applies, finds drift', packages: [], goal: { packages: 15, megabytes: 15, seconds: 5 } },
  { who: 'embeds the library', packages: [] },
  { who: 'checks images in CI', packages: ['sharp'] },
  { who: 'runs the reference gateway', packages: ['libsql'] },
  { who: 'delivers to AWS', packages: ['@aws-sdk/client-secrets-manager'] },
  { who: 'all of it', packages: ['sharp', 'libsql'], goal: { megabytes: 60 } },
  { who: 'writes keys with CDK Terrain', packages: ['cdktn', 'constructs'] },
];

interface Size {
  readonly packages: number;
  readonly megabytes: number;
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

async function install(folder: string, words: readonly string[]): Promise<Size & { readonly seconds: number }> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict', '--cache', `${folder}-cache`];
  const since = performance.now();
  await run('npm', ['install', ...quiet, ...words], { cwd: folder });
  const seconds = (performance.now() - since) / 1000;
  const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: object;
  };
  const bytes = await sizeOf(join(folder, 'node_modules'));
  return { packages: Object.keys(lock.packages).length, megabytes: bytes / 1e6, seconds };
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

const folder = await mkdtemp(join(tmpdir(), 'keyplane-measure-'));
try {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  const tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '');
  process.stdout.write(row(['who', 'installs', 'packages', 'MB', 'seconds']) + row(Array(5).fill('---')));
  for (const [index, { who, packages, goal }] of USERS.entries()) {
    const words = packages.map((name) => `${name}@${versions[name]}`);
    const measured = await install(join(folder, String(index)), [tarball, ...words]);
    const cells = [String(measured.packages), measured.megabytes.toFixed(1), measured.seconds.toFixed(1)];
    process.stdout.write(row([who, ['keyplane', ...packages].join(', '), ...cells]));
    if (goal === undefined) continue;
    // Seconds depend on the machine and the registry: they are shown, and decide nothing.
    if (measured.packages > (goal.packages ?? Number.POSITIVE_INFINITY) || measured.megabytes > goal.megabytes)
      process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
