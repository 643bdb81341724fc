import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place, PROFILES } from '../place.ts';
import { expectApplied, expectSettled, key, stateOf } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

/** Keys that people made by hand, each with something that is not as new keys are. */
const KEYS = [
  {
    name: 'full',
    group: 'vip',
    model_limits_enabled: true,
    model_limits: 'b,a',
    allow_ips: '10.1.2.3/8',
    expired_time: 1_990_000_000,
  },
  { name: 'open', unlimited_quota: true },
  { name: 'spent', remain_quota: 250_000, used_quota: 500_000 },
  { name: 'off', status: 2, remain_quota: 7 },
  { name: 'expired', status: 3, expired_time: 1_600_000_000, remain_quota: 500_000 },
  { name: 'odd', model_limits_enabled: true, model_limits: '', allow_ips: 'no address', remain_quota: 1 },
  { name: 'routed-plainly', smart_routing: true, remain_quota: 5 },
  { name: 'routed', smart_routing: true, smart_route_tiers: '{"b":1,"a":[2]}', remain_quota: 5 },
];

const address = (name: string): string => `keyplane_api_key.${name}`;

describe.each(PROFILES)('keys that there are already, brought to terraform (%s)', (profile) => {
  const keys = KEYS.filter(({ smart_routing: isRouted }) => profile === 'contract' || !isRouted);
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace(keys, profile);
    stack = await openStack(place, '');
  });
  afterEach(() => place?.close());

  const block = (name: string, id: string) => `import {\n  to = ${address(name)}\n  id = "${id}"\n}\n`;

  it('writes configuration that plans to nothing', async () => {
    await stack.configure(
      keys.map(({ name }, index) => block(name, index % 2 ? `name=${name}` : String(index + 1))).join(''),
    );
    const generated = await stack.run('plan', '-generate-config-out=generated.tf');
    expect(generated.code, generated.stderr).toBe(0);
    expect(generated.stdout).toContain(`${keys.length} to import, 0 to add, 0 to change, 0 to destroy`);
    const before = await place.keys();
    await expectApplied(stack);
    await expectSettled(stack);
    expect(await place.keys()).toEqual(before);
    expect(await stateOf(stack, address('full'))).toMatchObject({
      group: 'vip',
      models: ['a', 'b'],
      allow_ips: ['10.0.0.0/8'],
      enabled: true,
    });
    expect(await stateOf(stack, address('odd'))).toMatchObject({ models: null, allow_ips: null });
    if (profile === 'contract')
      expect(await place.read('generated.tf')).toMatch(/smart_routing_tiers = jsonencode\(\{\s+a = \[2\]/);
  });

  it('does not touch the key that has the same number on another gateway', async () => {
    const [other, own] = await Promise.all([openPlace([{ name: 'somebody-else' }], profile), openPlace([], profile)]);
    try {
      const alone = await openStack(own, key('one'));
      await expectApplied(alone);
      const elsewhere = { KEYPLANE_URL: other.url };
      const plan = await alone.runWith(elsewhere, 'plan');
      expect([plan.code, plan.stderr]).toEqual([1, expect.stringContaining('is not the one in the Terraform state')]);
      const destroyed = await alone.runWith(elsewhere, 'apply', '-auto-approve', '-destroy', '-refresh=false');
      expect(destroyed.code).toBe(1);
      expect(await other.keys()).toMatchObject([{ id: 1, name: 'somebody-else' }]);
      const user = await alone.runWith({ KEYPLANE_USER_ID: '43' }, 'plan');
      expect(user.code).toBe(1);
    } finally {
      await Promise.all([other.close(), own.close()]);
    }
  });

  // Deployed gateways do not know Smart Routing.
  if (profile === 'contract') {
    it('takes tiers that are written otherwise and mean the same for the same', async () => {
      const routed = (rest: string) =>
        `${block('routed', 'name=routed')}resource "keyplane_api_key" "routed" {\n  name = "routed"\n${rest}}\n`;
      const written = '  smart_routing_tiers = "{ \\"b\\": 1.0, \\"a\\": [2] }"\n';
      await stack.configure(routed(written));
      const { stdout } = await stack.run('plan');
      expect(stdout).toContain('1 to import, 0 to add, 0 to change, 0 to destroy');
      await expectApplied(stack);
      await stack.configure(routed(`${written}  expires_at = "2033-01-01T00:00:00Z"\n`));
      expect(await expectApplied(stack)).toContain('0 added, 1 changed, 0 destroyed');
      expect((await stack.run('plan')).stdout).not.toContain('smart_routing_tiers');
      expect((await place.keys()).find(({ name }) => name === 'routed')).toMatchObject({
        smart_route_tiers: '{"b":1,"a":[2]}',
      });
    });
  }

  // What no profile could make another thing of is shown once.
  if (profile !== 'deployed') return;

  it('imports by command, and reports keys that it cannot import', async () => {
    const names = ['open', 'spent'];
    await stack.configure(names.map((name) => `resource "keyplane_api_key" "${name}" { name = "${name}" }\n`).join(''));
    expect((await stack.run('import', address('open'), '2')).code).toBe(0);
    const wrong = async (id: string) =>
      (await stack.run('import', address('spent'), id)).stderr.match(/Error: .*/)?.[0];
    expect(await wrong('name=none')).toBe('Error: There is no key named "none"');
    expect(await wrong('99')).toBe('Error: There is no key with the id 99');
    expect(await wrong('spent')).toBe('Error: Invalid import ID "spent"');
    expect((await stack.run('import', address('spent'), 'name=spent')).code).toBe(0);
    // What is not written is not managed, also after an import.
    await expectSettled(stack);
  });

  it('writes configuration that is valid for keys whose name no configuration may have, and renames them', async () => {
    await place.control('PATCH', '/keys/2', { name: '' });
    await place.control('PATCH', '/keys/3', { name: ' lead' });
    const labels = ['full', 'open', 'spent'];
    await stack.configure(labels.map((label, index) => block(label, String(index + 1))).join(''));
    const generated = await stack.run('plan', '-generate-config-out=generated.tf');
    expect(generated.code, generated.stderr).toBe(0);
    expect(generated.stdout).toContain('3 to import, 0 to add, 0 to change, 0 to destroy');
    expect(generated.stdout).toContain('The live `name` of the key " lead" cannot be declared');
    const before = await place.keys();
    await expectApplied(stack);
    await expectSettled(stack);
    expect(await place.keys()).toEqual(before);
    // From 1.15 on, Terraform writes no line for a name that is null.
    const text = (await place.read('generated.tf')).replaceAll(/^ +name += null.*\n/gm, '');
    const named = (part: string, label: string, name: string): string =>
      part.replace(`"keyplane_api_key" "${label}" {\n`, `"keyplane_api_key" "${label}" {\n  name = "${name}"\n`);
    await stack.write('generated.tf', named(named(text, 'open', 'two'), 'spent', 'three'));
    await expectApplied(stack);
    const renamed = (await place.keys()).slice(0, 3);
    expect(renamed.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(renamed.map(({ name }) => name).sort()).toEqual(['full', 'three', 'two']);
    await expectSettled(stack);
  });

  it('gives a key the group of the account again, and keeps a group that is omitted', async () => {
    const full = (group: string) =>
      `resource "keyplane_api_key" "full" {\n  name = "full"\n  budget = { usd = 0, per = "lifetime" }\n  ${group}\n}\n`;
    await stack.configure(block('full', '1') + full('group = "vip"'));
    await expectApplied(stack);
    await stack.configure(full(''));
    await expectSettled(stack);
    expect((await place.keys())[0]).toMatchObject({ group: 'vip' });
    await stack.configure(full('group = ""'));
    await expectApplied(stack);
    expect((await place.keys())[0]).toMatchObject({ group: '' });
    await expectSettled(stack);
    await place.control('PATCH', '/keys/1', { group: 'vip' });
    await expectApplied(stack);
    expect((await place.keys())[0]).toMatchObject({ group: '' });
    await stack.configure(full(''));
    await expectSettled(stack);
  });

  it('follows a resource to another address', async () => {
    await stack.configure('resource "keyplane_api_key" "old" { name = "spent" }\n');
    await stack.run('import', address('old'), '3');
    await stack.configure(
      'resource "keyplane_api_key" "new" { name = "spent" }\nmoved {\n  from = keyplane_api_key.old\n  to   = keyplane_api_key.new\n}\n',
    );
    const moved = await stack.run('plan');
    expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining('has moved to keyplane_api_key.new')]);
    expect(moved.stdout).toContain('0 to add, 0 to change, 0 to destroy');
  });
});
