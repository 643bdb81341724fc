import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FLAVOURS, type Flavour } from '../../constructs/flavours.ts';
import { ACCESS_TOKEN, openPlace, type Place } from '../place.ts';
import { type Ran, runInstalled, runServed, skipWithoutTerraform } from '../terraform/stack.ts';

type Stack = InstanceType<Flavour['cdk']['TerraformStack']>;
type Stored = Awaited<ReturnType<Place['keys']>>[number];

const RESEARCH = { userId: 43, username: 'research', accessToken: 'research-only', quota: 500_000_000 };

/** Programs as people write them, applied by an engine, and compared with what the gateway stored. */
describe.each(FLAVOURS)('Programs of $name that people write', (flavour) => {
  const { cdk, generated, keys } = flavour;
  let place: Place;
  let runEngine: typeof runServed;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    runEngine = runServed;
    place = await openPlace([{ name: 'legacy' }], 'contract', undefined, { accounts: [RESEARCH] });
  });
  afterEach(() => place?.close());

  const run = (stack: string, ...words: readonly string[]): Promise<Ran> =>
    runEngine(
      join(place.folder, 'out/stacks', stack),
      {
        ...{ PATH: process.env.PATH ?? '', HOME: place.folder, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' },
        ...{ KEYPLANE_ACCESS_TOKEN: ACCESS_TOKEN, KEYPLANE_SETTLE: '0s', TF_CLI_ARGS: '-no-color' },
        ...{ TF_VAR_token: RESEARCH.accessToken, TF_VAR_usd: '7', TF_VAR_models: '["alpha-chat-1"]' },
        TF_VAR_teams: '{"ads":{"usd":3},"search":{"usd":4}}',
      },
      words,
    );

  async function succeeds(stack: string, ...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await run(stack, ...words);
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  }

  function synthesize(build: (open: (id: string) => Stack) => void, ...ids: readonly string[]): void {
    const app = new cdk.App({ outdir: join(place.folder, 'out') });
    const stacks = new Map(ids.map((id) => [id, new cdk.TerraformStack(app, id)]));
    for (const [id, stack] of stacks) {
      new cdk.LocalBackend(stack, { path: join(place.folder, `${id}.tfstate`) });
      new keys.KeyplaneProvider(stack, 'keyplane', { url: place.url, userId: 42, assumeLogComplete: true });
    }
    build((id) => stacks.get(id) as Stack);
    app.synth();
  }

  /** Applies, after which nothing is left to do. */
  async function apply(stack: string): Promise<void> {
    await succeeds(stack, 'init');
    await succeeds(stack, 'apply', '-auto-approve');
    await succeeds(stack, 'plan', '-detailed-exitcode');
  }

  const stored = async (): Promise<ReadonlyMap<string, Stored>> =>
    new Map((await place.keys()).map((key) => [`${key.user_id}/${key.name}`, key]));

  it('fill in variables, lazy values, iterators of maps and a second account', async () => {
    runEngine = runInstalled;
    synthesize((open) => {
      const stack = open('prod');
      const usd = new cdk.TerraformVariable(stack, 'usd', { type: 'number' });
      const models = new cdk.TerraformVariable(stack, 'models', { type: 'list(string)' });
      const token = new cdk.TerraformVariable(stack, 'token', { type: 'string', sensitive: true });
      const teams = new cdk.TerraformVariable(stack, 'teams', { type: 'map(object({ usd = number }))' });
      const research = new keys.KeyplaneProvider(stack, 'research', {
        ...{ url: place.url, userId: RESEARCH.userId, accessToken: token.stringValue, alias: 'research' },
      });
      const route = cdk.Lazy.anyValue({ produce: () => ({ models: models.value, label: 'a "b"' }) }) as never;
      new keys.ApiKey(stack, 'Filled', {
        name: 'filled',
        budget: { usd: usd.numberValue, per: 'month' },
        models: models.listValue,
        expires: cdk.Fn.timeadd('2035-01-01T00:00:00Z', '24h'),
        smartRouting: { tiers: { route } },
      });
      const each = cdk.TerraformIterator.fromMap(teams.value);
      const budget = { usd: each.getNumber('usd') };
      new keys.ApiKey(stack, 'Each', { forEach: each, name: `team-${each.key}`, budget });
      new keys.ApiKey(stack, 'Same', { name: 'filled', budget: { usd: 9 }, provider: research });
      const counted = new keys.ApiKey(stack, 'Counted', { name: 'counted-${count.index}', budget: { usd: 1 } });
      counted.resource.count = cdk.TerraformCount.of(2);
    }, 'prod');
    await apply('prod');
    const all = await stored();
    const names = ['42/counted-0', '42/counted-1', '42/filled', '42/legacy', '42/team-ads', '42/team-search'];
    expect([...all.keys()].sort()).toEqual([...names, '43/filled']);
    const key = all.get('42/filled');
    expect(key).toMatchObject({ remain_quota: 3_500_000, model_limits: 'alpha-chat-1', expired_time: 2_051_308_800 });
    expect(JSON.parse(String(key?.smart_route_tiers))).toEqual({
      route: { models: ['alpha-chat-1'], label: 'a "b"' },
    });
    const quotas = ['42/team-ads', '42/team-search', '43/filled'].map((name) => all.get(name)?.remain_quota);
    expect(quotas).toEqual([1_500_000, 2_000_000, 4_500_000]);
  });

  it('share a key between two stacks, of which one waits for the other', async () => {
    const build = (open: (id: string) => Stack) => {
      const [base, apps] = [open('base'), open('apps')];
      apps.addDependency(base);
      const key = new keys.ApiKey(base, 'Key', { name: 'shared', budget: { usd: 1 } });
      new cdk.TerraformOutput(apps, 'id', { value: key.keyId, staticId: true });
      new keys.SmokeCheck(apps, 'pong', { key, module: 'chat', model: 'alpha-chat-1' });
    };
    synthesize(build, 'base', 'apps');
    await apply('base');
    await apply('apps');
    const id = (await stored()).get('42/shared')?.id;
    expect(JSON.parse(await succeeds('apps', 'output', '-json')).id.value).toBe(id);
  });

  it('replace a key of a generated name before it is destroyed, and keep it disabled', async () => {
    const build = (release: string) => (open: (id: string) => Stack) =>
      new generated.apiKey.ApiKey(open('prod'), 'Mailer', {
        namePrefix: 'mailer-',
        budget: { usd: 1, per: 'lifetime' },
        rotateWhenChanged: { release },
        onDestroy: 'disable',
        lifecycle: { createBeforeDestroy: true },
      });
    const mailers = async () =>
      (await place.keys()).filter(({ name }) => name.startsWith('mailer-')).map(({ status }) => status);
    synthesize(build('1'), 'prod');
    await apply('prod');
    expect(await mailers()).toEqual([1]);
    synthesize(build('2'), 'prod');
    await apply('prod');
    expect(await mailers()).toEqual([2, 1]);
  });

  it('import a key by its name, and let the engine write the configuration of another', async () => {
    synthesize((open) => {
      const stack = open('prod');
      const key = new keys.ApiKey(stack, 'Key', { name: 'legacy', group: 'vip', budget: { usd: 2 } });
      key.resource.importFrom('name=legacy');
    }, 'prod');
    const [before] = await place.keys();
    await apply('prod');
    expect(await place.keys()).toMatchObject([{ id: before?.id, group: 'vip', remain_quota: 1_000_000 }]);
    synthesize((open) => {
      generated.apiKey.ApiKey.generateConfigForImport(open('later'), 'legacy', 'name=legacy');
    }, 'later');
    await succeeds('later', 'init');
    const plan = await succeeds('later', 'plan', '-generate-config-out=generated.tf');
    expect(plan).toContain('Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.');
    expect(await readFile(join(place.folder, 'out/stacks/later/generated.tf'), 'utf8')).toContain('"legacy"');
  });

  it('cannot store the secret of a key: the engine rejects it where it would', async () => {
    synthesize((open) => {
      const stack = open('prod');
      const key = new keys.ApiKey(stack, 'Key', { name: 'secretive', budget: { usd: 1 } });
      const job = new cdk.TerraformResource(stack, 'job', { terraformResourceType: 'terraform_data' });
      job.addOverride('input', `Bearer ${key.secret()}`);
      new keys.ApiKey(stack, 'Other', { name: 'other', budget: { usd: 1 }, group: key.secret() });
    }, 'prod');
    await succeeds('prod', 'init');
    const { code, stdout, stderr } = await run('prod', 'apply', '-auto-approve');
    const text = stdout + stderr;
    const rejected = [...text.matchAll(/^.*\bwith ([\w.]+),$/gm)].map(([, address = '']) => address);
    expect({ code, rejected: rejected.sort() }).toEqual({
      code: 1,
      rejected: [expect.stringMatching(/^keyplane_api_key\.Other_/), 'terraform_data.job'],
    });
    expect(text.match(/^.*\b[Ee]phemeral values?\b.*$/gm)?.length ?? 0, text).toBeGreaterThanOrEqual(2);
    expect((await place.keys()).map(({ name }) => name)).not.toContain('other');
  });
});
