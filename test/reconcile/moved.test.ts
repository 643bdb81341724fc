import { describe, expect, it } from 'vitest';
import { decimalOf, keyName, quota } from '../../src/domain/index.ts';
import { moved, observe, plan } from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { declare, emptyAccount, live, NOW, state } from './account.ts';

/** Makes a plan, lets something happen, and returns what moved. */
async function whatMoved(
  store: MemoryStore,
  desired: ReturnType<typeof state>,
  happen: (store: MemoryStore) => void,
): Promise<string[]> {
  const made = plan(desired, await observe(store, desired, { now: NOW }), NOW);
  happen(store);
  return moved(made, await observe(store, state([]), { now: NOW })).map((m) => `${m.name}: ${m.what}`);
}

const account = (reportsUse = false): MemoryStore => {
  const store = emptyAccount({ reportsUse });
  store.seed(live('a'));
  return store;
};
const edit = state([declare('a', { group: 'vip' })]);

describe('a saved plan', () => {
  it('is fresh when nothing moved', async () => {
    expect(await whatMoved(account(), edit, () => {})).toEqual([]);
  });

  it('is fresh under traffic, also when the status moves by it', async () => {
    for (const reportsUse of [true, false]) {
      const happen = (store: MemoryStore) => {
        store.spend(1 as never, 5_000_000);
        Object.assign(store.records.get(1) ?? {}, { status: 4 });
      };
      expect(await whatMoved(account(reportsUse), edit, happen)).toEqual([]);
    }
  });

  it.each([
    ['disables', state([declare('a', { enabled: false })])],
    ['deletes', state([], { scope: ['*'], prune: 'delete' })],
  ])('that %s a key is fresh when nothing moved, and when the key spent', async (_, desired) => {
    expect(await whatMoved(account(), desired, () => {})).toEqual([]);
    expect(await whatMoved(account(), desired, (store) => store.spend(1 as never, 1000))).toEqual([]);
  });

  it('that disables a key is stale when the key is exhausted now', async () => {
    const happen = (s: MemoryStore) => Object.assign(s.records.get(1) ?? {}, { status: 4 });
    expect(await whatMoved(account(), state([declare('a', { enabled: false })]), happen)).toEqual([
      'a: its status is now exhausted (was enabled)',
    ]);
  });

  it('is fresh when something moved that it does not touch', async () => {
    expect(await whatMoved(account(), edit, (store) => store.seed(live('other')))).toEqual([]);
  });

  it.each<[string, (store: MemoryStore) => void, string]>([
    [
      'a setting',
      (s) => Object.assign(s.records.get(1) ?? {}, { expired_time: 7 }),
      'a: expires is now 1970-01-01T00:00:07Z (was unset)',
    ],
    [
      'a manual disable',
      (s) => Object.assign(s.records.get(1) ?? {}, { status: 2 }),
      'a: its status is now disabled (was enabled)',
    ],
    [
      'a top-up',
      (s) => Object.assign(s.records.get(1) ?? {}, { remain_quota: 6_000_000 }),
      'a: its remaining budget is now $12.00 (was $10.00)',
    ],
    ['a delete', (s) => s.records.delete(1), 'a: it no longer exists'],
  ])('is stale after %s, and reports what moved', async (_, happen, line) => {
    expect(await whatMoved(account(), edit, happen)).toEqual([line]);
  });

  it('is stale when a key got a limit, and reports that once', async () => {
    const store = emptyAccount();
    store.seed(live('a', { unlimited: true, remain: quota(0) }));
    const happen = ({ records }: MemoryStore) =>
      Object.assign(records.get(1) ?? {}, { unlimited_quota: false, remain_quota: 5 });
    expect(await whatMoved(store, edit, happen)).toEqual(['a: unlimited is now false (was true)']);
  });

  it('is stale when a key of a name that it creates, or renames to, is there now', async () => {
    const create = state([declare('b', { budget: { kind: 'unlimited' } })]);
    expect(await whatMoved(account(), create, (s) => s.seed(live('b')))).toEqual(['b: key 2 now has this name']);
    const rename = state([declare('b', { renamedFrom: keyName('a') })]);
    expect(await whatMoved(account(), rename, (s) => s.seed(live('b')))).toEqual(['b: key 2 now has this name']);
  });

  it('is stale when a key that it changes in other respects has the name now', async () => {
    const both = state([declare('a', { group: 'vip' }), declare('b', { budget: { kind: 'unlimited' } })]);
    expect(await whatMoved(account(), both, (s) => Object.assign(s.records.get(1) ?? {}, { name: 'b' }))).toEqual([
      'b: key 1 now has this name',
      'a: name is now "b" (was "a")',
    ]);
  });

  it('is stale when somebody enabled a disabled key, whatever it changes', async () => {
    const store = emptyAccount();
    store.seed(live('a'), { status: 2 });
    expect(await whatMoved(store, edit, (s) => Object.assign(s.records.get(1) ?? {}, { status: 1 }))).toEqual([
      'a: its status is now enabled (was disabled)',
    ]);
  });

  it('is fresh when the name that it renames to is freed by itself', async () => {
    const store = account();
    store.seed(live('b'));
    const chain = state([declare('b', { renamedFrom: keyName('a') }), declare('c', { renamedFrom: keyName('b') })]);
    expect(await whatMoved(store, chain, () => {})).toEqual([]);
  });

  it('is fresh when the gateway stops reporting what a key used', async () => {
    const store = account(true);
    const made = plan(edit, await observe(store, edit, { now: NOW }), NOW);
    const observed = await observe(store, edit, { now: NOW });
    const keys = observed.keys.map(({ used, ...key }) => ({ ...key, remain: quota(key.remain - 1000) }));
    expect(moved(made, { ...observed, keys })).toEqual([]);
  });

  it('is stale when the rate changed', async () => {
    const store = account();
    const made = plan(edit, await observe(store, edit, { now: NOW }), NOW);
    const observed = { ...(await observe(store, edit, { now: NOW })), quotaPerUnit: decimalOf(1000) };
    expect(moved(made, observed)).toMatchObject([{ what: 'one dollar is now 1000 quota units (was 500000)' }]);
  });

  it('sees a top-up exactly where the use is reported, though the key spent meanwhile', async () => {
    const happen = (store: MemoryStore) => {
      store.spend(1 as never, 1000);
      Object.assign(store.records.get(1) ?? {}, { remain_quota: quota(4_999_500) });
    };
    expect(await whatMoved(account(true), edit, happen)).toHaveLength(1);
    expect(await whatMoved(account(false), edit, happen)).toEqual([]);
  });
});
