import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODELS, openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, key, planned } from './changes.ts';
import { openInstalledStack, openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const many = (count: number): string =>
  `resource "keyplane_api_key" "many" {\n  count = ${count}\n  name = "app-\${count.index}"\n  budget = { usd = 1, per = "lifetime" }\n}\n`;

const TEST = `
run "make" {
  command = apply
  assert {
    condition     = keyplane_api_key.one.status == "enabled" && keyplane_api_key.one.remaining_quota == 500000
    error_message = "it cannot be used"
  }
}
run "change" {
  command = plan
  assert {
    condition     = keyplane_api_key.one.name == "one"
    error_message = "it has another name"
  }
}
`;

const UNKNOWN = `
resource "terraform_data" "url" { input = "KEYPLANE_URL_HERE" }
resource "terraform_data" "team" { input = "checkout" }
provider "keyplane" { url = terraform_data.url.output }
data "keyplane_account" "own" { depends_on = [terraform_data.url] }
output "user" { value = data.keyplane_account.own.user_id }
resource "keyplane_api_key" "one" {
  name       = "prod-\${terraform_data.team.output}"
  models     = [terraform_data.team.output]
  allow_ips  = terraform_data.team.output == "" ? ["10.0.0.0/8"] : null
  expires_at = terraform_data.team.output == "" ? "2000-01-01T00:00:00Z" : "never"
  budget     = { usd = length(terraform_data.team.output), per = "lifetime" }
  timeouts {
    create = "5m"
    read   = "1h30m"
  }
}
`;

describe('terraform, in each of its ways', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    // As many requests as it likes: how it waits when there are too many is shown elsewhere.
    place = await openPlace([], 'deployed', MODELS, { limits: { api: null } });
  });
  afterEach(() => place?.close());

  const requests = async () =>
    (await place.control<{ requests: Record<string, number> }>('DELETE', '/requests')).requests;
  const names = async () => (await place.keys()).map(({ name }) => name).sort();

  it('warns at the attribute that the gateway does not have, in the plan of the create already', async () => {
    const deployed = await openPlace([], 'deployed');
    try {
      const body = 'smart_routing_tiers = jsonencode({ a = ["b"] })\n  budget = { usd = 1, per = "lifetime" }';
      stack = await openStack(deployed, key('one', body));
      const { stdout } = await stack.run('plan');
      expect(stdout).toContain('does not have smart routing');
      expect(stdout).toContain('  smart_routing_tiers = jsonencode');
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        'Remove `smart_routing_tiers`, or every plan will show it again.',
      );
    } finally {
      await deployed.close();
    }
  });

  it('creates, reads, changes and deletes many keys with few requests', async () => {
    const configuration = (usd: number): string => many(120).replace('usd = 1', `usd = ${usd}`);
    stack = await openStack(place, configuration(1));
    await requests();
    await expectApplied(stack, '-parallelism=50');
    const made = await requests();
    expect(made['POST /api/token/']).toBe(120);
    // How many look together is up to core: each look is one page, whatever the number of keys.
    expect(made['GET /api/token/']).toBeLessThan(60);
    expect(made['GET /api/token/{id}'] ?? 0).toBe(0);
    await expectSettled(stack);
    expect(await requests()).toMatchObject({ 'GET /api/token/': 2 });
    await stack.configure(configuration(2));
    await expectApplied(stack, '-parallelism=50');
    const changed = await requests();
    // Each key is read before its write; the keys that are read back together are read by pages where they are many.
    const reads = (changed['GET /api/token/'] ?? 0) + (changed['GET /api/token/{id}'] ?? 0);
    expect(reads).toBeLessThanOrEqual(4 + 2 * 120);
    expect(changed['PUT /api/token/']).toBe(120);
    await stack.run('destroy', '-auto-approve', '-parallelism=50');
    const deleted = await requests();
    expect(await names()).toEqual([]);
    expect((deleted['POST /api/token/batch'] ?? 0) + (deleted['DELETE /api/token/{id}'] ?? 0)).toBeLessThan(60);
  });

  it('changes 120 keys with two requests each, and with the pages of a round for as many as -parallelism', async () => {
    const configuration = (usd: number): string => many(120).replace('usd = 1', `usd = ${usd}`);
    stack = await openStack(place, configuration(1));
    await expectApplied(stack, '-parallelism=60');
    await stack.configure(configuration(2));
    await stack.run('plan', '-out', 'plan.bin');
    await requests();
    expect((await stack.run('apply', '-parallelism=60', 'plan.bin')).code).toBe(0);
    const changed = await requests();
    expect(changed['PUT /api/token/']).toBe(120);
    // Core decides how many of the last ones share a round.
    const reads = (changed['GET /api/token/'] ?? 0) + (changed['GET /api/token/{id}'] ?? 0);
    expect(reads).toBeLessThanOrEqual(120 + 30);
  });

  it('exchanges the names of keys in one apply, and lists no keys for a plan without a refresh', async () => {
    const of = (a: string, b: string): string =>
      key('a').replace('name = "a"', `name = "${a}"`) + key('b').replace('name = "b"', `name = "${b}"`);
    stack = await openStack(place, of('one', 'two'));
    await expectApplied(stack);
    const before = await place.keys();
    await stack.configure(of('two', 'one'));
    await expectApplied(stack);
    const after = await place.keys();
    expect(after.map(({ id, name }) => [id, name === 'one' ? 'two' : 'one'])).toEqual(
      before.map(({ id, name }) => [id, name]),
    );
    await expectSettled(stack);
    await requests();
    const { code, stderr } = await stack.run('plan', '-detailed-exitcode', '-refresh=false');
    expect([code, stderr]).toEqual([0, '']);
    expect(Object.keys(await requests()).filter((request) => request.includes('/token'))).toEqual([]);
  });

  it('bears what is not known while it plans', async () => {
    stack = await openStack(place, UNKNOWN.replace('KEYPLANE_URL_HERE', place.url));
    expect(await planned(stack)).toMatchObject({ one: 'create' });
    await stack.run('apply', 'plan.bin');
    await expectSettled(stack);
    expect(await place.keys()).toMatchObject([{ name: 'prod-checkout', remain_quota: 4_000_000 }]);
    expect((await stack.run('output', '-raw', 'user')).stdout).toBe('42');
  });

  it('reports each error at its attribute, before any request', async () => {
    const wrong = [
      ['name = "   "', 'Invalid key name'],
      [`name = "${'ä'.repeat(26)}"`, 'UTF-8 bytes'],
      ['allow_ips = ["10.1.2.3/8"]', 'Did you mean `10.0.0.0/8`?'],
      ['allow_ips = []', 'The list is empty'],
      ['models = ["any", "b"]', '`any` must be the only entry'],
      ['models = ["a,b"]', 'a model ID without commas'],
      ['expires_at = "2027-02-30T00:00:00Z"', 'Invalid expiry'],
      ['budget = { usd = -1, per = "lifetime" }', 'not a number of 0 or more'],
      ['budget = { usd = 1, quota = 1 }', 'not both'],
      ['budget = { unlimited = true, usd = 1 }', 'An unlimited budget cannot have `usd`'],
      ['budget = { usd = 1, per = "year" }', 'Invalid window of time'],
      ['budget = { usd = 1, per = "day", initial = true }', 'exclude each other'],
      ['budget = { usd = 1, below = { usd = 2 } }', '`below` is more than the budget'],
      ['budget = {}', 'Expected `usd` or `quota`'],
      ['smart_routing_tiers = "{"', 'not valid JSON'],
    ] as const;
    const block = ([body]: readonly [string, string], index: number) =>
      `resource "keyplane_api_key" "k${index}" {\n  ${body.startsWith('name') ? '' : `name = "k${index}"\n  `}${body}\n}\n`;
    stack = await openStack(place, wrong.map(block).join(''));
    await requests();
    const { code, stderr } = await stack.run('validate');
    const flat = stderr.replaceAll(/\s+/g, ' ');
    expect(code).toBe(1);
    for (const [, output] of wrong) expect(flat).toContain(output);
    expect(stderr.match(/^Error: /gm)).toHaveLength(wrong.length);
    // Each is reported at the line of its attribute.
    for (const [index, [body]] of wrong.entries()) {
      expect(stderr).toMatch(
        new RegExp(`in resource "keyplane_api_key" "k${index}":\\n +\\d+: +${body.split(' ')[0]}`),
      );
    }
    expect(await requests()).toEqual({});
  });

  it('finds out while planning what the account does not have', async () => {
    stack = await openStack(place, key('one', 'group = "gone"\n  budget = { usd = 1, per = "lifetime" }'));
    const { code, stderr } = await stack.run('plan');
    expect([code, stderr]).toEqual([1, expect.stringContaining('The account does not have these groups: “gone”')]);
    expect(stderr).toMatch(/in resource "keyplane_api_key" "one":\n +\d+: +group = "gone"/);
    await stack.configure(
      `provider "keyplane" { allow_unknown_groups = true }\n${key('one', 'group = "gone"\n  budget = { usd = 1, per = "lifetime" }')}`,
    );
    expect(await planned(stack)).toEqual({ one: 'create' });
  });

  it('does a part, refuses a stale plan, taints and untaints', async () => {
    stack = await openStack(place, key('one') + key('two'));
    expect(await planned(stack, '-target=keyplane_api_key.two')).toEqual({ two: 'create' });
    await stack.run('apply', 'plan.bin');
    expect(await names()).toEqual(['two']);
    await expectApplied(stack);
    const stale = await stack.run('apply', 'plan.bin');
    expect([stale.code, stale.stderr]).toEqual([1, expect.stringContaining('Saved plan is stale')]);
    await stack.run('taint', 'keyplane_api_key.one');
    expect(await planned(stack)).toEqual({ one: 'delete+create' });
    await stack.run('untaint', 'keyplane_api_key.one');
    await expectSettled(stack);
    await stack.configure(
      `${key('one', 'budget = { usd = 5, per = "lifetime" }\n  lifecycle { ignore_changes = [budget] }')}removed {\n  from = keyplane_api_key.two\n  lifecycle { destroy = false }\n}\n`,
    );
    expect(await planned(stack)).toEqual({ two: 'forget' });
  });

  it('serves terraform test, and leaves nothing behind', async () => {
    stack = await openStack(place, key('one'));
    await mkdir(join(place.folder, 'tests'));
    await stack.write('tests/key.tftest.hcl', TEST);
    const { code, stdout, stderr } = await stack.run('test');
    expect([code, await names()], stdout + stderr).toEqual([0, []]);
    expect(stdout).toContain('2 passed, 0 failed');
  });

  it('writes no credential anywhere', async () => {
    stack = await openInstalledStack(
      place,
      key('one') + key('two', 'enabled = false\n  budget = { usd = 1, per = "lifetime" }'),
    );
    const traced = await stack.runWith({ TF_LOG: 'TRACE', TF_LOG_PATH: 'trace.log' }, 'apply', '-auto-approve');
    expect(traced.code, traced.stderr).toBe(0);
    await place.control('POST', '/faults', { kind: 'refuse', method: 'PUT', path: '/api/token/', times: 3 });
    await stack.configure(key('one', 'group = "vip"') + key('two'));
    const failed = await stack.runWith({ TF_LOG: 'TRACE', TF_LOG_PATH: 'crash.log' }, 'apply', '-auto-approve');
    await stack.run('plan', '-out', 'plan.bin');
    const shown = await stack.run('show', '-json', 'plan.bin');
    const files = (await readdir(place.folder)).filter((name) => /tfstate|\.log$|plan\.bin$/.test(name));
    expect(files).toEqual(expect.arrayContaining(['crash.log', 'plan.bin', 'terraform.tfstate', 'trace.log']));
    const texts = await Promise.all(files.map((name) => readFile(join(place.folder, name), 'latin1')));
    const all = [traced.stdout, traced.stderr, failed.stdout, failed.stderr, shown.stdout, ...texts].join('\n');
    const secrets = (await place.keys()).map(({ key: secret }) => String(secret));
    expect(secrets).toHaveLength(2);
    // The middle of a credential is in no mask.
    for (const secret of secrets) expect(all).not.toContain(secret.slice(8, 24));
  });

  it.runIf(process.platform === 'linux')(
    'writes to one account through aliases that depend on each other: each has a process, and none waits for another',
    async () => {
      const aliases = 'provider "keyplane" {}\nprovider "keyplane" {\n  alias = "b"\n}\n';
      const budget = 'budget = { usd = 1, per = "lifetime" }';
      const other = `provider = keyplane.b\n  ${budget}`;
      const last = `depends_on = [keyplane_api_key.one, keyplane_api_key.two]\n  ${budget}`;
      stack = await openInstalledStack(place, aliases + key('one') + key('two', other) + key('three', last));
      await stack.run('init');
      const locked = { KEYPLANE_LOCK: 'gateway', KEYPLANE_LOCK_TIMEOUT: '0s' };
      const { code, stderr } = await stack.runWith(locked, 'apply', '-auto-approve');
      expect([code, await names()], stderr).toEqual([0, ['one', 'three', 'two']]);
    },
  );

  it('continues with the state of an older version', async () => {
    const installed = await openInstalledStack(place, key('one'));
    stack = installed;
    await expectApplied(stack);
    const state = JSON.parse(await place.read('terraform.tfstate'));
    const [{ attributes }] = state.resources[0].instances;
    // What it did not know yet is missing, and what it knew otherwise is there.
    const { created_at: _, stored_status: __, ...older } = attributes;
    state.resources[0].instances[0].attributes = { ...older, of_old: 'forgotten' };
    await stack.write('terraform.tfstate', JSON.stringify({ ...state, serial: state.serial + 1 }));
    await installed.upgrade('0.2.0');
    await expectSettled(stack);
  });
});
