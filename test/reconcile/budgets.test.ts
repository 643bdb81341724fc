import { describe, expect, it } from 'vitest';
import { decimalOf, quota } from '../../src/domain/index.ts';
import { declare, emptyAccount, live, NOW, planOf, state } from './account.ts';

describe('budgets', () => {
  const usd = (text: number) => ({ usd: decimalOf(text) });
  const $ = (dollars: number) => quota(dollars * 500_000);
  it.each([
    ['lifetime, untouched', { remain: $(25) }, 0, { kind: 'lifetime', amount: usd(25) }, null],
    ['lifetime, consumption is not drift', { remain: $(20) }, $(5), { kind: 'lifetime', amount: usd(25) }, null],
    ['lifetime, a top-up is', { remain: $(24) }, $(5), { kind: 'lifetime', amount: usd(25) }, $(20)],
    ['lifetime, a top-up above the grant is', { remain: $(100) }, $(5), { kind: 'lifetime', amount: usd(25) }, $(20)],
    ['lifetime, the grant was raised', { remain: $(20) }, $(5), { kind: 'lifetime', amount: usd(30) }, $(25)],
    ['lifetime, lowered below what was used', { remain: $(20) }, $(5), { kind: 'lifetime', amount: usd(3) }, 0],
    ['lifetime, overdrawn', { remain: quota(-7) }, $(25) + 7, { kind: 'lifetime', amount: usd(25) }, null],
    [
      'lifetime, from unlimited',
      { unlimited: true, remain: quota(-9) },
      $(5),
      { kind: 'lifetime', amount: usd(25) },
      $(20),
    ],
    ['window, used this month', { remain: $(20) }, $(5), { kind: 'window', amount: usd(25), per: 'month' }, null],
    ['top-up, enough', { remain: $(5) }, $(5), { kind: 'top-up', amount: usd(25), below: usd(5) }, null],
    [
      'top-up, too little',
      { remain: quota($(5) - 1) },
      $(5),
      { kind: 'top-up', amount: usd(25), below: usd(5) },
      $(25),
    ],
    ['initial', { remain: $(3) }, $(5), { kind: 'initial', amount: usd(25) }, null],
    ['unlimited is not compared', { unlimited: true, remain: quota(-3) }, $(5), { kind: 'unlimited' }, null],
    ['in units', { remain: quota(3) }, 0, { kind: 'lifetime', amount: { quota: quota(4) } }, 4],
  ] as const)('%s', async (_, settings, used, budget, after) => {
    for (const reportsUse of [true, false]) {
      const store = emptyAccount({ reportsUse });
      const id = store.seed(live('a', settings));
      if (used > 0) store.spend(id, used);
      const record = store.records.get(id);
      if (record && settings.remain !== undefined) record.remain_quota = settings.remain;
      const [change] = (await planOf(store, state([declare('a', { budget })]))).changes;
      const edit = change?.verb === 'update' ? change.edits.find((e) => e.field === 'remain') : undefined;
      expect(edit?.after ?? null).toBe(after);
    }
  });

  it('a new window gives the whole allowance again', async () => {
    let now = NOW - 40 * 86_400;
    const store = emptyAccount({ now: () => now });
    const id = store.seed(live('a', { remain: $(25) }));
    store.spend(id, $(9));
    now = NOW;
    store.spend(id, $(1));
    const budget = { kind: 'window', amount: usd(25), per: 'month' } as const;
    const [change] = (await planOf(store, state([declare('a', { budget })]))).changes;
    expect(change).toMatchObject({ verb: 'update', edits: [{ field: 'remain', before: $(15), after: $(24) }] });
  });
});
