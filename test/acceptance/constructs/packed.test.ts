import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packedTarball } from '../packed.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
/** The compiler of now, and the last that knows how projects of `cdktf init` look for a package. */
const COMPILERS = {
  now: join(root, 'node_modules/typescript/bin/tsc'),
  before: join(root, 'node_modules/jsii/node_modules/typescript/bin/tsc'),
};

interface Described {
  readonly devDependencies: Readonly<Record<string, string>>;
}

const { devDependencies: versions } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Described;

/** A whole app, as a project of either kind writes it. */
const appFor = (cdk: string): string => `
import { App, Aspects, TerraformStack } from '${cdk}';
import { ApiKey, KeyplaneProvider, KeyplaneTesting, RequireBudget } from 'keyplane/constructs/${cdk}';
import { apiKey } from 'keyplane/constructs/${cdk}/provider';

const app = new App({ outdir: 'out' });
const stack = new TerraformStack(app, 'stack');
new KeyplaneProvider(stack, 'keyplane', { url: 'http://127.0.0.1:8787', userId: 1 });
const key: ApiKey = new ApiKey(stack, 'One', { name: 'one', budget: { usd: 25, per: 'month' } });
const raw: apiKey.ApiKey = new apiKey.ApiKey(stack, 'Two', { name: 'two', budget: { quota: 5, per: 'lifetime' } });
Aspects.of(app).add(new RequireBudget());
app.synth();
process.stdout.write([key instanceof ApiKey, key.resource instanceof apiKey.ApiKey, raw.node.id, KeyplaneTesting.keys(app).length].join());
`;

/** A program that proves a key, with the types of requests and reports. */
const LIBRARY = `
import { type ChatRequest, type EditRequest, openGateway, Secret, type VideoRequest } from 'keyplane';
import { type CheckInput, checkKeys } from 'keyplane/checks';
import { startReferenceGateway } from 'keyplane/reference';

const request = { model: 'alpha-chat-1', messages: [{ role: 'user', content: 'ping' }] } satisfies ChatRequest;
// @ts-expect-error a temperature is a number
const wrong: ChatRequest = { ...request, temperature: 'hot' };
// @ts-expect-error a check has a module of the catalog
const other: CheckInput = { module: 'chta' };
export type Requests = EditRequest | VideoRequest | typeof wrong | typeof other;

const reference = await startReferenceGateway({
  seed: {
    accounts: [{ userId: 42, accessToken: 'rehearsal-only', quota: 5_000_000 }],
    models: { 'alpha-chat-1': {}, 'alpha-chat-2': {} },
    keys: [{ name: 'one', unlimited_quota: true, model_limits_enabled: true, model_limits: 'alpha-chat-1' }],
  },
});
const gateway = await openGateway({ url: reference.url, userId: 42, accessToken: new Secret('rehearsal-only') });
const report = await checkKeys({
  gateway,
  keys: { one: ['chat', 'model-list'] },
  checks: [{ module: 'chat', request }],
  ledger: 'tasks.jsonl',
});
process.stdout.write(report.results.map(({ check, verdict }) => \`\${check} \${verdict}\`).join());
await gateway.close();
await reference.close();
`;

const KINDS = {
  'ECMAScript modules and CommonJS': {
    sources: ['esm.mts', 'common.cts'],
    compiler: COMPILERS.now,
    options: { module: 'nodenext' },
  },
  'CommonJS as cdktf init sets it up': {
    sources: ['main.ts'],
    compiler: COMPILERS.before,
    options: { module: 'CommonJS', moduleResolution: 'node10', target: 'ES2018' },
  },
} as const;

describe('the package', () => {
  let folder: string;
  let tarball: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-packed-'));
    tarball = await packedTarball();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is what publint takes for right', async () => {
    const { buffer, byteOffset, byteLength } = await readFile(tarball);
    const packed = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages } = await publint({ pack: { tarball: packed }, strict: true });
    expect(messages).toEqual([]);
  });

  it('gives to every resolver the types of what it runs', async () => {
    const result = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
    if (result.types === false) throw new Error('the package has no types');
    // These doors are ECMAScript modules, and a schema, for resolvers that know them: that is meant. Those of constructs are for all.
    const meant = ['.', './checks', './internals', './output.schema.json', './reference', './schema.json', './store'];
    const ofNow = result.problems.filter((problem) => !('entrypoint' in problem && meant.includes(problem.entrypoint)));
    expect(ofNow).toEqual([]);
    const kinds = new Set(result.problems.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['CJSResolvesToESM', 'NoResolution']);
    expect(Object.keys(result.entrypoints)).toContain('./constructs/cdktn/provider');
  });

  it.each(['cdktf', 'cdktn'])('is accepted by npm as the docs install it, with the newest %s', async (cdk) => {
    const project = await mkdtemp(join(folder, 'documented-'));
    await writeFile(join(project, 'package.json'), '{ "private": true }\n');
    const page = await readFile(join(root, 'docs/constructs.md'), 'utf8');
    const [first = [], second = []] = [...page.matchAll(/^npm install ([^#\n]*)/gm)].map(([, words = '']) =>
      words.trim().replaceAll("'", '').split(' '),
    );
    const names = first.map((word) => word.replace(/^\.\/keyplane-\*\.tgz$/, tarball).replace(/^cdktf$/, cdk));
    expect([names.length, second]).toEqual([3, ['--save-dev', 'tsx', 'libsql']]);
    // The conflicts of versions show before anything is fetched.
    const quiet = ['--package-lock-only', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...quiet, ...names], { cwd: project });
    await run('npm', ['install', ...quiet, ...second], { cwd: project });
    const { packages } = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
    expect(Object.keys(packages)).toEqual(expect.arrayContaining([`node_modules/${cdk}`, 'node_modules/tsx']));
  });

  it('is accepted by npm along with cdktf and the newest version of constructs, which CDK Terrain rejects', async () => {
    const project = await mkdtemp(join(folder, 'newest-'));
    await writeFile(join(project, 'package.json'), '{ "private": true }\n');
    // In a project without a lock file: npm only warns of conflicts with what is installed. The command line of cdktf, which takes
    // most of the time, is added to the constructs that leave npm the least choice.
    const words = ['install', '--package-lock-only', '--no-audit', '--no-fund', tarball];
    await run('npm', [...words, 'constructs@latest', 'cdktf', 'cdktf-cli@0.21'], { cwd: project });
    const { packages } = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
    expect(packages['node_modules/keyplane']).toBeDefined();
  });

  describe.each(['cdktf', 'cdktn'])('installed with %s only', (cdk) => {
    let project: string;
    beforeAll(async () => {
      project = join(folder, cdk);
      await mkdir(project);
      await writeFile(join(project, 'package.json'), '{ "private": true }\n');
      const packages = [
        tarball,
        `${cdk}@${versions[cdk]}`,
        `constructs@${versions.constructs}`,
        `@types/node@${versions['@types/node']}`,
        // The reference gateway asks for its database.
        `libsql@${versions.libsql}`,
      ];
      const quiet = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
      await run('npm', ['install', ...quiet, ...packages], { cwd: project });
    });

    it('brings neither the other CDK nor a generator', async () => {
      const installed = await readdir(join(project, 'node_modules'));
      expect(installed).toContain(cdk);
      for (const other of ['cdktf', 'cdktn', 'jsii', '@cdktf', '@cdktn', 'vitest'].filter((name) => name !== cdk)) {
        expect(installed).not.toContain(other);
      }
    });

    if (cdk === 'cdktn') {
      it('runs requests and checks that TypeScript has checked', async () => {
        const own = join(project, 'library');
        await mkdir(own);
        await writeFile(join(own, 'main.mts'), LIBRARY);
        const compilerOptions = { strict: true, skipLibCheck: true, types: ['node'], module: 'nodenext' };
        await writeFile(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.mts'] }));
        await run(process.execPath, [COMPILERS.now, '-p', own], { cwd: own });
        const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: own });
        expect(stdout).toBe('model-list passed,chat passed');
      });
    }

    it.each(Object.entries(KINDS))('is used from TypeScript, %s', async (name, { sources, compiler, options }) => {
      const own = join(project, name.replaceAll(' ', '-'));
      await mkdir(own);
      await writeFile(join(own, 'package.json'), JSON.stringify({ private: true }));
      for (const source of sources) await writeFile(join(own, source), appFor(cdk));
      const compilerOptions = { strict: true, skipLibCheck: true, types: ['node'], ...options };
      await writeFile(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: sources }));
      await run(process.execPath, [compiler, '-p', own], { cwd: own });
      for (const source of sources) {
        const { stdout } = await run(process.execPath, [source.replace('ts', 'js')], { cwd: own });
        expect(stdout).toBe('true,true,Two,2');
        const written = JSON.parse(await readFile(join(own, 'out/stacks/stack/cdk.tf.json'), 'utf8'));
        expect(Object.keys(written.resource.keyplane_api_key)).toHaveLength(2);
        await rm(join(own, 'out'), { recursive: true });
      }
    });
  });
});
