import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DesiredState, pendingChanges } from '../../src/domain/index.ts';
import { apply, observe, plan, reportFaults } from '../../src/reconcile/index.ts';
import type { Seed } from '../../src/reference/index.ts';
import { declare, NOW, state } from '../reconcile/account.ts';
import { overHttp } from './bodies.ts';
import { controlOf } from './control.ts';

const TIERS = '{"tiers": [{"model": "alpha-chat-1", "weight": 1.50}]}';
const SEED: Seed = {
  accounts: [{ userId: 7, quota: 50_000_000 }],
  keys: [
    { id: 1, name: 'lapsed', status: 3, expired_time: NOW - 60, remain_quota: 500_000 },
    { id: 2, name: 'spent', status: 4, remain_quota: 0 },
    { id: 3, name: 'router', smart_routing: true, smart_route_tiers: TIERS, remain_quota: 500_000 },
  ],
};

describe.each(['contract', 'deployed'] as const)('over HTTP, profile %s', (profile) => {
  let body: Awaited<ReturnType<typeof overHttp>>;
  let control: ReturnType<typeof controlOf>;
  beforeEach(async () => {
    body = await overHttp(profile, { control: true, seed: SEED });
    control = controlOf(body.reference.url);
  });
  afterEach(() => body.close());

  const planned = async (desired: DesiredState) => {
    const observed = await observe(body.store, desired, { now: NOW });
    return { observed, made: plan(desired, observed, NOW) };
  };

  async function run(desired: DesiredState): Promise<readonly string[]> {
    const { observed, made } = await planned(desired);
    const report = await apply(made, body.store, { observed, desired, now: () => NOW, concurrency: 4 });
    expect(reportFaults(report)[0]).toBeUndefined();
    expect(pendingChanges((await planned(desired)).made)).toEqual([]);
    return pendingChanges(made).map((change) => `${change.verb} ${change.name}`);
  }

  const stored = async (name: string) => (await control.state()).keys.find((key) => key.name === name);

  it('expired and exhausted keys are repaired in two steps: the cause, then the status', async () => {
    await control.takeRequests();
    const repaired = await run(
      state([declare('lapsed', { expires: NOW + 86_400 }), declare('spent', { budget: { kind: 'unlimited' } })]),
    );
    expect(repaired).toEqual(['update lapsed', 'update spent', 'enable lapsed', 'enable spent']);
    const { requests } = await control.takeRequests();
    expect(requests['PUT /api/token/']).toBe(2);
    expect(requests['PUT /api/token/?status_only=true']).toBe(2);
    expect(await stored('lapsed')).toMatchObject({ status: 1, expired_time: NOW + 86_400, remain_quota: 500_000 });
    expect(await stored('spent')).toMatchObject({ status: 1, unlimited_quota: true });
  });

  // Deployed gateways do not know Smart Routing.
  if (profile === 'contract') {
    it('a Smart Routing key is found, keeps its tiers to the letter when it is changed, and is never pruned', async () => {
      expect(await run(state([declare('router', { group: 'vip' })]))).toEqual(['update router']);
      expect(await stored('router')).toMatchObject({ group: 'vip', smart_routing: true, smart_route_tiers: TIERS });
      const before = JSON.stringify(await stored('router'));
      expect(await run(state([], { scope: ['*'], prune: 'delete' }))).toEqual(['delete lapsed', 'delete spent']);
      expect(JSON.stringify(await stored('router'))).toBe(before);
    });
  }
});
