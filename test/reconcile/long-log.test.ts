import { describe, expect, it } from 'vitest';
import { type Budget, type KeyId, quota } from '../../src/domain/index.ts';
import { observe, plan, type UsageCache, type UsageMemory } from '../../src/reconcile/index.ts';
import { declare, emptyAccount, live, NOW, state } from './account.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

function keptCache(): UsageCache {
  let kept: UsageMemory | undefined;
  return {
    load: async () => kept,
    save: async (memory) => {
      kept = memory;
    },
  };
}

describe('a plan of 20 monthly budgets over a log of 36,000 entries', () => {
  const monthly: Budget = { kind: 'window', amount: { quota: quota(100_000) }, per: 'month' };
  const names = Array.from({ length: 20 }, (_, n) => `key-${n}`);

  /** Every key spends one unit at a time since 60 days; `isFilledUp`: it was filled up on the first of the month. */
  function openLongLog({ filtersLog = true, isFilledUp = true } = {}) {
    let now = NOW - 60 * DAY;
    const store = emptyAccount({ reportsUse: true, filtersLog, now: () => now });
    const extra = { created_time: now };
    const ids = names.map((name) => store.seed(live(name, { remain: quota(100_000) }), { extra }));
    const step = (60 * DAY) / 36_000;
    const monthStart = Date.parse(`${new Date(NOW * 1000).toISOString().slice(0, 7)}-01T00:00:00Z`) / 1000;
    for (let n = 0; n < 36_000; n += 1) {
      now = Math.round(NOW - (36_000 - n) * step);
      const id = ids[n % ids.length];
      const record = id === undefined ? undefined : store.records.get(id);
      if (id === undefined || !record) continue;
      if (isFilledUp && now < monthStart) record.remain_quota = 100_001;
      store.spend(id, 1);
    }
    return {
      store,
      async plan(at: number, more: { usageCache?: UsageCache } = {}) {
        now = at;
        const [pages = 0, sums = 0] = [store.calls.usage, store.calls.sumUsage];
        const desired = state(names.map((name) => declare(name, { budget: monthly })));
        const observed = await observe(store, desired, { now: at, ...more });
        return {
          pages: (store.calls.usage ?? 0) - pages,
          sums: (store.calls.sumUsage ?? 0) - sums,
          unverified: observed.unverified?.size ?? 0,
          raises: plan(desired, observed, at).changes.filter(({ verb }) => verb === 'update').length,
          used: observed.used.get(ids[0] as KeyId),
        };
      },
    };
  }

  it('takes 4 pages and a sum for each key where the gateway filters its log, and changes nothing', async () => {
    const byPages = await openLongLog({ filtersLog: false }).plan(NOW);
    expect(byPages).toMatchObject({ unverified: 0, raises: 0 });
    expect(await openLongLog().plan(NOW)).toEqual({ ...byPages, pages: 4, sums: 20 });
  });

  it('reads every page once to raise the keys at the begin of a window, and the first one again', async () => {
    const account = openLongLog({ isFilledUp: false });
    expect(await account.plan(NOW)).toMatchObject({ pages: 360 + 1, sums: 20, unverified: 0, raises: 20 });
  });

  it('takes nothing of the log with a cache, while the window lasts, and only the entries since then in a new one', async () => {
    const account = openLongLog();
    const more = { usageCache: keptCache() };
    await account.plan(NOW, more);
    expect(await account.plan(NOW + HOUR, more)).toMatchObject({ pages: 0, sums: 0, unverified: 0 });
    expect(await account.plan(NOW + 11 * DAY, more)).toMatchObject({ pages: 0, sums: 0, unverified: 0, used: 0 });
  });
});
