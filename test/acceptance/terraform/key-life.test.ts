import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProfileName } from '../../../src/reference/index.ts';
import { openPlace, type Place, PROFILES } from '../place.ts';
import { expectApplied, expectSettled, planned, stateOf } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

interface Case {
  readonly before: string;
  readonly after: string;
  /** The attributes that a change of configuration shows. */
  readonly shows: string;
  /** The change made behind Terraform’s back, as stored. */
  readonly behind: Readonly<Record<string, unknown>>;
  /** The attributes that drift shows. */
  readonly drifts: string;
  /** The stored settings after the second configuration is applied. */
  readonly stored: Readonly<Record<string, unknown>>;
}

/** The attributes that are unknown while a key changes, and those while what it may spend changes. */
const STATUS = 'status? stored_status?';
const FIGURES = `remaining_quota? ${STATUS} used_quota?`;

/** One key for each field. */
const CASES: Readonly<Record<string, Case>> = {
  enabled: {
    before: 'enabled = true',
    after: 'enabled = false',
    shows: 'enabled',
    behind: { status: 1 },
    drifts: 'enabled',
    stored: { status: 2 },
  },
  group: {
    before: 'group = "default"',
    after: 'group = "vip"',
    shows: 'group',
    behind: { group: 'default' },
    drifts: 'group',
    stored: { group: 'vip' },
  },
  cross_group_retry: {
    before: 'cross_group_retry = false',
    after: 'cross_group_retry = true',
    shows: 'cross_group_retry',
    behind: { cross_group_retry: false },
    drifts: 'cross_group_retry',
    stored: { cross_group_retry: true },
  },
  models: {
    before: 'models = ["text-embedding-3-small", "alpha-chat-1"]',
    after: 'models = ["any"]',
    shows: 'models',
    behind: { model_limits_enabled: true, model_limits: '' },
    drifts: 'models',
    stored: { model_limits_enabled: false },
  },
  allow_ips: {
    before: 'allow_ips = ["anywhere"]',
    after: 'allow_ips = ["203.0.113.7", "10.0.0.0/8"]',
    shows: 'allow_ips',
    behind: { allow_ips: '10.0.0.0/8' },
    drifts: 'allow_ips',
    stored: { allow_ips: '10.0.0.0/8\n203.0.113.7' },
  },
  expires_at: {
    before: 'expires_at = "never"',
    after: 'expires_at = "2030-03-31T02:00:00+02:00"',
    shows: 'expires_at',
    behind: { expired_time: 1_990_000_000 },
    drifts: 'expires_at',
    stored: { expired_time: 1_901_145_600 },
  },
  lifetime: {
    before: 'budget = { usd = 25, per = "lifetime" }',
    after: 'budget = { quota = 20000000, per = "lifetime" }',
    shows: 'budget',
    behind: { remain_quota: 999_999_999 },
    drifts: 'budget',
    stored: { remain_quota: 20_000_000, unlimited_quota: false },
  },
  window: {
    before: 'budget = { usd = 25.5, per = "month" }',
    after: 'budget = { usd = 0.1, per = "7d" }',
    shows: 'budget',
    behind: { remain_quota: 999_999_999 },
    drifts: 'budget',
    stored: { remain_quota: 50_000 },
  },
  top_up: {
    before: 'budget = { usd = 25, below = { usd = 5 } }',
    after: 'budget = { usd = 80, below = { quota = 20000000 } }',
    shows: 'budget',
    behind: { remain_quota: 1 },
    drifts: '',
    stored: { remain_quota: 40_000_000 },
  },
  unlimited: {
    before: 'budget = { usd = 1, initial = true }',
    after: 'budget = { unlimited = true }',
    shows: 'budget',
    behind: { unlimited_quota: false },
    drifts: 'budget',
    stored: { unlimited_quota: true },
  },
  smart_routing_tiers: {
    before: 'smart_routing_tiers = jsonencode({ b = 1, a = ["x"] })',
    after: 'smart_routing_tiers = jsonencode([{ tier = 1 }])',
    shows: 'smart_routing_tiers',
    behind: { smart_route_tiers: '{"tier":2}' },
    drifts: 'smart_routing_tiers',
    stored: { smart_routing: true, smart_route_tiers: '[{"tier":1}]' },
  },
};

/** Deployed gateways do not know Smart Routing. */
const namesFor = (profile: ProfileName): readonly string[] =>
  Object.keys(CASES).filter((name) => profile === 'contract' || name !== 'smart_routing_tiers');

const resource = (label: string, body: string, name = label): string =>
  `resource "keyplane_api_key" "${label}" {\n  name = "${name}"\n  ${body}\n  ${body.includes('budget') ? '' : 'budget = { usd = 1, per = "lifetime" }'}\n}\n`;

const configuration = (names: readonly string[], which: 'before' | 'after'): string =>
  names.map((name) => resource(name, CASES[name]?.[which] ?? '')).join('') + resource('renamed', '', which);

const expected = (names: readonly string[], of: (each: Case) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(CASES)
      .filter(([name]) => names.includes(name))
      .map(([name, each]) => {
        const changesFigures = of(each) === 'budget' || of(each) === '';
        return [name, `update: ${[of(each), changesFigures ? FIGURES : STATUS].filter(Boolean).join(' ')}`];
      }),
  );

const WARNED = /Warning: The (models|groups) were not verified/;

describe.each(PROFILES)('keys of terraform through their life (%s)', (profile) => {
  const names = namesFor(profile);
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], profile);
  });
  afterEach(() => place?.close());

  // Where the record does not report what a key used, nothing but this setting lets a budget be raised.
  const trust = profile === 'contract' ? 'provider "keyplane" {\n  assume_log_complete = true\n}\n' : '';
  const byName = async () => new Map((await place.keys()).map((key) => [key.name, key]));
  const patch = async (name: string, fields: Readonly<Record<string, unknown>>) =>
    place.control('PATCH', `/keys/${(await byName()).get(name)?.id}`, fields);

  it('makes, changes, fixes and ends each field', async () => {
    stack = await openStack(place, trust + configuration(names, 'before'));
    const output = await expectApplied(stack);
    expect(output).toContain(`Resources: ${names.length + 1} added`);
    expect(output).toMatch(WARNED);
    await expectSettled(stack);
    const before = await byName();

    await stack.configure(trust + configuration(names, 'after'));
    expect(await planned(stack)).toEqual({
      ...expected(names, ({ shows }) => shows),
      renamed: `update: name ${STATUS}`,
    });
    await stack.run('apply', 'plan.bin');
    await expectSettled(stack);
    const after = await byName();
    expect([...after.keys()].sort()).toEqual([...names, 'after'].sort());
    for (const name of names) expect(after.get(name), name).toMatchObject(CASES[name]?.stored ?? {});
    const ids = (keys: typeof before) => [...keys.values()].map(({ id, key }) => [id, key]);
    expect(ids(after)).toEqual(ids(before));

    for (const name of names) await patch(name, CASES[name]?.behind ?? {});
    expect(await planned(stack)).toEqual(expected(names, ({ drifts }) => drifts));
    await stack.run('apply', 'plan.bin');
    await expectSettled(stack);
    const fixed = await byName();
    for (const name of names) expect(fixed.get(name), name).toMatchObject(CASES[name]?.stored ?? {});

    const { code, stdout } = await stack.run('destroy', '-auto-approve');
    expect([code, await place.keys()], stdout).toEqual([0, []]);
  });

  it('finds no drift in what keys consume', async () => {
    stack = await openStack(
      place,
      trust +
        resource('grant', 'budget = { usd = 25, per = "lifetime" }') +
        resource('open', 'budget = { unlimited = true }'),
    );
    await expectApplied(stack);
    for (const { id } of await place.keys()) {
      await place.control('POST', '/spend', { keyId: id, quota: 4000, model: 'alpha-chat-1' });
    }
    await expectSettled(stack);
    const refreshed = await stack.run('plan', '-refresh-only', '-detailed-exitcode');
    expect([refreshed.code, refreshed.stdout]).toEqual([0, expect.stringContaining('No changes')]);
    // Only deployed gateways report what a key used.
    const used = (units: number) => (profile === 'deployed' ? units : null);
    expect(await stateOf(stack, 'keyplane_api_key.grant')).toMatchObject({
      remaining_quota: 12_500_000,
      used_quota: used(0),
    });
    await stack.configure(
      trust +
        resource('grant', 'budget = { usd = 30, per = "lifetime" }') +
        resource('open', 'budget = { unlimited = true }'),
    );
    await expectApplied(stack);
    expect(await stateOf(stack, 'keyplane_api_key.grant')).toMatchObject({
      remaining_quota: 14_996_000,
      used_quota: used(4000),
    });
    await expectSettled(stack);
  });

  // What no profile could make another thing of is shown once.
  if (profile !== 'deployed') return;

  it('plans deleted keys again, and replaces keys on request', async () => {
    stack = await openStack(place, resource('one', '') + resource('two', ''));
    await expectApplied(stack);
    const [first] = await place.keys();
    await place.run(['keys', 'delete', String(first?.id), '--yes']);
    expect(Object.values(await planned(stack))).toEqual(['create']);
    await stack.run('apply', 'plan.bin');
    await expectSettled(stack);
    const { id } = await stateOf(stack, 'keyplane_api_key.two');
    expect(await planned(stack, '-replace=keyplane_api_key.two')).toEqual({ two: 'delete+create' });
    await stack.run('apply', 'plan.bin');
    const { id: next } = await stateOf(stack, 'keyplane_api_key.two');
    expect(next).toBeGreaterThan(Number(id));
    expect((await place.keys()).map(({ name }) => name).sort()).toEqual(['one', 'two']);
    await expectSettled(stack);
  });
});
