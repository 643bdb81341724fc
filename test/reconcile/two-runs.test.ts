import { describe, expect, it } from 'vitest';
import { reportFaults } from '../../src/reconcile/index.ts';
import { applied, declareNew, emptyAccount, live, state } from './account.ts';
import { failing } from './going-wrong.ts';

const names = (n: number): string[] => Array.from({ length: n }, (_, i) => `key-${String(i).padStart(4, '0')}`);
const wanted = (n: number) => state(names(n).map((name) => declareNew(name)));

const doubled = (store: ReturnType<typeof emptyAccount>): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { name } of store.records.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([name]) => name);
};

describe('two runs that meet', () => {
  it.each([2, 3])('apply.duplicate: stop after the first key that all of them created: %i runs', async (runs) => {
    const store = emptyAccount();
    const reports = await Promise.all(Array.from({ length: runs }, () => applied(store, wanted(30))));
    expect([doubled(store), store.records.size]).toEqual([['key-0000'], runs]);
    for (const report of reports) {
      expect(report.fatal?.code).toBe('apply.duplicate');
      const skipped = report.outcomes.filter(({ state: of }) => of === 'skipped');
      expect([report.outcomes.length, skipped.length]).toEqual([30, 29]);
    }
  });

  it('stop at the batch in which another run catches up', async () => {
    const store = emptyAccount();
    let created = 0;
    store.hook = (operation) => {
      if (operation !== 'create') return;
      created += 1;
      if (created === 5) store.seed(live('key-0004'));
    };
    const report = await applied(store, wanted(200), { concurrency: 1 });
    expect(report.fatal).toMatchObject({ code: 'apply.duplicate', detail: { name: 'key-0004' } });
    expect(created).toBe(10);
    expect(doubled(store)).toEqual(['key-0004']);
  });

  it('do not create what the other has created meanwhile, and create the rest', async () => {
    const store = emptyAccount();
    let created = 0;
    store.hook = (operation) => {
      if (operation !== 'create') return;
      created += 1;
      if (created === 3) store.seed(live('key-0020'));
    };
    const report = await applied(store, wanted(30), { concurrency: 1 });
    expect(doubled(store)).toEqual([]);
    expect(report.outcomes.filter(({ state: of }) => of !== 'applied')).toMatchObject([
      { state: 'failed', change: { name: 'key-0020' }, fault: { code: 'plan.stale' } },
    ]);
  });

  it('create nothing more when the keys cannot be looked at', async () => {
    const store = emptyAccount();
    store.hook = failing('newest', 'gateway.timeout');
    const report = await applied(store, wanted(30));
    expect([store.calls.create, report.fatal?.code]).toEqual([1, 'gateway.timeout']);
  });

  it.each([
    [1, 0],
    [2, 1],
    [100, 2],
    [1000, 6],
  ])('cost one request between batches: %i creates, %i looks', async (n, looks) => {
    const store = emptyAccount();
    const report = await applied(store, wanted(n));
    expect(reportFaults(report)).toEqual([]);
    expect([store.calls.create, store.calls.newest ?? 0]).toEqual([n, looks]);
  });
});
