import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FLAVOURS, type Flavour } from '../../constructs/flavours.ts';
import { ACCESS_TOKEN, openPlace, type Place } from '../place.ts';
import { runServed, skipWithoutTerraform } from '../terraform/stack.ts';

type Stack = InstanceType<Flavour['cdk']['TerraformStack']>;

/** Characters that would end a quoted string of Terraform, or start a template. */
const ODD = 'write "hi" to C:\\temp\n100%{ } $${x}';

/** Uses the credential in the environment, and writes what came of it. */
const USE_SECRET = `
import { writeFileSync } from 'node:fs';
const [, , url, file] = process.argv;
const secret = process.env.SECRET;
const { status } = await fetch(url + '/v1/models', { headers: { authorization: 'Bearer ' + secret } });
writeFileSync(file, JSON.stringify({ status, secret }));
`;

describe.each(FLAVOURS)('What constructs of $name write', (flavour) => {
  const { cdk, keys } = flavour;
  let place: Place;
  beforeAll(async () => {
    place = await openPlace();
  });
  afterAll(() => place.close());
  beforeEach((context) => skipWithoutTerraform(context));

  async function terraform(...words: readonly string[]): Promise<string> {
    const env = {
      ...{ PATH: process.env.PATH ?? '', HOME: place.folder, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' },
      ...{ KEYPLANE_ACCESS_TOKEN: ACCESS_TOKEN, TF_VAR_odd: ODD },
    };
    const { code, ...output } = await runServed(join(place.folder, 'out/stacks/prod'), env, [...words, '-no-color']);
    if (code !== 0) throw Object.assign(new Error(output.stderr), output);
    return output.stdout;
  }

  /** Rewrites a stack, in the folder of its state. */
  async function synthesize(build: (stack: Stack) => void): Promise<void> {
    const app = new cdk.App({ outdir: join(place.folder, 'out') });
    const stack = new cdk.TerraformStack(app, 'prod');
    new cdk.LocalBackend(stack, { path: join(place.folder, 'state.tfstate') });
    new keys.KeyplaneProvider(stack, 'keyplane', { url: place.url, userId: 42 });
    build(stack);
    app.synth();
    await terraform('init');
  }

  const idOf = async (name: string) => (await place.keys()).find((key) => key.name === name)?.id;

  it('keeps a key of a set and of a team when it is called otherwise, though nothing may destroy it', async () => {
    const budget = { usd: 10 };
    await synthesize((stack) => {
      new keys.KeySet(stack, 'Keys', { keys: { 'prod-a': { preventDestroy: true, budget } } });
      new keys.TeamKeys(stack, 'Team', { team: 't', members: ['ada', 'bob'], budget });
    });
    await terraform('apply', '-auto-approve');
    const before = [await idOf('prod-a'), await idOf('t-ada'), await idOf('t-bob')];
    expect(before).not.toContain(undefined);
    await synthesize((stack) => {
      new keys.KeySet(stack, 'Keys', { keys: { 'prod-b': { preventDestroy: true, budget, renamedFrom: 'prod-a' } } });
      new keys.TeamKeys(stack, 'Team', { team: 't', members: { grace: { formerly: 'ada' }, bob: {} }, budget });
    });
    expect(await terraform('plan')).toContain('Plan: 0 to add, 2 to change, 0 to destroy.');
    await terraform('apply', '-auto-approve');
    expect([await idOf('prod-b'), await idOf('t-grace'), await idOf('t-bob')]).toEqual(before);
    expect(await place.keys()).toHaveLength(3);
    await terraform('plan', '-detailed-exitcode');
  });

  it('is JSON to the byte, also where Terraform fills in a part', async () => {
    const text = 'quotes " and \\ and\nlines, %%{ and $${x}';
    const tiersOf = (odd: unknown) => ({ 'a "b"': [1, null, true, text], mixed: `<${odd}> "${odd}"`, whole: odd });
    await synthesize((stack) => {
      const odd = new cdk.TerraformVariable(stack, 'odd', { type: 'string' });
      new keys.ApiKey(stack, 'Key', {
        name: 'tiers',
        budget: 'unlimited',
        smartRouting: { tiers: tiersOf(odd.stringValue) as never },
      });
    });
    await terraform('apply', '-auto-approve');
    const [stored] = (await place.keys()).filter(({ name }) => name === 'tiers');
    const filled = tiersOf(ODD);
    const plain = text.replace('%%{', '%{').replace('$${', '${');
    const expected = { ...filled, 'a "b"': [1, null, true, plain] };
    expect(JSON.parse(String(stored?.smart_route_tiers))).toEqual(expected);
  });

  it('give the secret of a new key to a run, and to no file of it', async () => {
    const used = join(place.folder, 'used.json');
    const script = join(place.folder, 'use.mjs');
    await writeFile(script, USE_SECRET);
    await synthesize((stack) => {
      const key = new keys.ApiKey(stack, 'Key', { name: 'secretive', budget: { usd: 1 } });
      const job = new cdk.TerraformResource(stack, 'job', {
        terraformResourceType: 'terraform_data',
        provisioners: [
          {
            type: 'local-exec',
            command: `'${process.execPath}' '${script}' '${place.url}' '${used}'`,
            environment: { SECRET: key.secret() },
          },
        ],
      });
      job.addOverride('input', '1');
    });
    await terraform('plan', '-out=saved.plan');
    await terraform('apply', '-auto-approve', 'saved.plan');
    const { status, secret } = JSON.parse(await readFile(used, 'utf8'));
    expect([status, secret.slice(0, 3)]).toEqual([200, 'sk-']);
    const files = await readdir(place.folder, { recursive: true, withFileTypes: true });
    const holding: string[] = [];
    for (const file of files.filter((each) => each.isFile())) {
      const path = join(file.parentPath, file.name);
      if (path !== used && (await readFile(path, 'latin1')).includes(secret.slice(3))) holding.push(path);
    }
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['saved.plan', 'state.tfstate']));
    expect(holding).toEqual([]);
  });

  it('pass the secret of a successor on in the apply that makes it, and keep the former key', async () => {
    const used = join(place.folder, 'rotated.json');
    const script = join(place.folder, 'use-rotated.mjs');
    await writeFile(script, USE_SECRET);
    const build = (stack: Stack) => {
      const key = new keys.RotatingKey(stack, 'Desk', {
        name: 'desk',
        every: '91d',
        overlap: '14d',
        budget: { usd: 1 },
      });
      const command = `'${process.execPath}' '${script}' '${place.url}' '${used}'`;
      const job = new cdk.TerraformResource(stack, 'reader', {
        terraformResourceType: 'terraform_data',
        provisioners: [{ type: 'local-exec', command, environment: { SECRET: key.secret() } }],
      });
      job.addOverride('triggers_replace', key.keyId);
    };
    const apply = async () => {
      await synthesize(build);
      await terraform('apply', '-auto-approve');
      return JSON.parse(await readFile(used, 'utf8')) as { readonly status: number; readonly secret: string };
    };
    const generations = async () => (await place.keys()).filter(({ name }) => String(name).startsWith('desk~'));
    const first = await apply();
    await place.control('POST', '/clock', { advance: 92 * 86_400 });
    const second = await apply();
    expect([first.status, second.status, first.secret === second.secret]).toEqual([200, 200, false]);
    expect((await generations()).map(({ status }) => status)).toEqual([1, 1]);
    // The time of the synthesis decides nothing.
    await apply();
    expect(await generations()).toHaveLength(2);
  });

  it('make a key for each entry of what only Terraform knows, once it knows the entries', async () => {
    const named = (stack: Stack, forEach: ReturnType<typeof cdk.TerraformIterator.fromList>) =>
      new keys.ApiKey(stack, 'Each', { forEach, name: `each-${forEach.key}`, budget: { usd: 1 } });
    await synthesize((stack) => {
      const teams = new cdk.TerraformVariable(stack, 'teams', { type: 'set(string)', default: ['ads', 'search'] });
      named(stack, cdk.TerraformIterator.fromList(teams.listValue));
    });
    await terraform('apply', '-auto-approve');
    const names = (await place.keys()).map(({ name }) => name).filter((name) => String(name).startsWith('each-'));
    expect(names.sort()).toEqual(['each-ads', 'each-search']);
    await terraform('plan', '-detailed-exitcode');
    await synthesize((stack) => {
      const later = new cdk.TerraformResource(stack, 'later', { terraformResourceType: 'terraform_data' });
      later.addOverride('input', ['ads']);
      const { resource } = named(stack, cdk.TerraformIterator.fromList(['ads']));
      resource.addOverride('for_each', '${toset(terraform_data.later.output)}');
    });
    const refused = await terraform('plan').catch((thrown) => `${thrown.stdout}${thrown.stderr}`);
    expect(refused).toMatch(/Invalid for_each argument/);
  });
});
