import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { scriptWords } from '../../script-words.ts';
import { ACCESS_TOKEN, openPlace, type Place } from '../place.ts';
import { type Ran, runServed, skipWithoutTerraform } from '../terraform/stack.ts';

const run = promisify(execFile);
/** In the fortnight in which the support team has two keys. */
const CONTEXT = JSON.stringify({ 'keyplane:now': '2026-10-05T00:00:00Z' });
const STACKS = ['staging', 'prod'];

interface Synthesized {
  readonly resource: { readonly keyplane_api_key: Readonly<Record<string, { readonly name: string }>> };
}

/** Synthesizes the example for the account of a place, as `npm run synth` does. @returns the folder of its output */
async function synthesize(place: Place, cdk: string, folder = `${cdk}.out`): Promise<string> {
  const outdir = join(place.folder, folder);
  const env = { ...process.env, KEYPLANE_URL: place.url, KEYPLANE_USER_ID: '42', CDKTF_CONTEXT_JSON: CONTEXT };
  await run(process.execPath, [...scriptWords('scripts/synth.ts'), cdk], {
    cwd: place.folder,
    env: { ...env, CDKTF_OUTDIR: outdir },
  });
  return outdir;
}

const written = async (outdir: string, stack: string): Promise<Synthesized> =>
  JSON.parse(await readFile(join(outdir, 'stacks', stack, 'cdk.tf.json'), 'utf8'));

async function succeeds(running: Promise<Ran>): Promise<void> {
  const { code, stdout, stderr } = await running;
  expect(code, stdout + stderr).toBe(0);
}

/** Terraform in one stack of the output; the state stays in the folder of the place, whatever the output is. */
function terraformIn(place: Place, outdir: string, stack: string) {
  const cwd = join(outdir, 'stacks', stack);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: place.folder,
    CHECKPOINT_DISABLE: '1',
    TF_IN_AUTOMATION: '1',
    KEYPLANE_ACCESS_TOKEN: ACCESS_TOKEN,
  };
  const terraform = (...words: readonly string[]): Promise<Ran> => runServed(cwd, env, [...words, '-no-color']);
  return { cwd, terraform, init: () => succeeds(terraform('init')) };
}

/**
 * The account, as it is stored, but for what is another for each key that is made. Checks spend, and Terraform runs them
 * at each plan: what was granted is what remains and what was used.
 */
async function account(place: Place): Promise<readonly object[]> {
  const keys = await place.keys();
  return keys
    .map(({ id: _id, key: _key, created_time: _created, accessed_time: _accessed, ...rest }) => {
      const { remain_quota: remain, used_quota: used, name, ...stored } = rest;
      // The name of a generation states the minute of its creation.
      return { ...stored, name: name.replace(/~\d{8}-\d{4}$/, '~'), granted: Number(remain) + Number(used) };
    })
    .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
}

describe('examples/cdk', () => {
  let byTerraform: Place;
  let byKeyplane: Place;
  beforeAll(async () => {
    [byTerraform, byKeyplane] = await Promise.all([openPlace([], 'deployed'), openPlace([], 'deployed')]);
  });
  afterAll(() => Promise.all([byTerraform.close(), byKeyplane.close()]));
  beforeEach((context) => skipWithoutTerraform(context));

  it('is the same of both CDKs, but for their versions', async () => {
    const [one, other] = await Promise.all(
      ['cdktf', 'cdktn'].map((cdk) => synthesize(byTerraform, cdk, `same-${cdk}`)),
    );
    for (const stack of STACKS) {
      const texts = [one, other].map(async (outdir) => {
        const {
          '//': about,
          terraform: settings,
          ...rest
        } = JSON.parse(JSON.stringify(await written(outdir ?? '', stack)));
        return { ...rest, outputs: about.outputs, providers: settings.required_providers };
      });
      const [first, second] = await Promise.all(texts);
      expect(first).toEqual(second);
      expect(Object.keys(first.resource.keyplane_api_key)).toHaveLength(6);
    }
  });

  it('comes to the same account by Terraform and by keyplane, and each finds nothing left to do after the other', async () => {
    const [forTerraform, forKeyplane] = [await synthesize(byTerraform, 'cdktf'), await synthesize(byKeyplane, 'cdktn')];
    for (const stack of STACKS) {
      const { init, terraform } = terraformIn(byTerraform, forTerraform, stack);
      await init();
      await succeeds(terraform('apply', '-auto-approve'));
      await succeeds(terraform('plan', '-detailed-exitcode'));
    }
    const applied = await byKeyplane.run(['apply', '-f', forKeyplane, '--yes']);
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    expect(applied.stdout).toContain('prod-pong');
    expect(await account(byKeyplane)).toHaveLength(12);
    expect(await account(byKeyplane)).toEqual(await account(byTerraform));

    const planned = await byTerraform.run(['plan', '-f', forTerraform, '--detailed-exitcode']);
    expect(planned.code, planned.stdout + planned.stderr).toBe(0);
    const again = await byKeyplane.run(['plan', '-f', forKeyplane, '--detailed-exitcode']);
    expect(again.code, again.stdout + again.stderr).toBe(0);
    for (const stack of STACKS) await expectAdopted(stack, forKeyplane);
  });

  /** Terraform takes over the keys that keyplane made: it writes their budgets into its state, and then finds nothing to do. */
  async function expectAdopted(stack: string, outdir: string): Promise<void> {
    const { cwd, init, terraform } = terraformIn(byKeyplane, outdir, stack);
    const keys = Object.entries((await written(outdir, stack)).resource.keyplane_api_key);
    const imports = keys.map(([label, { name }]) => ({ to: `keyplane_api_key.${label}`, id: `name=${name}` }));
    await writeFile(join(cwd, 'imports.tf.json'), JSON.stringify({ import: imports }));
    await init();
    const before = await account(byKeyplane);
    await succeeds(terraform('apply', '-auto-approve'));
    expect(await account(byKeyplane)).toEqual(before);
    await succeeds(terraform('plan', '-detailed-exitcode'));
  }
});
