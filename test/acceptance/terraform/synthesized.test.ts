import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProfileName } from '../../../src/reference/index.ts';
import { from, outputOf, stackOf } from '../../tfjson/synthesized.ts';
import { openPlace, type Place, PROFILES } from '../place.ts';
import { expectApplied, expectSettled } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

/** One key for each field and each form of a budget, and all that may stand for a value. */
const keysFor = (profile: ProfileName) => ({
  checkout: from('prod/Checkout/Resource', {
    name: 'prod-checkout',
    models: ['text-embedding-3-small', 'alpha-chat-1'],
    allow_ips: '${local.office}',
    expires_at: '2030-03-31T02:00:00+02:00',
    budget: { usd: 25.1, per: 'month' },
    // Deployed gateways do not know Smart Routing.
    ...(profile === 'contract'
      ? { smart_routing_tiers: '${jsonencode({"fast" = ["alpha-chat-1"], "a" = 1.50})}' }
      : {}),
    lifecycle: { prevent_destroy: true },
  }),
  search: from('prod/Search', {
    name: '${keyplane_api_key.checkout.name}-search',
    budget: '${keyplane_api_key.checkout.budget}',
    models: '${toset(concat(["alpha-chat-1"], local.more))}',
    group: '${var.group}',
    enabled: '${local.off}',
  }),
  many: from('prod/many', {
    for_each: { a: { usd: 5 }, b: { usd: 7.25 } },
    name: 'prod-${each.key}-${join("", ["te", "am"])}',
    budget: { usd: '${each.value.usd}', below: { usd: 1 } },
  }),
  count: from('prod/count', {
    count: 2,
    name: 'prod-${count.index}',
    budget: { quota: 5000, initial: true },
    cross_group_retry: '${local.retry[count.index]}',
  }),
  open: from('prod/Open', {
    name: 'prod-open',
    models: ['any'],
    allow_ips: ['anywhere'],
    expires_at: 'never',
    budget: { unlimited: true },
  }),
});

const NAMES: Readonly<Record<string, string>> = {
  'keyplane_api_key.checkout': 'prod-checkout',
  'keyplane_api_key.search': 'prod-checkout-search',
  'keyplane_api_key.many["a"]': 'prod-a-team',
  'keyplane_api_key.many["b"]': 'prod-b-team',
  'keyplane_api_key.count[0]': 'prod-0',
  'keyplane_api_key.count[1]': 'prod-1',
  'keyplane_api_key.open': 'prod-open',
};

const stackFor = ({ url }: Place, profile: ProfileName, more: object = {}) =>
  stackOf(keysFor(profile), {
    provider: { keyplane: [{ url, user_id: 42 }] },
    locals: {
      office: ['203.0.113.7', '10.0.0.0/8'],
      more: ['text-embedding-3-small'],
      off: false,
      retry: [true, false],
    },
    variable: { group: { type: 'string', default: 'vip' } },
    terraform: {},
    ...more,
  });

const IMPORTS = { import: Object.entries(NAMES).map(([to, name]) => ({ to, id: `name=${name}` })) };

/** Writes what a CDK would have synthesized. */
async function synthesize(place: Place, profile: ProfileName, more: object = {}): Promise<void> {
  await mkdir(join(place.folder, 'cdktf.out/stacks/prod'), { recursive: true });
  const files = Object.entries(outputOf({ prod: stackFor(place, profile, more) }));
  for (const [name, text] of files) await place.write(name, text);
}

/** The stored keys, without what differs between two accounts. */
async function stored(place: Place): Promise<unknown> {
  const keys = await place.keys();
  const comparable = keys.map(
    ({ id: _, key: _key, created_time: _created, accessed_time: _accessed, ...rest }) => rest,
  );
  return comparable.sort((a, b) => (a.name < b.name ? -1 : 1));
}

describe.each(PROFILES)('one synthesized stack, both ways (%s)', (profile) => {
  const places: Place[] = [];
  afterEach(async () => {
    for (const place of places.splice(0)) await place.close();
  });
  const open = async (): Promise<Place> => {
    const place = await openPlace([], profile);
    places.push(place);
    return place;
  };
  const openTerraform = async (place: Place, more: object = {}): Promise<Stack> => {
    const stack = await openStack(place, '');
    await stack.write('cdk.tf.json', JSON.stringify(stackFor(place, profile, more)));
    return stack;
  };
  const expectNothingToDo = async (place: Place): Promise<void> => {
    const { code, stdout, stderr } = await place.run(['plan', '-f', 'cdktf.out', '--detailed-exitcode']);
    expect(code, stdout + stderr).toBe(0);
  };

  it('comes to the same keys', async (context) => {
    skipWithoutTerraform(context);
    const [ours, theirs] = [await open(), await open()];
    await synthesize(ours, profile);
    const applied = await ours.run(['apply', '-f', 'cdktf.out', '--yes']);
    expect(applied.code, applied.stderr).toBe(0);
    await expectApplied(await openTerraform(theirs));

    expect(await stored(ours)).toHaveLength(Object.keys(NAMES).length);
    expect(await stored(ours)).toEqual(await stored(theirs));
    await expectNothingToDo(ours);
    await synthesize(theirs, profile);
    await expectNothingToDo(theirs);
  });

  it('is nothing to do for Terraform once Keyplane has applied it', async (context) => {
    skipWithoutTerraform(context);
    const place = await open();
    await synthesize(place, profile);
    expect((await place.run(['apply', '-f', 'cdktf.out', '--yes'])).code).toBe(0);
    const before = await stored(place);
    const stack = await openTerraform(place, IMPORTS);
    const output = await expectApplied(stack);
    // Only Terraform's state changes: an import cannot detect how a budget was written. The keys stay.
    expect(output).toMatch(/7 imported, 0 added, \d changed, 0 destroyed/);
    expect(await stored(place)).toEqual(before);
    await expectSettled(stack);
    expect(await stored(place)).toEqual(before);
    await synthesize(place, profile, IMPORTS);
    await expectNothingToDo(place);
  });
});

describe('a synthesized stack', () => {
  let place: Place;
  afterEach(() => place.close());

  it('is read by every command with -f, without Terraform, and the constructs are shown', async () => {
    place = await openPlace();
    const pong = { key_id: '${keyplane_api_key.open.id}', module: 'chat', model: 'alpha-chat-1' };
    await synthesize(place, 'contract', { data: { keyplane_check: { pong } } });
    await place.write('ownership.yaml', 'version: 1\nownership: { scope: "prod-*", prune: delete }\n');
    const files = ['-f', 'cdktf.out', '-f', 'ownership.yaml'];
    const run = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await place.run([...words, ...files]);
      return { code, output: stdout + stderr };
    };
    expect(await run('validate')).toMatchObject({ code: 0 });
    expect((await run('plan')).output).toMatch(
      /\+ create +prod-a-team +cdktf\.out\/stacks\/prod\/cdk\.tf\.json:\d+ in prod\/many\["a"\]/,
    );
    expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
    expect(await place.read('plan.json')).toContain('"construct": "prod/Checkout/Resource"');
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
    expect(await run('drift')).toMatchObject({ code: 0 });
    expect(await run('check')).toMatchObject({ code: 0, output: expect.stringMatching(/prod-open[\s\S]*pong/) });
    expect(await run('destroy', '--yes')).toMatchObject({ output: expect.stringContaining('prod-checkout') });
    expect((await place.keys()).map(({ name }) => name)).toEqual(['prod-checkout']);
  });

  it('that cannot be evaluated sends nothing, and shows the place and the reason', async () => {
    place = await openPlace();
    await synthesize(place, 'contract', { variable: { group: { type: 'string' } } });
    const { code, stderr } = await place.run(['apply', '-f', 'cdktf.out', '--yes'], { bare: true });
    expect(code).toBe(3);
    expect(stderr).toContain('terraform.unresolved');
    expect(stderr).toMatch(/--> cdktf\.out\/stacks\/prod\/cdk\.tf\.json:\d+:\d+ in prod\/Search/);
    expect(stderr).toContain('"${var.group}"');
  });
});
