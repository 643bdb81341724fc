import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Budget, type KeyId, quota } from '../../src/domain/index.ts';
import { apply, observe, plan, reportFaults } from '../../src/reconcile/index.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { declare, live, NOW, state } from '../reconcile/account.ts';

const GRANT = 5_000;
const APPLIES = 3;

interface Account {
  readonly store: MemoryStore;
  readonly id: KeyId;
}

/** The units that were given to the key beyond its grant. Requests do not move this. */
function excessOf({ store, id }: Account): number {
  const record = store.records.get(id);
  return (record?.remain_quota ?? 0) + (record?.used_quota ?? 0) - GRANT;
}

function openAccount(reportsUse: boolean): Account {
  const store = new MemoryStore({ reportsUse, now: () => NOW });
  return { store, id: store.seed(live('a', { remain: quota(GRANT) })) };
}

async function applyOnce({ store }: Account, budget: Budget | undefined, group: string) {
  const desired = state([declare('a', { group, ...(budget && { budget }) })]);
  const observed = await observe(store, desired, { now: NOW });
  const report = await apply(plan(desired, observed, NOW), store, {
    observed,
    desired,
    now: () => NOW,
    concurrency: 1,
  });
  return reportFaults(report).map(({ code }) => code);
}

/** Lets the key spend before each request: as much as its turn in the pattern demands. */
function drive({ store, id }: Account, pattern: readonly number[]): void {
  let turn = 0;
  store.hook = () => {
    const units = pattern[turn % pattern.length] ?? 0;
    turn += 1;
    if (units > 0) store.spend(id, units);
  };
}

const amount = { quota: quota(GRANT) };
const budgets: readonly (Budget | undefined)[] = [
  { kind: 'lifetime', amount },
  { kind: 'window', amount, per: 'day' },
  { kind: 'initial', amount },
  undefined,
];

async function neverGrowsUnreported(account: Account, budget: Budget | undefined, pattern: readonly number[]) {
  drive(account, pattern);
  for (let n = 0; n < APPLIES; n += 1) {
    const before = excessOf(account);
    const faults = await applyOnce(account, budget, n % 2 === 0 ? 'vip' : 'default');
    const isGrant = budget?.kind === 'lifetime' || budget?.kind === 'window';
    const most = isGrant ? 0 : Math.max(0, before);
    if (faults.length === 0) expect(excessOf(account)).toBeLessThanOrEqual(most);
  }
}

describe.each([true, false])('a key that spends while it is updated (use reported: %s)', (reportsUse) => {
  it('never holds more than its budget after a run without faults, whatever it spends before each request', async () => {
    const units = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(1, 50, 70));
    const patterns = fc.array(units, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...budgets), patterns, async (budget, pattern) => {
        await neverGrowsUnreported(openAccount(reportsUse), budget, pattern);
      }),
      { numRuns: 100 },
    );
  });

  it.each(budgets)('is corrected or reported at every pair of requests (%o)', async (budget) => {
    const REQUESTS = 18;
    for (let first = 0; first < REQUESTS; first += 1) {
      for (let second = first; second < REQUESTS; second += 1) {
        const pattern = Array.from({ length: REQUESTS }, (_, at) => (at === first || at === second ? 50 : 0));
        await neverGrowsUnreported(openAccount(reportsUse), budget, pattern);
      }
    }
  });

  it('is corrected without a fault when it spends once between any two requests of the run', async () => {
    for (const budget of budgets) {
      for (let at = 0; at < 24; at += 1) {
        const account = openAccount(reportsUse);
        drive(
          account,
          Array.from({ length: 1_000 }, (_, turn) => (turn === at ? 50 : 0)),
        );
        expect([at, await applyOnce(account, budget, 'vip'), excessOf(account)]).toEqual([at, [], 0]);
      }
    }
  });
});
