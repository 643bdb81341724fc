import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DesiredKey, decimalOf, quota } from '../../src/domain/index.ts';
import { apply, observe, plan, reportFaults } from '../../src/reconcile/index.ts';
import { declare, live, NOW, state, TRUSTED } from '../reconcile/account.ts';
import { overHttp } from './bodies.ts';
import { controlOf } from './control.ts';

const pages = (n: number): number => Math.ceil(n / 100);
const names = (n: number): string[] => Array.from({ length: n }, (_, i) => `key-${String(i).padStart(4, '0')}`);

describe.each(['contract', 'deployed'] as const)('requests, by the gateway’s own counters, profile %s', (profile) => {
  let body: Awaited<ReturnType<typeof overHttp>>;
  let control: ReturnType<typeof controlOf>;
  /** Requests for use that only the log shows: a plan reads its newest page, and an update the keys, the log and the balance around it. */
  const log = profile === 'contract' ? { page: 1, around: 5 } : { page: 0, around: 0 };
  beforeEach(async () => {
    // Without rate limits: the gateway counts a 429 as a request, although the plan did not cause it.
    const unlimited = { api: null, search: null, reveal: null, keysPerUser: null };
    const seed = { accounts: [{ userId: 7, quota: 50_000_000 }], limits: unlimited };
    body = await overHttp(profile, { control: true, seed });
    control = controlOf(body.reference.url);
  });
  afterEach(() => body.close());

  async function counted(work: () => Promise<unknown>): Promise<{ total: number; requests: Record<string, number> }> {
    await control.takeRequests();
    await work();
    return control.takeRequests();
  }

  const run = async (keys: readonly DesiredKey[]): Promise<void> => {
    const desired = state(keys);
    const observed = await observe(body.store, desired, { now: NOW, ...TRUSTED });
    const made = plan(desired, observed, NOW);
    const report = await apply(made, body.store, { observed, desired, now: () => NOW, concurrency: 8, ...TRUSTED });
    expect(reportFaults(report)[0]).toBeUndefined();
  };

  it.each([0, 1, 100, 101, 250])('planning %i keys takes ⌈N/100⌉ list requests and at most 4 more', async (n) => {
    for (const name of names(n)) await body.store.create(live(name));
    const desired = state(names(n).map((name) => declare(name, { group: 'vip' })));
    const { total, requests } = await counted(() => observe(body.store, desired, { now: NOW, ...TRUSTED }));
    expect(total).toBeLessThanOrEqual(pages(n) + 4);
    expect(Object.values(requests).reduce((a, b) => a + b, 0)).toBe(total);
  });

  it.each([1, 100, 250])('applying %i creates takes at most N + 4⌈N/100⌉ + 9 requests', async (n) => {
    const budget = { kind: 'lifetime', amount: { usd: decimalOf(25) } } as const;
    const { total, requests } = await counted(() => run(names(n).map((name) => declare(name, { budget }))));
    expect(total).toBeLessThanOrEqual(n + 4 * pages(n) + 8 + log.page);
    expect(requests['POST /api/token/']).toBe(n);
  });

  it.each([1, 9, 10, 100, 250])('applying %i updates takes at most 2U + 4⌈N/100⌉ + 18 requests', async (n) => {
    for (const name of names(n)) await body.store.create(live(name));
    const { total, requests } = await counted(() => run(names(n).map((name) => declare(name, { group: 'vip' }))));
    // Fewer than ten keys are read back one by one.
    expect(total).toBeLessThanOrEqual(2 * n + 4 * pages(n) + (n < 10 ? n : 0) + 4 + log.around);
    expect(requests['PUT /api/token/']).toBe(n);
  });

  it.each([1, 100, 250])('applying %i disables takes at most U + 4⌈N/100⌉ + 5 requests', async (n) => {
    for (const name of names(n)) await body.store.create(live(name));
    const { total } = await counted(() => run(names(n).map((name) => declare(name, { enabled: false }))));
    expect(total).toBeLessThanOrEqual(n + 4 * pages(n) + 5);
  });

  it('verifying that the gateway may be written to takes no request once keys were read', async () => {
    await body.store.create(live('app'));
    await observe(body.store, state([]), { now: NOW, ...TRUSTED });
    const { total } = await counted(() => body.store.verifyWritable());
    expect(total).toBe(0);
  });

  it('applying updates that need the usage log stays within the same bound', async () => {
    for (const name of names(3)) await body.store.create(live(name, { remain: quota(12_000_000) }));
    const before = await body.store.walk();
    for (const key of before) await control.spend(key.id, 1000);
    const budget = { kind: 'lifetime', amount: { usd: decimalOf(25) } } as const;
    const { total } = await counted(() => run(names(3).map((name) => declare(name, { budget }))));
    expect(total).toBeLessThanOrEqual(3 * 3 + 2 + 5 + log.around);
    expect((await body.store.walk()).map((key) => key.remain)).toEqual([12_499_000, 12_499_000, 12_499_000]);
  });

  it('deleting 450 keys takes batches of 100, and three requests for each page', async () => {
    for (const name of names(450)) await body.store.create(live(name));
    const desired = state([], { scope: ['key-*'], prune: 'delete' });
    const { total, requests } = await counted(async () => {
      const observed = await observe(body.store, desired, { now: NOW, ...TRUSTED });
      const made = plan(desired, observed, NOW);
      await apply(made, body.store, { observed, desired, now: () => NOW, concurrency: 8, ...TRUSTED });
    });
    expect(requests['POST /api/token/batch']).toBe(5);
    expect(total).toBeLessThanOrEqual(5 + 3 * pages(450) + 4);
    expect(requests['DELETE /api/token/{id}'] ?? 0).toBe(0);
    expect(await body.store.walk()).toEqual([]);
  });

  it('a budget on a long log takes 4 pages and a sum where the gateway filters it, and else all pages', async () => {
    await body.close();
    const spent = (name: string) => ({ name, used_quota: 1, unlimited_quota: true });
    body = await overHttp(profile, {
      control: true,
      seed: {
        accounts: [{ userId: 7, quota: 50_000_000 }],
        keys: [{ name: 'app', remain_quota: 1000, created_time: NOW - 60 * 86_400 }, ...names(450).map(spent)],
      },
    });
    control = controlOf(body.reference.url);
    await control.spend(1, 100);
    const budget = { kind: 'window', amount: { quota: quota(1000) }, per: 'month' } as const;
    const desired = state([declare('app', { budget })]);
    const { requests } = await counted(async () => {
      const observed = await observe(body.store, desired, { now: NOW });
      expect([...observed.used.values()]).toEqual([100]);
      expect(plan(desired, observed, NOW).changes).toMatchObject([{ verb: 'keep' }]);
    });
    // Without filters, the second sum shows that the gateway ignores names.
    const expected = profile === 'deployed' ? { pages: 4, sums: 3 + 1 } : { pages: 5, sums: 2 };
    expect({ pages: requests['GET /api/log/self'], sums: requests['GET /api/log/self/stat'] }).toEqual(expected);
  });
});
