import { describe, expect, it } from 'vitest';
import { type DesiredState, decimalOf, quota } from '../../src/domain/index.ts';
import { observe } from '../../src/reconcile/index.ts';
import { declare, declareNew, emptyAccount, live, NOW, state } from './account.ts';

describe('the wallet', () => {
  const budget = { kind: 'initial', amount: { quota: quota(1) } } as const;
  const topUp = { kind: 'top-up', amount: { quota: quota(10) }, below: { quota: quota(5) } } as const;
  it.each<[string, DesiredState, Parameters<typeof live>[1], number | undefined]>([
    ['a new key without a limit', state([declareNew('a'), declareNew('b', { budget })]), {}, 7],
    ['a budget that refills', state([declare('seeded', { budget: topUp })]), {}, 7],
    ['a live key without a limit', state([declare('seeded')]), { unlimited: true }, 7],
    ['an undeclared key without a limit', state([], { scope: ['*'] }), { unlimited: true }, 7],
    ['a foreign key without a limit', state([]), { unlimited: true }, undefined],
    ['limited keys', state([declare('seeded', { budget })]), {}, undefined],
  ])('is read for %s', async (_, desired, settings, expected) => {
    const store = emptyAccount({ wallet: quota(7) });
    for (const more of [settings, {}]) store.seed(live('seeded', more));
    store.records.delete(2);
    const observed = await observe(store, desired, { now: NOW });
    expect([observed.wallet, store.calls.wallet]).toEqual([expected, expected && 1]);
    const again = await observe(store, desired, { now: NOW, known: { quotaPerUnit: observed.quotaPerUnit } });
    expect([again, store.calls.wallet]).toEqual([expect.not.objectContaining({ wallet: 7 }), expected && 1]);
    expect(store.calls).toMatchObject({ quotaPerUnit: 1, groups: 1, models: 1 });
  });

  it('is absent where the store does not know it', async () => {
    expect(await observe(emptyAccount(), state([declareNew('a')]), { now: NOW })).not.toHaveProperty('wallet');
  });
});

describe('budgets that cannot be converted at the rate of the gateway', () => {
  const dollars = (value: number) => ({ usd: decimalOf(value) });
  it.each<[string, Parameters<typeof declareNew>[1], string]>([
    [
      'plan.amount-too-small',
      { budget: { kind: 'initial', amount: dollars(0.0000001) } },
      'A budget of $0.0000001 is less',
    ],
    ['plan.amount-too-large', { budget: { kind: 'lifetime', amount: dollars(1e30) } }, 'is too much'],
    [
      'plan.amount-too-small',
      { budget: { kind: 'top-up', amount: dollars(5), below: dollars(0.0000001) } },
      'A budget of $0.0000001 is less',
    ],
    [
      'plan.amount-too-small',
      { rotate: { every: 60, overlap: 10, overlapBudget: dollars(0.0000001) } },
      'A budget of $0.0000001 is less',
    ],
  ])('%s names the key, before the log is read', async (code, more, message) => {
    const store = emptyAccount();
    store.seed(live('seeded'));
    const month = { kind: 'window', amount: dollars(5), per: 'month' } as const;
    const desired = state([declare('seeded', { budget: month }), declareNew('tiny', more)]);
    await expect(observe(store, desired, { now: NOW })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^“tiny”: /),
    });
    await expect(observe(store, desired, { now: NOW })).rejects.toThrow(message);
    expect(store.calls.usage).toBeUndefined();
  });
});
