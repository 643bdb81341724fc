import { describe, expect, it } from 'vitest';
import { type Budget, keyId, quota } from '../../src/domain/index.ts';
import { observe, plan, type UsageCache, type UsageMemory } from '../../src/reconcile/index.ts';
import { applied, declare, emptyAccount, live, NOW, planOf, state, TRUSTED } from './account.ts';

const lifetime: Budget = { kind: 'lifetime', amount: { quota: quota(10_000) } };
const daily: Budget = { kind: 'window', amount: { quota: quota(10_000) }, per: 'day' };

/** An account whose key `a` spent 1 unit every ten minutes, newest now. */
function spending(times: number, reportsUse = false) {
  let now = NOW;
  const store = emptyAccount({ reportsUse, now: () => now });
  const id = store.seed(live('a', { remain: quota(10_000) }));
  for (let i = times - 1; i >= 0; i -= 1) {
    now = NOW - i * 600;
    store.spend(id, 1);
  }
  return { store, id };
}

/** A cache that keeps what it was last given. */
function remembering(): UsageCache {
  let kept: UsageMemory | undefined;
  return {
    load: async () => kept,
    save: async (memory) => {
      kept = memory;
    },
  };
}

const used = async (budget: Budget, account: ReturnType<typeof spending>, more = {}) => {
  const observed = await observe(account.store, state([declare('a', { budget })]), { now: NOW, ...TRUSTED, ...more });
  return { used: observed.used.get(account.id), pages: account.store.calls.usage ?? 0 };
};

describe('what a grant needs to know', () => {
  it('is on the record where the gateway reports it: the log is not read', async () => {
    expect(await used(lifetime, spending(500, true))).toEqual({ used: 500, pages: 0 });
  });

  it('is summed up in one pass over the log where it does not', async () => {
    expect(await used(lifetime, spending(500))).toEqual({ used: 500, pages: 5 });
  });

  it('is read only as far back as the window began', async () => {
    // 12 hours since midnight, ten minutes each, and the entry at midnight itself.
    expect(await used(daily, spending(500))).toEqual({ used: 73, pages: 1 });
  });

  it('is read on while entries of the second in which the window began may follow', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a', { remain: quota(10_000) }));
    for (let n = 0; n < 150; n += 1) store.spend(id, 1);
    const hourly: Budget = { kind: 'window', amount: { quota: quota(20_000) }, per: 'hour' };
    expect(await used(hourly, { store, id })).toEqual({ used: 150, pages: 2 });
  });

  it('a lifetime of use does not answer for a window', async () => {
    expect(await used(daily, spending(500, true))).toEqual({ used: 73, pages: 1 });
  });

  it.each([
    [NOW - 12 * 3600, 500, 0],
    [NOW - 12 * 3600 - 1, 73, 1],
  ])('is on the record for a key that is no older than the window (made at %i)', async (created_time, sum, pages) => {
    const account = spending(500, true);
    Object.assign(account.store.records.get(account.id) ?? {}, { created_time });
    expect(await used(daily, account)).toEqual({ used: sum, pages });
  });

  it('is read only as far back as the key was made', async () => {
    const { store } = spending(500);
    const id = store.seed(live('b', { remain: quota(9_000) }));
    store.spend(id, 5);
    Object.assign(store.records.get(id) ?? {}, { created_time: NOW - 3600 });
    const observed = await observe(store, state([declare('b', { budget: lifetime })]), { now: NOW, ...TRUSTED });
    expect([observed.used.get(id), store.calls.usage]).toEqual([5, 1]);
  });

  it('is nothing for a key that holds its whole grant and is not in the newest page of the log', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a', { remain: quota(10_000) }));
    const other = store.seed(live('b'));
    for (let n = 0; n < 300; n += 1) store.spend(other, 1);
    expect(await used(lifetime, { store, id })).toEqual({ used: 0, pages: 1 });
  });

  it('is read for a key that holds its whole grant although it was used', async () => {
    const { store, id } = spending(30);
    Object.assign(store.records.get(id) ?? {}, { remain_quota: 10_000 });
    expect((await planOf(store, state([declare('a', { budget: lifetime })]))).changes).toMatchObject([
      { verb: 'update', edits: [{ field: 'remain', before: 10_000, after: 9_970 }] },
    ]);
  });

  it.each<Budget>([
    { kind: 'unlimited' },
    { kind: 'initial', amount: { quota: quota(5) } },
    { kind: 'top-up', amount: { quota: quota(5) }, below: { quota: quota(1) } },
  ])('is nothing for $kind', async (budget) => {
    expect((await used(budget, spending(10))).pages).toBe(0);
  });

  it('counts refunds against it', async () => {
    const account = spending(10);
    account.store.spend(account.id, -4);
    expect((await used(lifetime, account)).used).toBe(6);
  });

  it('one pass serves all keys', async () => {
    const { store } = spending(50);
    const b = store.seed(live('b', { remain: quota(10_000) }));
    store.spend(b, 7);
    const desired = state([declare('a', { budget: lifetime }), declare('b', { budget: daily })]);
    const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
    expect([...observed.used.values()]).toEqual([50, 7]);
    expect(store.calls.usage).toBe(1);
  });

  it('plan.usage-too-long: refuses to read more pages than allowed, and lists the budgets that need them', async () => {
    await expect(used(lifetime, spending(500), { maxLogPages: 2 })).rejects.toMatchObject({
      code: 'plan.usage-too-long',
      detail: { keys: ['a'], pages: 2 },
      remedy: 'read-more-usage',
    });
  });

  it('plan.usage-too-long: names five budgets and counts the others', async () => {
    const { store } = spending(500);
    const names = ['b', 'c', 'd', 'e', 'f', 'g'];
    for (const name of names) store.seed(live(name, { remain: quota(1) }));
    const desired = state(['a', ...names].map((name) => declare(name, { budget: lifetime })));
    await expect(observe(store, desired, { now: NOW, maxLogPages: 1 })).rejects.toMatchObject({
      message: expect.stringContaining('a, b, c, d, e, and 2 more'),
      detail: { keys: ['a', ...names] },
    });
  });

  it('a log that ended early answers for an older key that another one did not need it for', async () => {
    const store = emptyAccount();
    const full = store.seed(live('full', { remain: quota(10_000) }));
    const partly = store.seed(live('partly', { remain: quota(10_000) }));
    store.spend(full, 3);
    store.spend(partly, 5);
    // Somebody gave back to the older key what it had used, so only the log shows that it was used at all.
    Object.assign(store.records.get(full) ?? {}, { remain_quota: 10_000, created_time: NOW - 60 });
    Object.assign(store.records.get(partly) ?? {}, { created_time: NOW - 30 });
    const desired = state(['full', 'partly'].map((name) => declare(name, { budget: lifetime })));
    const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
    expect([observed.used.get(full), observed.used.get(partly)]).toEqual([3, 5]);
  });

  it('a log of exactly as many pages as may be read is not too long', async () => {
    expect(await used(lifetime, spending(500), { maxLogPages: 5 })).toEqual({ used: 500, pages: 5 });
    expect(await used(lifetime, spending(30), { maxLogPages: 1 })).toEqual({ used: 30, pages: 1 });
  });

  it('remembered sums spare the old pages, and the answer is the same', async () => {
    const usageCache = remembering();
    const account = spending(500);
    expect(await used(lifetime, account, { usageCache })).toEqual({ used: 500, pages: 5 });
    account.store.spend(account.id, 3);
    expect(await used(lifetime, account, { usageCache })).toEqual({ used: 503, pages: 6 });
    expect((await usageCache.load())?.through).toBe(NOW - 3600);
  });

  it('is remembered for the plan that is made again, too', async () => {
    const account = spending(10);
    let loads = 0;
    const usageCache: UsageCache = {
      load: async () => {
        loads += 1;
        return undefined;
      },
      save: async () => {},
    };
    const { store, id } = account;
    store.hook = (operation) => operation === 'update' && store.calls.update === 1 && store.spend(id, 1);
    const report = await applied(store, state([declare('a', { budget: daily, group: 'vip' })]), { usageCache });
    expect(report.after?.changes).toMatchObject([{ verb: 'keep' }]);
    expect(loads).toBe(1);
  });

  it('remembered sums of a lifetime do not count for a window', async () => {
    const memory: UsageMemory = { through: NOW - 200_000, used: new Map([[keyId(1), quota(400)]]), keys: new Map() };
    const usageCache: UsageCache = { load: async () => memory, save: async () => {} };
    expect(await used(daily, spending(500), { usageCache })).toEqual({ used: 73, pages: 1 });
  });

  it('remembered sums hold entries without a key id, also for a key that is declared later', async () => {
    const usageCache = remembering();
    const account = spending(500);
    const b = account.store.seed(live('b', { remain: quota(9_000) }));
    const old = { keyId: undefined, keyName: 'b', spent: quota(1_000) };
    account.store.log.push({ ...old, identity: 'old', at: NOW - 400_000 });
    await used(lifetime, account, { usageCache });
    const observed = await observe(account.store, state([declare('b', { budget: lifetime })]), {
      now: NOW,
      usageCache,
    });
    expect(observed.used.get(b)).toBe(1_000);
  });

  it('remembered sums leave out entries of keys that no longer exist', async () => {
    const usageCache = remembering();
    const account = spending(500);
    const gone = { keyId: undefined, keyName: 'gone', spent: quota(9) };
    account.store.log.push({ ...gone, identity: 'gone', at: NOW - 400_000 });
    await used(lifetime, account, { usageCache });
    expect([...((await usageCache.load())?.used.keys() ?? [])]).toEqual([account.id]);
  });

  it.each([lifetime, daily])(
    'of a busy key is as of the walk: what it spends until the log is read is not drift ($kind)',
    async (budget) => {
      const { store, id } = spending(30);
      const desired = state([declare('a', { budget })]);
      const walk = store.walk.bind(store);
      store.walk = async () => {
        const keys = await walk();
        for (const units of [3, 4]) store.spend(id, units);
        return keys;
      };
      const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
      expect(plan(desired, observed, NOW).changes).toMatchObject([{ verb: 'keep' }]);
      expect(observed.used.get(id)).toBe(30);
    },
  );

  it('of a busy key is as of the walk, also in the second in which its window began', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a', { remain: quota(10_000) }));
    store.spend(id, 5);
    const walk = store.walk.bind(store);
    store.walk = async () => {
      const keys = await walk();
      for (const units of [3, 4]) store.spend(id, units);
      return keys;
    };
    const hourly: Budget = { kind: 'window', amount: { quota: quota(10_000) }, per: 'hour' };
    const observed = await observe(store, state([declare('a', { budget: hourly })]), { now: NOW, ...TRUSTED });
    expect(observed.used.get(id)).toBe(5);
  });

  it('of a key that was given back what it spent long ago is drift', async () => {
    const { store, id } = spending(30);
    const desired = state([declare('a', { budget: lifetime })]);
    Object.assign(store.records.get(id) ?? {}, { remain_quota: 9_971 });
    const later = await observe(store, desired, { now: NOW + 3600 });
    expect(plan(desired, later, NOW + 3600).changes).toMatchObject([{ verb: 'update' }]);
  });

  it('of a key that was given more than it spent lately is drift', async () => {
    const { store, id } = spending(30);
    const desired = state([declare('a', { budget: lifetime })]);
    Object.assign(store.records.get(id) ?? {}, { remain_quota: 9_980 });
    expect((await planOf(store, desired)).changes).toMatchObject([
      { verb: 'update', edits: [{ field: 'remain', before: 9_980, after: 9_970 }] },
    ]);
  });
});
