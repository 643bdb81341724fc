import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, planned, stateOf } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

/** Attributes of one key, as HCL. */
type Body = Readonly<Record<string, string>>;

const FIRST: Body = {
  name: '"one"',
  enabled: 'true',
  group: '"default"',
  cross_group_retry: 'false',
  models: '["alpha-chat-1"]',
  allow_ips: '["10.0.0.0/8"]',
  expires_at: '"2030-01-01T00:00:00Z"',
  budget: '{ usd = 25, per = "lifetime" }',
};

const SECOND: Body = {
  name: '"two"',
  enabled: 'false',
  group: '"vip"',
  cross_group_retry: 'true',
  models: '["any"]',
  allow_ips: '["203.0.113.7"]',
  expires_at: '"never"',
  budget: '{ usd = 50, per = "lifetime" }',
};

const resource = (body: Body, ignored: string): string =>
  `resource "keyplane_api_key" "one" {\n${Object.entries(body)
    .map(([name, value]) => `  ${name} = ${value}\n`)
    .join('')}  lifecycle { ignore_changes = ${ignored} }\n}\n`;

const CASES = Object.keys(SECOND).map((name) => ({ name, other: name === 'group' ? 'models' : 'group' }));

/** The stored fields of the other attribute. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  group: ['group'],
  models: ['model_limits_enabled', 'model_limits'],
};

type Stored = Readonly<Record<string, unknown>>;

const changed = (before: Stored, after: Stored): readonly string[] =>
  Object.keys(after).filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]));

describe('ignore_changes of terraform', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
  });
  afterEach(() => place?.close());

  const stored = async () => {
    const [{ accessed_time: _, ...key } = {} as Record<string, unknown>] = await place.keys();
    return key;
  };

  it.each(CASES)('keeps $name alone, and next to a change of $other', async ({ name, other }) => {
    stack = await openStack(place, resource(FIRST, `[${name}]`));
    await expectApplied(stack);
    const before = await stored();
    const edited = { ...FIRST, [name]: SECOND[name] ?? '' };
    await stack.configure(resource(edited, `[${name}]`));
    expect(await planned(stack)).toEqual({});
    await expectApplied(stack);
    expect(await stored()).toEqual(before);
    await stack.configure(resource({ ...edited, [other]: SECOND[other] ?? '' }, `[${name}]`));
    expect(await planned(stack)).toEqual({ one: expect.stringMatching(new RegExp(`^update: ${other} `)) });
    await expectApplied(stack);
    expect(changed(before, await stored())).toEqual(STORED[other]);
    await expectSettled(stack);
  });

  /** The changes that people make behind Terraform’s back, as the gateway stores them. */
  const BEHIND: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    name: { name: 'renamed' },
    enabled: { status: 2 },
    group: { group: 'vip' },
    cross_group_retry: { cross_group_retry: true },
    models: { model_limits: 'text-embedding-3-small' },
    allow_ips: { allow_ips: '192.0.2.1' },
    expires_at: { expired_time: 1_990_000_000 },
    budget: { remain_quota: 999_999 },
  };

  it.each(CASES)(
    'keeps $name as somebody changed it, alone and next to a change of $other',
    async ({ name, other }) => {
      stack = await openStack(place, resource(FIRST, `[${name}]`));
      await expectApplied(stack);
      await place.control('PATCH', '/keys/1', BEHIND[name]);
      const before = await stored();
      expect(await planned(stack)).toEqual({});
      const both = { ...FIRST, [name]: SECOND[name] ?? '', [other]: SECOND[other] ?? '' };
      await stack.configure(resource(both, `[${name}]`));
      await expectApplied(stack);
      const after = await stored();
      expect(changed(before, after)).toEqual(STORED[other]);
      await expectSettled(stack);
    },
  );

  it('keeps everything with `all`, whatever is configured or was changed', async () => {
    stack = await openStack(place, resource(FIRST, 'all'));
    await expectApplied(stack);
    await stack.configure(resource(SECOND, 'all'));
    await expectSettled(stack);
    for (const behind of Object.values(BEHIND)) await place.control('PATCH', '/keys/1', behind);
    const before = await stored();
    await expectApplied(stack);
    expect(await stored()).toEqual(before);
    expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject({ id: 1, name: 'renamed', group: 'vip' });
  });

  it.each(['all', '[group, expires_at, budget, models]'])(
    'creates a replaced key as it is configured, with %s',
    async (ignored) => {
      stack = await openStack(place, resource(FIRST, ignored));
      await expectApplied(stack);
      const { group: _, ...configured }: Body = {
        ...FIRST,
        expires_at: '"never"',
        budget: '{ usd = 50, per = "lifetime" }',
        models: '["any"]',
      };
      await stack.configure(resource(configured, ignored));
      await expectApplied(stack, '-replace=keyplane_api_key.one');
      const values = { id: 2, group: null, expires_at: 'never', models: ['any'], remaining_quota: 25_000_000 };
      expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject(values);
      expect(await stored()).toMatchObject({ id: 2, group: '', expired_time: -1, remain_quota: 25_000_000 });
      await expectSettled(stack);
    },
  );

  it('keeps an expiry that each plan computes again', async () => {
    const body = (group: string) => ({
      ...FIRST,
      group,
      expires_at: 'timeadd(plantimestamp(), "720h")',
    });
    stack = await openStack(place, resource(body('"default"'), '[expires_at]'));
    await expectApplied(stack);
    await place.control('PATCH', '/keys/1', { expired_time: 1_990_000_000 });
    await stack.configure(resource(body('"vip"'), '[expires_at]'));
    await expectApplied(stack);
    expect(await stored()).toMatchObject({ group: 'vip', expired_time: 1_990_000_000 });
    expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject({ expires_at: '2033-01-22T09:46:40Z' });
    await expectSettled(stack);
  });

  it('keeps what somebody changed between a plan and its apply', async () => {
    stack = await openStack(place, resource(FIRST, '[group]'));
    await expectApplied(stack);
    await stack.configure(resource({ ...FIRST, group: '"vip"', models: '["any"]' }, '[group]'));
    expect(await planned(stack)).toEqual({ one: expect.stringMatching(/^update: models /) });
    await place.control('PATCH', '/keys/1', { group: 'vip' });
    const { code, stderr } = await stack.run('apply', 'plan.bin');
    expect(code, stderr).toBe(0);
    expect(await stored()).toMatchObject({ group: 'vip', model_limits_enabled: false });
    await expectSettled(stack);
  });

  it('shows a budget that somebody changed, and why it is reset', async () => {
    stack = await openStack(place, resource({ name: '"one"', budget: '{ usd = 25, per = "month" }' }, '[]'));
    await expectApplied(stack);
    await place.control('PATCH', '/keys/1', { unlimited_quota: true });
    const { stdout } = await stack.run('plan');
    expect(stdout).toContain('- unlimited = true -> null');
    expect(stdout).toContain('The remaining quota will be reset to match the budget');
    expect(stdout).toContain('The key has no ceiling, and its budget leaves $25.00 (12500000 units).');
    await expectApplied(stack);
    expect(await stored()).toMatchObject({ unlimited_quota: false, remain_quota: 12_500_000 });
    await expectSettled(stack);
  });

  it('keeps a key without a ceiling whose budget is ignored, also when its line is removed', async () => {
    const body: Body = { name: '"one"', budget: '{ usd = 25, per = "month" }' };
    stack = await openStack(place, resource(body, '[budget]'));
    await expectApplied(stack);
    await place.control('PATCH', '/keys/1', { unlimited_quota: true });
    await expectSettled(stack);
    await stack.configure(resource({ name: '"one"', group: '"vip"' }, '[budget]'));
    await expectApplied(stack);
    expect(await stored()).toMatchObject({ unlimited_quota: true, group: 'vip' });
    await expectSettled(stack);
  });

  it('makes a due refill although the budget is ignored', async () => {
    const body: Body = { name: '"one"', budget: '{ usd = 25, below = { usd = 5 } }' };
    stack = await openStack(place, resource(body, '[budget]'));
    await expectApplied(stack);
    await place.control('PATCH', '/keys/1', { remain_quota: 5 });
    await stack.configure(resource({ name: '"one"' }, '[budget]'));
    await expectApplied(stack);
    expect(await stored()).toMatchObject({ remain_quota: 12_500_000 });
    await expectSettled(stack);
  });

  it('keeps a part of a budget, and changes the rest', async () => {
    const body = (budget: string): Body => ({ name: '"one"', budget });
    stack = await openStack(place, resource(body('{ usd = 25, per = "month" }'), '[budget.usd]'));
    await expectApplied(stack);
    await stack.configure(resource(body('{ usd = 50, per = "7d" }'), '[budget.usd]'));
    expect(await planned(stack)).toEqual({ one: expect.stringMatching(/^update: budget /) });
    await expectApplied(stack);
    expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject({ budget: { usd: 25, per: '7d' } });
    expect(await stored()).toMatchObject({ remain_quota: 12_500_000 });
    await expectSettled(stack);
  });
});

describe('ignore_changes of terraform, for Smart Routing', () => {
  let place: Place;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'contract');
  });
  afterEach(() => place?.close());

  it.each(['{ a = [2], b = 1 }', '{ b = 1, a = [2] }', '{ c = 3 }'])(
    'keeps tiers next to another change (%s)',
    async (tiers) => {
      const body = (group: string, value: string): Body => ({
        name: '"one"',
        group,
        smart_routing_tiers: `jsonencode(${value})`,
        budget: '{ unlimited = true }',
      });
      const stack = await openStack(place, resource(body('"default"', '{ a = [2], b = 1 }'), '[smart_routing_tiers]'));
      await expectApplied(stack);
      await place.control('PATCH', '/keys/1', { smart_route_tiers: '{"d":4}' });
      await stack.configure(resource(body('"vip"', tiers), '[smart_routing_tiers]'));
      await expectApplied(stack);
      expect((await place.keys())[0]).toMatchObject({ group: 'vip', smart_route_tiers: '{"d":4}' });
      await expectSettled(stack);
    },
  );
});
