import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../architecture/repository.ts';

const run = promisify(execFile);
const root = (path: string): string => join(ROOT, path);
const COMPILERS = {
  now: root('node_modules/typescript/bin/tsc'),
  before: root('node_modules/jsii/node_modules/typescript/bin/tsc'),
};
const { devDependencies: versions } = JSON.parse(await readFile(root('package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

const appFor = (cdk: string): string => `
import { App, TerraformStack } from '${cdk}';
import { ApiKey, KeyplaneProvider } from '@keyplane/constructs/${cdk}';
import { apiKey } from '@keyplane/constructs/${cdk}/provider';

const app = new App({ outdir: 'out' });
const stack = new TerraformStack(app, 'stack');
new KeyplaneProvider(stack, 'keyplane', { url: 'http://127.0.0.1:8787', userId: 1 });
const key: apiKey.ApiKey = new ApiKey(stack, 'One', { name: 'one', budget: { usd: 25, per: 'month' } }).resource;
app.synth();
process.stdout.write(String(key instanceof apiKey.ApiKey));
`;

const COMPILATIONS = [
  ['with exports', COMPILERS.now, { module: 'nodenext' }],
  ['without exports', COMPILERS.before, { module: 'CommonJS', moduleResolution: 'node10', target: 'ES2018' }],
] as const;

describe('the package of the constructs alone', () => {
  let folder: string;
  let tarball: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-constructs-'));
    const built = join(folder, 'built');
    await run(process.execPath, ['--import', 'tsx', 'scripts/build-constructs.ts', '--out', built], { cwd: ROOT });
    await run('npm', ['pack', '--pack-destination', folder], { cwd: built });
    const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.tgz'));
    tarball = join(folder, name);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is what publint takes for right', async () => {
    const { buffer, byteOffset, byteLength } = await readFile(tarball);
    const { messages } = await publint({ pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) } });
    expect(messages).toEqual([]);
  });

  describe.each(['cdktf', 'cdktn'])('with %s, whatever else is newest', (cdk) => {
    let project: string;
    beforeAll(async () => {
      project = join(folder, cdk);
      await mkdir(project);
      await writeFile(join(project, 'package.json'), '{ "private": true }\n');
      const quiet = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
      // Not `constructs`: npm chooses one that both accept.
      const packages = [tarball, `${cdk}@${versions[cdk]}`, `@types/node@${versions['@types/node']}`];
      await run('npm', ['install', ...quiet, ...packages], { cwd: project });
    });

    it('brings the CDK, and nothing native', async () => {
      const installed = await readdir(join(project, 'node_modules'));
      expect(installed).toEqual(expect.arrayContaining([cdk, 'constructs', 'ipaddr.js', '@keyplane']));
      for (const other of ['keyplane', 'sharp', 'libsql', 'fastify', 'undici', cdk === 'cdktf' ? 'cdktn' : 'cdktf']) {
        expect(installed).not.toContain(other);
      }
    });

    it.each(COMPILATIONS)('is used from TypeScript %s', async (_, compiler, options) => {
      await writeFile(join(project, 'main.ts'), appFor(cdk));
      const compilerOptions = { strict: true, skipLibCheck: true, types: ['node'], ...options };
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
      await run(process.execPath, [compiler, '-p', project], { cwd: project });
      expect((await run(process.execPath, ['main.js'], { cwd: project })).stdout).toBe('true');
      const written = JSON.parse(await readFile(join(project, 'out/stacks/stack/cdk.tf.json'), 'utf8'));
      expect(Object.values(written.resource.keyplane_api_key)).toMatchObject([{ name: 'one' }]);
      await rm(join(project, 'out'), { recursive: true });
    });

    it('names itself in its messages', async () => {
      const refusal = join(project, 'node_modules/@keyplane/constructs', cdk, 'constructs/cdk/index.js');
      expect(await readFile(refusal, 'utf8')).toContain(`Import from @keyplane/constructs/cdktf in an app of cdktf`);
    });
  });
});
