import { describe, expect, it } from 'vitest';
import { type DesiredState, Fault, keyId, type ObservedKey, pendingChanges, quota } from '../../src/domain/index.ts';
import { apply, observe, plan, reportFaults } from '../../src/reconcile/index.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { applied, declare, emptyAccount, live, NOW, state, TRUSTED, verbs } from './account.ts';
import { states } from './going-wrong.ts';

const lifetime = (units: number) => ({ kind: 'lifetime', amount: { quota: quota(units) } }) as const;
const NEXT_HOUR = NOW + 3600;

describe('the plan made again', () => {
  const pendingOf = ({ after }: Awaited<ReturnType<typeof applied>>) =>
    verbs({ changes: pendingChanges(after ?? { changes: [] }) });

  it('leaves out a key that somebody created meanwhile', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.hook = (operation) => operation === 'update' && store.seed(live('c'));
    const desired = state([declare('a', { group: 'vip' })], { scope: ['*'], prune: 'delete' });
    const report = await applied(store, desired);
    expect([pendingOf(report), reportFaults(report)]).toEqual([[], []]);
  });

  it('has the refill of a key that the first list did not show', async () => {
    const store = emptyAccount();
    for (const name of ['a', 'b']) store.seed(live(name, { remain: quota(1000) }));
    const walk = store.walk.bind(store);
    store.walk = async () => {
      store.walk = walk;
      return (await walk()).filter(({ name }) => name !== 'b');
    };
    const desired = state([declare('a', { group: 'vip' }), declare('b', { budget: lifetime(2000) })]);
    const report = await applied(store, desired);
    expect([states(report), pendingOf(report), report.fatal]).toEqual([
      ['create b: failed', 'update a: applied'],
      ['update b'],
      undefined,
    ]);
  });

  it('has the budget of a key whose limit the gateway drops', async () => {
    const store = emptyAccount();
    store.seed(live('a', { unlimited: true, remain: quota(0) }));
    store.hook = (operation) =>
      operation === 'walk' && store.calls.update && Object.assign(store.records.get(1) ?? {}, { remain_quota: 100 });
    const report = await applied(store, state([declare('a', { budget: lifetime(1000) })]));
    expect([pendingOf(report), report.fatal]).toEqual([['update a'], undefined]);
  });

  it.each([
    ['begins to report the use', false, 70],
    ['ceases to report the use', true, 70],
    ['does not report the use of a key that has spent nothing since', undefined, 0],
  ])('leaves out the refill of a new window where the gateway %s', async (_, reported, units) => {
    let [now, isReported] = [NOW, reported ?? false];
    const options = { now: () => now, filtersLog: false };
    const store = new MemoryStore({
      ...options,
      get reportsUse() {
        return isReported;
      },
    });
    for (const name of ['a', 'b']) store.spend(store.seed(live(name, { remain: quota(1000) })), 30);
    const other = store.seed(live('other'));
    const budget = { kind: 'window', amount: { quota: quota(1000) }, per: 'hour' } as const;
    const desired = state([declare('a', { budget, group: 'vip' }), declare('b', { budget })]);
    const observed = await observe(store, desired, { now, ...TRUSTED });
    const made = plan(desired, observed, now);
    store.hook = (operation) => {
      // A log that moved is read again.
      if (operation === 'update') store.spend(other, 1);
      if (operation !== 'walk') return;
      store.hook = () => {};
      for (const id of [1, 2]) if (units > 0) store.spend(keyId(id), units);
      now = NEXT_HOUR;
      if (reported !== undefined) isReported = !reported;
    };
    const report = await apply(made, store, { observed, desired, now: () => now, concurrency: 1, ...TRUSTED });
    expect([pendingOf(report), reportFaults(report)]).toEqual([[], []]);
  });

  it('has the changes that the gateway does not show, and no notes, where nothing is declared', async () => {
    const store = emptyAccount();
    for (const name of ['a', 'b']) store.seed(live(name), { status: 2 });
    const desired = state([declare('a'), declare('b')]);
    const made = plan(desired, await observe(store, desired, { now: NOW }), NOW, { allowEnable: ['a', 'b'] });
    const observed = await observe(store, state([]), { now: NOW });
    store.hook = (operation) => operation === 'walk' && store.records.delete(2);
    const report = await apply(made, store, { observed, now: () => NOW, concurrency: 1 });
    expect([states(report), report.after?.notes, report.fatal]).toEqual([
      ['enable a: applied', 'enable b: applied'],
      [],
      undefined,
    ]);
    expect(pendingOf(report)).toEqual(['enable b']);
  });

  it.each<[string, DesiredState]>([
    ['with a budget', state([declare('a', { budget: lifetime(1000), group: 'vip' })])],
    ['without one', state([declare('a', { group: 'vip' })])],
  ])('costs no page of a log with older entries where nothing was spent, for a key %s', async (_, desired) => {
    const store = emptyAccount();
    store.seed(live('a', { remain: quota(1000) }));
    store.spend(store.seed(live('other')), 5);
    const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
    const made = plan(desired, observed, NOW);
    store.calls.usage = 0;
    const report = await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1, ...TRUSTED });
    expect([store.calls.usage, pendingOf(report), report.fatal]).toEqual([3, [], undefined]);
  });
});

describe('a lost answer of an update of the remainder', () => {
  const withUse = (key: ObservedKey): ObservedKey => ({ ...key, used: quota(0) });

  it.each([true, false])('is looked up where the record reports its use only now, or no longer (%s)', async (isNow) => {
    const store = emptyAccount({ reportsUse: !isNow });
    store.seed(live('a', { remain: quota(1000) }));
    const tryRead = store.tryRead.bind(store);
    let failed = false;
    store.tryRead = async (id) => {
      const key = await tryRead(id);
      if (!key || !failed) return key;
      const { used, ...rest } = key;
      return isNow ? withUse(key) : rest;
    };
    store.hook = (operation) => {
      if (operation !== 'update' || failed) return;
      failed = true;
      throw new Fault('gateway.timeout', 'the answer was lost');
    };
    const desired = state([declare('a', { budget: lifetime(1500) })]);
    const report = await applied(store, desired);
    expect([states(report), store.records.get(1)?.remain_quota]).toEqual([['update a: applied'], 1500]);
  });
});
