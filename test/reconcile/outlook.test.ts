import { describe, expect, it } from 'vitest';
import { type Budget, quota } from '../../src/domain/index.ts';
import { observe, outlookOf, plan } from '../../src/reconcile/index.ts';
import type { MemoryOptions } from '../contract/memory-store.ts';
import { declare, emptyAccount, live, NOW, state, TRUSTED, verbs } from './account.ts';

const DAY = 86_400;
const LIMITS = { low: { percent: 10 }, expiring: 14 * DAY };
const UNIT = 500_000;
const dollars = (usd: number) => ({ quota: quota(usd * UNIT) });
const monthly: Budget = { kind: 'window', amount: dollars(5), per: 'month' };

async function stand(
  budget: Budget | undefined,
  key: { remain: number; used?: number; expires?: number | null; status?: number },
  more: Partial<MemoryOptions> = { reportsUse: true },
) {
  const store = emptyAccount(more);
  store.seed(live('a', { remain: quota(key.remain * UNIT), expires: key.expires ?? null }), {
    used: (key.used ?? 0) * UNIT,
    ...(key.status ? { status: key.status } : {}),
  });
  const desired = state([declare('a', budget ? { budget } : {})]);
  const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
  const made = plan(desired, observed, NOW);
  const outlook = outlookOf(made, { desired, observed, now: NOW }, LIMITS);
  const { due, low, expiring, drift } = outlook;
  return { due: due.length, low: low.length, expiring: expiring.length, drift: verbs(drift), notes: made.notes };
}

const quiet = { due: 0, low: 0, expiring: 0, drift: ['keep a'] };

describe('the outlook of an account', () => {
  it('calls the refill of a new window due, which is not drift', async () => {
    expect(await stand(monthly, { remain: 1, used: 4 })).toMatchObject({ ...quiet, due: 1 });
    expect(await stand(monthly, { remain: 0, used: 5, status: 4 })).toMatchObject({ ...quiet, due: 1 });
    expect(await stand(monthly, { remain: 5, used: 5 })).toMatchObject(quiet);
  });

  it('calls a remainder drift that is less than earlier use explains, and one that is more', async () => {
    expect(await stand(monthly, { remain: 1, used: 3 })).toMatchObject({ ...quiet, drift: ['update a'] });
    expect(await stand(monthly, { remain: 9, used: 4 })).toMatchObject({ ...quiet, drift: ['update a'] });
    expect(await stand({ kind: 'lifetime', amount: dollars(5) }, { remain: 1, used: 0 })).toMatchObject({
      ...quiet,
      drift: ['update a'],
    });
  });

  it('takes less for due where the gateway does not report the use of a key', async () => {
    expect(await stand(monthly, { remain: 1 }, { reportsUse: false })).toMatchObject({ ...quiet, due: 1 });
  });

  it('calls a refill at the threshold of `below` due', async () => {
    const below: Budget = { kind: 'top-up', amount: dollars(5), below: dollars(1) };
    expect(await stand(below, { remain: 0.95, used: 4.05 })).toMatchObject({ ...quiet, due: 1, notes: [] });
    expect(await stand(below, { remain: 4, used: 1 })).toMatchObject({ ...quiet, notes: [] });
  });

  it('finds a manual top-up of a `below` key as far as it can be known', async () => {
    const below: Budget = { kind: 'top-up', amount: dollars(5), below: dollars(1) };
    const notes = [{ code: 'topped-up-by-hand', data: { name: 'a' } }];
    expect(await stand(below, { remain: 2.95, used: 4.05 })).toMatchObject({ ...quiet, notes });
    expect(await stand(below, { remain: 20 }, { reportsUse: false })).toMatchObject({ ...quiet, notes });
    // After a refill, and without figures of use, a top-up within the amount looks like a refill.
    expect(await stand(below, { remain: 4, used: 5.5 })).toMatchObject({ ...quiet, notes: [] });
    expect(await stand(below, { remain: 2.95 }, { reportsUse: false })).toMatchObject({ ...quiet, notes: [] });
  });

  it('finds keys with little left, unless a refill is due', async () => {
    const once: Budget = { kind: 'lifetime', amount: dollars(5) };
    expect(await stand(once, { remain: 0.49, used: 4.51 })).toMatchObject({ ...quiet, low: 1 });
    expect(await stand(once, { remain: 0.5, used: 4.5 })).toMatchObject(quiet);
    expect(await stand(undefined, { remain: 0.01 })).toMatchObject(quiet);
    expect(await stand(monthly, { remain: 0.1, used: 4.9 })).toMatchObject({ ...quiet, due: 1 });
  });

  it('finds keys that expire soon, to the second', async () => {
    expect(await stand(undefined, { remain: 1, expires: NOW + 14 * DAY })).toMatchObject({ ...quiet, expiring: 1 });
    expect(await stand(undefined, { remain: 1, expires: NOW + 14 * DAY + 1 })).toMatchObject(quiet);
    expect(await stand(undefined, { remain: 1, expires: NOW })).toMatchObject({ expiring: 0 });
  });
});
