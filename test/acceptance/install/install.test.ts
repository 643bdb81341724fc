import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, readRoot } from '../../architecture/repository.ts';
import { stepsOf } from '../docs/page.ts';
import { packedTarball } from '../packed.ts';

const run = promisify(execFile);

const { devDependencies: versions } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** The programs that users install with and compile with, in addition to npm and the compiler of this repository. */
const TOOLS = ['yarn@1.22.22', '@yarnpkg/cli-dist@4.18.1', 'pnpm@10.34.5', 'typescript@5.9.3'];

const folder = await mkdtemp(join(tmpdir(), 'keyplane-install-'));
const tools = join(folder, 'tools');
const quiet = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];

/** The registry is reached for tools only: what they install is the packed package. */
async function installTools(): Promise<boolean> {
  await mkdir(tools);
  await writeFile(join(tools, 'package.json'), '{ "private": true }\n');
  const types = `@types/node@${versions['@types/node']}`;
  return run('npm', ['install', ...quiet, '--fetch-retries=0', ...TOOLS, types], { cwd: tools }).then(
    () => true,
    () => false,
  );
}

const reachesRegistry = await installTools();
const tool = (path: string): string => join(tools, 'node_modules', path);

/** A way to install a tarball in a project, in the strictest mode that it has, and to start what it installed. */
interface Installer {
  readonly name: string;
  readonly add: (tarball: string) => readonly string[];
  readonly start: readonly string[];
}

const LINKED = ['node_modules/.bin/keyplane'];
const yarn4 = tool('@yarnpkg/cli-dist/bin/yarn.js');

const INSTALLERS: readonly Installer[] = [
  {
    name: 'npm',
    add: (tarball) => ['npm', 'install', '--engine-strict', ...quiet, tarball],
    start: LINKED,
  },
  {
    name: 'yarn',
    add: (tarball) => [tool('yarn/bin/yarn'), 'add', '--non-interactive', '--ignore-scripts', tarball],
    start: LINKED,
  },
  {
    name: 'yarn 4, which keeps packages in archives and links to none',
    add: (tarball) => [process.execPath, yarn4, 'add', tarball],
    start: [process.execPath, yarn4, 'run', 'keyplane'],
  },
  {
    name: 'pnpm',
    add: (tarball) => [
      ...[tool('.bin/pnpm'), 'add', '--ignore-scripts', '--config.engine-strict=true'],
      ...['--config.strict-peer-dependencies=true', tarball],
    ],
    start: LINKED,
  },
];

const MANIFEST = `version: 1
gateway: { url: https://gateway.example.com, userId: 42 }
keys:
  prod-checkout: { budget: { usd: 25, per: month } }
`;

/** A program that fails to compile where a door has no types, or types that are \`any\`. */
const CONSUMER = `
import { type ManifestDocument, openGateway, Secret } from 'keyplane';
import { checkKeys } from 'keyplane/checks';
import { plan } from 'keyplane/internals';
import { readSeed, type Seed, startReferenceGateway } from 'keyplane/reference';
import { memoryStore, type SecretSink } from 'keyplane/store';

export const doors = [openGateway, checkKeys, startReferenceGateway, readSeed, Secret, memoryStore, plan];
// @ts-expect-error a sink is not a number
export const sink: SecretSink = 5;
// @ts-expect-error keys are not a number
export const manifest: ManifestDocument = { keys: 5 };
// @ts-expect-error an account has a user ID, which is a number
export const seed: Seed = { accounts: [{ userId: 'one', accessToken: 'secret' }] };
`;

/** The import that only CommonJS has. */
const REQUIRED = `
import keyplane = require('keyplane');
// @ts-expect-error a function is not a number
export const required: number = keyplane.createKeyplane;
`;

let tarball = '';
beforeAll(async () => {
  tarball = await packedTarball();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function project(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  await writeFile(join(path, 'package.json'), '{ "private": true }\n');
  await writeFile(join(path, 'keyplane.yaml'), MANIFEST);
  return path;
}

const title = (name: string): string => (reachesRegistry ? name : `${name} (skipped: no registry)`);

describe.each(INSTALLERS)('the packed package, installed with $name', ({ name, add, start }) => {
  it.skipIf(!reachesRegistry)(title('is accepted and runs'), async () => {
    const cwd = await project(name);
    // A project of its own for yarn 4, which otherwise looks for one in the folders above.
    if (add(tarball).includes(yarn4)) await writeFile(join(cwd, 'yarn.lock'), '');
    const env = { ...process.env, HOME: cwd, npm_config_cache: join(folder, 'cache'), YARN_ENABLE_TELEMETRY: '0' };
    const runIn = (words: readonly string[]) => run(words[0] ?? '', words.slice(1), { cwd, env });
    await runIn(add(tarball));
    expect((await runIn([...start, '--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await runIn([...start, 'validate'])).stdout).toContain('1 key');
  });
});

describe('a project that follows docs/install.md', () => {
  it.skipIf(!reachesRegistry)(title('runs the package that it keeps, and installs no other one'), async () => {
    const cwd = await project('page');
    const type = (command: string, cache = 'cache') =>
      run('bash', ['-c', command], { cwd, env: { ...process.env, HOME: cwd, npm_config_cache: join(folder, cache) } });
    await type('git init --quiet');
    const lines = stepsOf(readRoot('docs/install.md')).flatMap((step) => (step.kind === 'commands' ? step.lines : []));
    expect(lines).toHaveLength(3);
    for (const line of lines) await type(line.replace('../keyplane', ROOT));
    expect((await type('git diff --cached --name-only')).stdout).toContain('.tgz');
    expect((await type('npx --no-install keyplane validate')).stdout).toContain('1 key');
    await type('echo >> keyplane-*.tgz');
    // A cache that had the package would serve what has the digest.
    await expect(type('npm ci --ignore-scripts', 'empty')).rejects.toThrow('EINTEGRITY');
  });
});

/** The ways that consumers compile: `require` of the package, which is ESM, is possible with `nodenext` only. */
const COMPILATIONS = [
  { resolution: 'node16', files: ['main.mts'], options: { module: 'node16' } },
  {
    resolution: 'nodenext, also required by CommonJS',
    files: ['main.mts', 'main.cts'],
    options: { module: 'nodenext' },
  },
  { resolution: 'bundler', files: ['main.mts'], options: { module: 'esnext', moduleResolution: 'bundler' } },
].map((way, index) => ({ ...way, config: `tsconfig.${index}.json` }));

describe('the types of the packed package', () => {
  let cwd = '';
  beforeAll(async () => {
    if (!reachesRegistry) return;
    cwd = await project('types');
    await run('npm', ['install', ...quiet, tarball, `@types/node@${versions['@types/node']}`], { cwd });
    await writeFile(join(cwd, 'main.mts'), CONSUMER);
    await writeFile(join(cwd, 'main.cts'), `${CONSUMER}${REQUIRED}`);
    const strict = { strict: true, skipLibCheck: false, types: ['node'], target: 'es2022', lib: ['es2023'] };
    for (const { config, files, options } of COMPILATIONS) {
      const compilerOptions = { ...strict, ...options, noEmit: true };
      await writeFile(join(cwd, config), JSON.stringify({ compilerOptions, files }));
    }
  });

  const expectCompiles = async (compiler: string, ...words: readonly string[]): Promise<void> => {
    const { stdout } = await run(process.execPath, [compiler, ...words], { cwd }).catch((failed) => failed);
    expect(stdout).toBe('');
  };

  it.skipIf(!reachesRegistry).each(COMPILATIONS)(
    'compile without skipLibCheck, TypeScript 7, $resolution',
    ({ config }) => expectCompiles(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config),
  );

  // This compiler takes most of its time for the declarations themselves, which are the same in each resolution.
  it.skipIf(!reachesRegistry).each(COMPILATIONS)(
    'compile, TypeScript 5.9, $resolution, without skipLibCheck when CommonJS requires them too',
    ({ config, files }) =>
      expectCompiles(tool('typescript/bin/tsc'), '-p', config, '--skipLibCheck', String(files.length === 1)),
  );
});
