import { describe, expect, it } from 'vitest';
import { type Budget, type KeyId, pendingChanges, quota } from '../../src/domain/index.ts';
import { apply, observe, plan } from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { declare, emptyAccount, live, NOW, state, TRUSTED } from './account.ts';

const topUp = (amount: number, below: number): Budget => ({
  kind: 'top-up',
  amount: { quota: quota(amount) },
  below: { quota: quota(below) },
});
const hourly = (amount: number): Budget => ({ kind: 'window', amount: { quota: quota(amount) }, per: 'hour' });

/** A key: what it holds before the plan, what it spends before it, and its budget. */
type Key = readonly [remain: number, spent: number, Budget];

/** Keys a, b, … are written by a run; then something happens before the keys are read again. Returns what is left to do. */
async function leftToDo(
  reportsUse: boolean,
  keys: readonly Key[],
  happens: (store: MemoryStore, ids: readonly KeyId[], move: (at: number) => void) => void,
) {
  let now = NOW + 1800;
  const store = emptyAccount({ reportsUse, now: () => now });
  const ids = keys.map(([remain], n) => store.seed(live('abc'.charAt(n), { remain: quota(remain) })));
  for (const [n, [, spent]] of keys.entries()) if (spent > 0) store.spend(ids[n] as KeyId, spent);
  const desired = state(keys.map(([, , budget], n) => declare('abc'.charAt(n), { budget, group: 'vip' })));
  const observed = await observe(store, desired, { now, ...TRUSTED });
  const made = plan(desired, observed, now);
  store.hook = (operation) => {
    if (operation !== 'walk') return;
    store.hook = () => {};
    happens(store, ids, (at) => {
      now = at;
    });
  };
  const report = await apply(made, store, { observed, desired, now: () => now, concurrency: 1, ...TRUSTED });
  expect(report.outcomes.every(({ state: end }) => end === 'applied')).toBe(true);
  return pendingChanges(report.after ?? { changes: [] }).map(({ name }) => name);
}

const spend =
  (n: number, units: number) =>
  (store: MemoryStore, ids: readonly KeyId[]): void =>
    store.spend(ids[n] as KeyId, units);
const grant =
  (n: number, units: number) =>
  (store: MemoryStore, ids: readonly KeyId[]): void => {
    const record = store.records.get(ids[n] as KeyId);
    if (record) record.remain_quota += units;
  };

describe('a refill that becomes due while a run lasts', () => {
  it.each<[string, readonly Key[], Parameters<typeof leftToDo>[2]]>([
    [
      'of a key that was not refilled',
      [
        [1000, 0, topUp(1000, 900)],
        [5000, 0, topUp(5000, 4500)],
      ],
      spend(1, 600),
    ],
    [
      'of a key that was',
      [
        [100, 0, topUp(1000, 900)],
        [200, 0, topUp(5000, 4500)],
      ],
      spend(1, 600),
    ],
    [
      'of the first of them',
      [
        [100, 0, topUp(1000, 900)],
        [200, 0, topUp(5000, 4500)],
      ],
      spend(0, 150),
    ],
    ['of a key that spent before', [[1000, 300, hourly(1000)]], (_store, _ids, move) => move(NOW + 3600)],
  ])('is not left to do: %s', async (_, keys, happens) => {
    for (const reportsUse of [true, false]) expect(await leftToDo(reportsUse, keys, happens)).toEqual([]);
  });

  it('is left to do where somebody granted units, and no record shows the use', async () => {
    const keys: readonly Key[] = [[1000, 300, hourly(1000)]];
    const left = await leftToDo(false, keys, (store, ids, move) => {
      grant(0, 100)(store, ids);
      move(NOW + 3600);
    });
    expect(left).toEqual(['a']);
  });
});
