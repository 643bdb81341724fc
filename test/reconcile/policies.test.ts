import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Budget,
  type DesiredState,
  decimalOf,
  exceedsExposure,
  type KeyPolicy,
  keyName,
  quota,
  totalExposure,
} from '../../src/domain/index.ts';
import { narrow, observe, plan } from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { declare, emptyAccount, live, NOW, state } from './account.ts';

const usd = (dollars: number) => ({ usd: decimalOf(dollars) });
const once = (dollars: number): Budget => ({ kind: 'lifetime', amount: usd(dollars) });
const hourly = (dollars: number): Budget => ({ kind: 'window', amount: usd(dollars), per: 'hour' });
const UNLIMITED: Budget = { kind: 'unlimited' };

/** An unspent key with $10, and whatever `more` adds to it. */
const account = (more: Parameters<typeof live>[1] = {}, options: Parameters<MemoryStore['seed']>[1] = {}) => {
  const store = emptyAccount();
  store.seed(live('a', more), options);
  return store;
};

async function planned(store: MemoryStore, desired: DesiredState, basis?: DesiredState) {
  return plan(desired, await observe(store, desired, { now: NOW }), NOW, { basis });
}

/** `lifetime 10 → window 7200`: kinds, and exposures in dollars. */
function textOf({ before, after, exposure }: KeyPolicy): string {
  const money = ({ units, unbounded, unknown }: KeyPolicy['exposure']['after']) =>
    unbounded > 0 ? 'unbounded' : unknown > 0 ? '?' : String(units / 500_000n);
  return `${before.kind} ${money(exposure.before)} → ${after.kind} ${money(exposure.after)}`;
}

const policiesOf = async (...args: Parameters<typeof planned>): Promise<string[]> =>
  (await planned(...args)).policies.map(textOf);

const pruning = (prune: 'never' | 'disable' | 'delete', keys: DesiredState['keys'] = []) =>
  state(keys, { scope: ['*'], prune });

describe('the policies of a plan', () => {
  it.each<[string, Parameters<typeof planned>, string]>([
    [
      'show a grant that becomes an allowance, although nothing is written',
      [account(), state([declare('a', { budget: hourly(10) })]), state([declare('a', { budget: once(10) })])],
      'lifetime 10 → window 7200',
    ],
    [
      'are unknown before without a base',
      [account(), state([declare('a', { budget: once(10) })])],
      'unknown ? → lifetime 10',
    ],
    [
      'are unbounded before without a base where the key has no limit',
      [account({ unlimited: true }), state([declare('a', { budget: once(10) })])],
      'unknown unbounded → lifetime 10',
    ],
    [
      'begin with none for a new key',
      [emptyAccount(), state([declare('a', { budget: hourly(1) })])],
      'none 0 → window 720',
    ],
    [
      'count a new key whose status is not managed, because it is enabled',
      [emptyAccount(), state([{ name: keyName('a'), budget: hourly(1) }])],
      'none 0 → window 720',
    ],
    [
      'count nothing for a new key that is disabled',
      [emptyAccount(), state([declare('a', { budget: hourly(1), enabled: false })])],
      'none 0 → window 0',
    ],
    [
      'count nothing for a new key without a budget, which can spend nothing',
      [emptyAccount(), state([declare('a')])],
      'none 0 → unmanaged 0',
    ],
    [
      'follow a key through its new name',
      [
        account(),
        state([declare('b', { budget: hourly(1), renamedFrom: keyName('a') })]),
        state([declare('a', { budget: once(10) })]),
      ],
      'lifetime 10 → window 720',
    ],
    [
      'count what a retained key holds',
      [account(), pruning('never'), state([declare('a', { budget: once(10) })])],
      'lifetime 10 → unmanaged 10',
    ],
    [
      'end with none for a key that is deleted',
      [account(), pruning('delete'), state([declare('a', { budget: once(10) })])],
      'lifetime 10 → none 0',
    ],
    [
      'count nothing for a key that is disabled',
      [account(), pruning('disable'), state([declare('a', { budget: once(10) })])],
      'lifetime 10 → unmanaged 0',
    ],
    [
      'count a key from when it is enabled',
      [
        account({}, { status: 2 }),
        state([declare('a', { budget: once(10) })]),
        state([declare('a', { budget: once(10), enabled: false })]),
      ],
      'lifetime 0 → lifetime 10',
    ],
    [
      'count nothing for a key that stays disabled',
      [
        account({}, { status: 2 }),
        state([declare('a', { budget: once(10), enabled: false })]),
        state([declare('a', { budget: once(10), enabled: false })]),
      ],
      'lifetime 0 → lifetime 0',
    ],
    ...[3, 4].map((status): [string, Parameters<typeof planned>, string] => [
      `count nothing for a key that is declared disabled and stays in status ${status}`,
      [account({}, { status }), state([declare('a', { budget: once(10), enabled: false })])],
      'unknown ? → lifetime 0',
    ]),
    [
      'count nothing for an expired key',
      [account({ expires: NOW - 1 }), state([declare('a', { budget: UNLIMITED })]), state([declare('a')])],
      'unmanaged 0 → unlimited 0',
    ],
    [
      'count what remains of a grant, not the grant',
      [account({ remain: quota(2_000_000) }, { used: 3_000_000 }), state([declare('a')]), state([declare('a')])],
      'unmanaged 4 → unmanaged 4',
    ],
  ])('%s', async (_, args, line) => {
    expect(await policiesOf(...args)).toEqual([line]);
  });

  it('leave out keys outside the scope', async () => {
    expect(await policiesOf(account(), state([]))).toEqual([]);
  });

  it('are narrowed with the plan, which remembers the globs', async () => {
    const store = account();
    store.seed(live('b'));
    const narrowed = narrow(await planned(store, state([declare('a'), declare('b')])), { names: ['b'] });
    expect([narrowed.policies.map(({ name }) => name), narrowed.only]).toEqual([['b'], ['b']]);
  });

  it('never show less exposure for a larger amount', async () => {
    const forms = [once, hourly, (n: number): Budget => ({ kind: 'window', amount: usd(n), per: 'month' })];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...forms),
        fc.nat(500),
        fc.nat(500),
        fc.nat(5_000_000),
        async (form, x, y, used) => {
          const store = account();
          store.spend(1 as never, used);
          const exposed = async (n: number) =>
            totalExposure((await planned(store, state([declare('a', { budget: form(n) })]))).policies).after;
          expect(exceedsExposure(await exposed(Math.min(x, y)), await exposed(Math.max(x, y)))).toBe(false);
        },
      ),
      { numRuns: 50 },
    );
  });
});
