import { describe, expect, it } from 'vitest';
import { type Budget, EXIT, Fault, quota } from '../../src/domain/index.ts';
import { exitOf } from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { applied, declare, emptyAccount, live, state } from './account.ts';

const lifetime = (units: number): { budget: Budget } => ({
  budget: { kind: 'lifetime', amount: { quota: quota(units) } },
});

/** The first write throws before it takes effect: nothing of it happens. */
function swallowing(store: MemoryStore, times: number): void {
  store.hook = (operation) => {
    if (operation === 'update' && (store.calls.update ?? 0) <= times) throw new Fault('gateway.timeout', 'on purpose');
  };
}

const remain = (store: MemoryStore, id: number): number | undefined => store.records.get(id)?.remain_quota;

describe('a budget whose write was not answered', () => {
  it.each([
    [true, 1500],
    [true, 400],
    [false, 1500],
    [false, 400],
  ])('is written once more when it did not take effect (use told: %s, wanted: %i)', async (tellsUse, units) => {
    const store = emptyAccount({ tellsUse });
    const id = store.seed(live('a', { remain: quota(1000) }));
    swallowing(store, 1);
    const report = await applied(store, state([declare('a', lifetime(units))]));
    expect(report.outcomes.map((o) => o.state)).toEqual(['applied']);
    expect(report.corrections).toEqual([]);
    expect(remain(store, id)).toBe(units);
    expect(exitOf(report)).toBe(EXIT.done);
  });

  it.each([true, false])('is never told as applied when it never takes effect (use told: %s)', async (tellsUse) => {
    const store = emptyAccount({ tellsUse });
    const id = store.seed(live('a', { remain: quota(1000) }));
    swallowing(store, 9);
    const report = await applied(store, state([declare('a', lifetime(1500))]));
    expect(report.outcomes.map((o) => o.state)).toEqual(['indeterminate']);
    expect(remain(store, id)).toBe(1000);
  });

  it.each([
    [true, 1500],
    [true, 400],
    [false, 1500],
    [false, 400],
  ])('is found to be there when only the answer was lost (use told: %s, wanted: %i)', async (tellsUse, units) => {
    const store = emptyAccount({ tellsUse });
    const id = store.seed(live('a', { remain: quota(1000) }));
    const real = store.update.bind(store);
    store.update = async (base, patch) => {
      await real(base, patch);
      store.spend(id, 10);
      throw new Fault('gateway.connection-lost', 'on purpose');
    };
    const report = await applied(store, state([declare('a', lifetime(units))]));
    expect(report.outcomes.map((o) => o.state)).toEqual(['applied']);
    expect(store.calls.update).toBe(1);
    expect(remain(store, id)).toBe(units - 10);
  });
});
