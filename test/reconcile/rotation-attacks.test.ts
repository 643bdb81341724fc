import { describe, expect, it } from 'vitest';
import type { KeyId, Rotation, UnixSeconds } from '../../src/domain/index.ts';
import { apply, observe, type PlanOptions, plan } from '../../src/reconcile/index.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { declare, live, NOW, state } from './account.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const ROTATE: Rotation = { every: 90 * DAY, overlap: 7 * DAY };
const proveSecrets = async (ids: readonly KeyId[]) => new Map(ids.map((id) => [id, undefined]));

/** An account whose gateway and whose machine have clocks of their own. */
function world(body = { reportsUse: true, reportsTimes: true }) {
  let now: UnixSeconds = NOW;
  let [gateway, machine] = [0, 0];
  const store = new MemoryStore({ ...body, now: () => now });
  const clocks = { now: () => now + gateway, machineNow: () => now + machine };
  return {
    store,
    pass: (seconds: number) => {
      now += seconds;
    },
    jump: (more: { readonly gateway?: number; readonly machine?: number }) => {
      [gateway, machine] = [more.gateway ?? 0, more.machine ?? 0];
    },
    async apply(desired: ReturnType<typeof state>, options: PlanOptions = {}) {
      const trust = { assumeLogComplete: !body.reportsUse };
      const observed = await observe(store, desired, { ...clocks, now: clocks.now(), ...trust });
      const made = plan(desired, observed, clocks.now(), options);
      return apply(made, store, { ...clocks, observed, desired, concurrency: 1, proveSecrets, ...trust });
    },
    keys: () => [...store.records.values()].map(({ name, status }) => `${name} ${status}`),
    byName: (name: string) => [...store.records.values()].find((each) => each.name === name)?.id ?? 0,
  };
}

const desired = state([declare('app', { rotate: ROTATE })]);

describe('an old generation whose overlap is not over', () => {
  it.each([
    ['that of the gateway', { gateway: 60 * DAY }],
    ['that of this machine', { machine: 60 * DAY }],
  ])('stays when one clock jumps ahead: %s', async (_, ahead) => {
    const made = world();
    const id = made.store.seed(live('app'));
    made.pass(90 * DAY);
    await made.apply(desired);
    made.pass(DAY);
    made.store.spend(id, 5);
    made.jump(ahead);
    await made.apply(desired);
    made.jump({});
    await made.apply(desired);
    expect(made.store.records.get(id)?.status, `${made.keys()}`).toBe(1);
  });
});
