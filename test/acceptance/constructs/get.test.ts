import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PROGRAM } from '../../script-words.ts';
import { skipWithoutTerraform } from '../terraform/stack.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/** Runs `cdktf get` for the project file, in a separate process: the generator reads the environment as it loads. */
const GET = `
  const [generator, out] = process.argv.slice(1);
  const { createRequire } = require('node:module');
  const load = createRequire(process.cwd() + '/package.json');
  const { ConstructsMaker, TerraformProviderConstraint } = load(generator);
  const { terraformProviders } = load('./cdktf.json');
  const constraints = terraformProviders.map((text) => new TerraformProviderConstraint(text));
  new ConstructsMaker({ codeMakerOutput: out, targetLanguage: 'typescript' }).generate(constraints);
`;

describe('cdktf.json', () => {
  let home: string;
  beforeEach((context) => skipWithoutTerraform(context));
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'keyplane-get-'));
    await run(process.execPath, [PROGRAM, 'provider', 'install', '--mirror', join(home, '.terraform.d/plugins')]);
  });
  afterAll(() => rm(home, { recursive: true, force: true }));
  const isThere = (name: string) => !/README|lazy-index/.test(name) && name.endsWith('.ts');

  it.each(['cdktf', 'cdktn'])(
    'lets %s get the constructs from the mirror that Terraform looks in by itself',
    async (cdk) => {
      const out = join(home, cdk);
      const env = { PATH: process.env.PATH ?? '', HOME: home, CHECKPOINT_DISABLE: '1', CI: '1' };
      await run(process.execPath, ['-e', GET, `@${cdk}/provider-generator`, out], { cwd: root, env });
      const got = (await readdir(join(out, 'providers/keyplane'), { recursive: true })).filter(isThere).sort();
      const ours = (await readdir(join(root, 'constructs/gen', cdk), { recursive: true })).filter(isThere).sort();
      expect(got).toEqual(ours);
      const text = await readFile(join(out, 'providers/keyplane/api-key/index.ts'), 'utf8');
      const committed = await readFile(join(root, 'constructs/gen', cdk, 'api-key/index.ts'), 'utf8');
      const bare = (code: string) =>
        code
          .split('\n')
          .filter((line) => !/^\/\/|providerVersion/.test(line))
          .map((line) => line.trimEnd())
          .join('\n')
          .trim();
      expect(bare(text)).toBe(bare(committed));
    },
  );
});
