import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CANARY, openPlace, type Place, PROFILES } from '../place.ts';
import { openInstalledStack, openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const READS = `
provider "keyplane" {}
data "keyplane_account" "me" {}
data "keyplane_groups" "all" {}
data "keyplane_api_keys" "prod" { name = "prod-*" }
data "keyplane_api_key" "each" {
  count = 8
  id    = count.index + 1
}
output "keys" { value = { for key in data.keyplane_api_keys.prod.keys : key.name => key.id } }
output "one" { value = data.keyplane_api_key.each[2].name }
output "me" { value = data.keyplane_account.me }
output "groups" { value = data.keyplane_groups.all.groups }
output "units" { value = provider::keyplane::usd_to_quota(25.5) }
output "usd" { value = provider::keyplane::quota_to_usd(1, 500000) }
output "rules" { value = provider::keyplane::parse_ip_rules(["203.0.113.7", "10.0.0.0/8", "203.0.113.7"]) }
`;

const KEYS = Array.from({ length: 8 }, (_, index) => ({ name: `${index < 3 ? 'prod' : 'test'}-${index + 1}` }));

describe.each(PROFILES)('the provider, run by terraform against a gateway (%s)', (profile) => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace(KEYS, profile);
    stack = await openStack(place, READS);
  });
  afterEach(() => place?.close());

  it('reads the account and calculates', async () => {
    const applied = await stack.run('apply', '-auto-approve');
    expect(applied.code, applied.stderr).toBe(0);
    const { stdout } = await stack.run('output', '-json');
    const values = JSON.parse(stdout);
    expect(values.me.value).toMatchObject({ user_id: 42, wallet_quota: 500_000_000, quota_per_unit: 500_000 });
    expect(Object.keys(values.groups.value)).toEqual(['default', 'vip']);
    expect([values.units.value, values.usd.value, values.rules.value]).toEqual([
      12_750_000,
      0.000002,
      ['10.0.0.0/8', '203.0.113.7/32'],
    ]);
    expect([values.keys.value, values.one.value]).toEqual([{ 'prod-1': 1, 'prod-2': 2, 'prod-3': 3 }, 'prod-3']);
    expect((await stack.run('plan', '-detailed-exitcode')).code).toBe(0);
  });

  it('walks over the keys once for many data sources', async () => {
    await place.control('DELETE', '/requests');
    expect((await stack.run('plan')).code).toBe(0);
    const { requests } = await place.control<{ requests: Record<string, number> }>('GET', '/requests');
    expect(requests['GET /api/token/']).toBe(1);
  });

  // What no profile could make another thing of is shown once.
  if (profile !== 'deployed') return;

  it('keeps the access token out of state, plans and traces', async () => {
    stack = await openInstalledStack(place, READS);
    const tracing = { TF_LOG: 'TRACE', TF_LOG_PATH: 'trace.log' };
    const { code, stdout, stderr } = await stack.runWith(tracing, 'apply', '-auto-approve');
    expect(code).toBe(0);
    await stack.run('plan', '-out', 'plan.bin');
    const shown = await stack.run('show', '-json', 'plan.bin');
    const files = await Promise.all(
      ['terraform.tfstate', 'trace.log', 'plan.bin'].map((name) => readFile(join(place.folder, name), 'latin1')),
    );
    for (const text of [stdout, stderr, shown.stdout, ...files]) expect(text).not.toContain(CANARY);
    expect(files[1]).toContain('plugin process exited');
    expect(files[1]).not.toContain('plugin failed to exit gracefully');
  });

  it('warns in the log of core while it waits for the request limit', async () => {
    stack = await openInstalledStack(place, READS);
    await place.control('POST', '/faults', { method: 'GET', path: '/api/token/', kind: 'empty-429', retryAfter: 1 });
    const { code, stderr } = await stack.runWith({ TF_LOG: 'WARN' }, 'plan');
    expect(code, stderr).toBe(0);
    const [line = ''] = stderr.split('\n').filter((each) => each.includes('waiting'));
    expect(line).toMatch(/\[WARN] +provider\.terraform-provider-keyplane_v\S+: waiting \d s: the gateway limits/);
  });

  it('reports wrong credentials in one diagnostic', async () => {
    const output = async (env: Record<string, string>): Promise<[number | null, string[]]> => {
      const { code, stderr } = await stack.runWith(env, 'plan');
      return [code, stderr.match(/Error: .*/g) ?? []];
    };
    const about = (text: string) => [1, [expect.stringContaining(text)]];
    expect(await output({ KEYPLANE_ACCESS_TOKEN: 'wrong' })).toEqual(about('rejected the system access token'));
    const unset = { KEYPLANE_URL: '', KEYPLANE_USER_ID: '', KEYPLANE_ACCESS_TOKEN: '', KEYPLANE_TIMEOUT: 'long' };
    const [, errors] = await output(unset);
    expect([...errors].sort()).toEqual([
      'Error: The gateway is missing',
      'Error: The system access token is missing',
      'Error: The user ID is not set either',
      'Error: `timeout` is not a duration',
    ]);
    expect(await output({ KEYPLANE_ACCESS_TOKEN: '' })).toEqual(about('The system access token is missing'));
    expect(await output({ KEYPLANE_URL: 'http://127.0.0.1:9' })).toEqual(about('Nothing listens at'));
  });

  it('reports the argument at which a function call is wrong', async () => {
    await stack.write('wrong.tf', 'output "wrong" { value = provider::keyplane::parse_ip_rules(["10.1.2.3/8"]) }\n');
    const { code, stderr } = await stack.run('validate');
    expect([code, stderr.replaceAll(/\s+│?\s*/g, ' ')]).toEqual([
      1,
      expect.stringContaining('did you mean 10.0.0.0/8?'),
    ]);
  });
});
