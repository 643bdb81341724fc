import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountInQuota,
  type Budget,
  type BudgetAmount,
  type Ceiling,
  type Decimal,
  decimalOf,
  initialCeiling,
  isMoreThan,
  isToppedUpByHand,
  quota,
  tryParseDecimal,
  usageSince,
  wantedCeiling,
} from '../../src/domain/index.ts';

const RATE: Decimal = { digits: 500_000n, scale: 0 };
const usd = (dollars: number) => ({ usd: { digits: BigInt(dollars), scale: 0 } });
const units = (dollars: number) => quota(dollars * 500_000);

const UNLIMITED: Budget = { kind: 'unlimited' };
const LIFETIME: Budget = { kind: 'lifetime', amount: usd(25) };
const MONTHLY: Budget = { kind: 'window', amount: usd(25), per: 'month' };
const TOP_UP: Budget = { kind: 'top-up', amount: usd(25), below: usd(5) };
const INITIAL: Budget = { kind: 'initial', amount: usd(25) };

const limited = (remain: number): Ceiling => ({ unlimited: false, remain: quota(remain) });
const unlimited = (remain: number): Ceiling => ({ unlimited: true, remain: quota(remain) });

describe('the ceiling that a budget wants', () => {
  it.each<[string, Budget, Ceiling, number, Ceiling]>([
    ['unlimited: no ceiling', UNLIMITED, limited(7), 0, unlimited(7)],
    ['unlimited: what remains is not compared', UNLIMITED, unlimited(-3), 99, unlimited(-3)],
    ['lifetime: the grant less all that was used', LIFETIME, limited(0), units(10), limited(units(15))],
    ['lifetime: ordinary consumption is not drift', LIFETIME, limited(units(15)), units(10), limited(units(15))],
    ['lifetime: a manual top-up is taken back', LIFETIME, limited(units(40)), units(10), limited(units(15))],
    ['lifetime: all used', LIFETIME, limited(0), units(25), limited(0)],
    ['lifetime: never less than nothing', LIFETIME, limited(units(1)), units(30), limited(0)],
    ['lifetime: an overdraft is as exhausted as nothing', LIFETIME, limited(-50), units(30), limited(-50)],
    ['lifetime: a raised grant lifts an overdraft', LIFETIME, limited(-50), units(20), limited(units(5))],
    ['lifetime: a ceiling is put on an unlimited key', LIFETIME, unlimited(-9), units(10), limited(units(15))],
    ['lifetime: the last unit is taken', LIFETIME, limited(1), units(30), limited(0)],
    ['lifetime: one unit that is left is written', LIFETIME, limited(0), units(25) - 1, limited(1)],
    ['window: the allowance less what was used in it', MONTHLY, limited(0), units(3), limited(units(22))],
    ['window: a new one fills up', MONTHLY, limited(units(4)), 0, limited(units(25))],
    ['top-up: filled when less than `below` remains', TOP_UP, limited(units(5) - 1), 0, limited(units(25))],
    ['top-up: as it is when `below` remains', TOP_UP, limited(units(5)), 0, limited(units(5))],
    ['top-up: as it is above the amount', TOP_UP, limited(units(90)), 0, limited(units(90))],
    ['top-up: an unlimited key gets a ceiling', TOP_UP, unlimited(units(90)), 0, limited(units(25))],
    ['initial: as it is', INITIAL, limited(units(3)), units(22), limited(units(3))],
    ['initial: an unlimited key gets a ceiling', INITIAL, unlimited(7), 0, limited(units(25))],
    ['lifetime: an overdraft of a key that has nothing left', LIFETIME, limited(-50), units(25), limited(-50)],
    ['initial: as it is, exhausted', INITIAL, limited(0), units(25), limited(0)],
  ])('%s', (_, budget, current, used, wanted) => {
    expect(wantedCeiling(budget, current, quota(used), RATE)).toEqual(wanted);
  });

  it('takes internal units as they are, whatever the rate', () => {
    const budget: Budget = { kind: 'lifetime', amount: { quota: quota(12_345) } };
    expect(wantedCeiling(budget, limited(0), quota(45), RATE)).toEqual(limited(12_300));
  });

  const dollars = (text: string) => ({ usd: tryParseDecimal(text) ?? RATE });

  it.each(['0.000001', '0.0000001', '0.0000019999'])('rejects $%s, less than one unit', (text) => {
    const message = expect.stringContaining(`$${text} is less than one quota unit`);
    expect(() => amountInQuota(dollars(text), RATE)).toThrow(
      expect.objectContaining({
        code: 'plan.amount-too-small',
        message,
        hint: 'Write 0, or an amount of at least one unit.',
      }),
    );
  });

  it('rejects less than one unit where a unit is more than a dollar', () => {
    const rate = decimalOf(0.5);
    expect(() => amountInQuota(dollars('1'), rate)).toThrow(expect.objectContaining({ code: 'plan.amount-too-small' }));
    expect(amountInQuota(dollars('2'), rate)).toBe(1);
  });

  it.each([
    ['0', 0],
    ['0.000002', 1],
    ['0.0000029', 1],
  ])('takes $%s for %i whole units', (text, units) => {
    expect(amountInQuota(dollars(text), RATE)).toBe(units);
  });

  const amounts = fc.nat(10 ** 9).map((n) => ({ quota: quota(n) }));
  const budgets = fc.oneof(
    fc.constant(UNLIMITED),
    amounts.map((amount): Budget => ({ kind: 'lifetime', amount })),
    amounts.map((amount): Budget => ({ kind: 'window', amount, per: 'day' })),
    fc.tuple(amounts, amounts).map(([a, b]): Budget => {
      const [below, amount] = a.quota < b.quota ? [a, b] : [b, a];
      return { kind: 'top-up', amount, below };
    }),
    amounts.map((amount): Budget => ({ kind: 'initial', amount })),
  );
  const ceilings = fc
    .tuple(fc.boolean(), fc.integer({ min: -(10 ** 9), max: 10 ** 9 }))
    .map(([free, remain]): Ceiling => ({ unlimited: free, remain: quota(remain) }));
  const usages = fc.nat(2 * 10 ** 9).map(quota);

  it('is satisfied once it is there: a second look wants nothing else', () => {
    fc.assert(
      fc.property(budgets, ceilings, usages, (budget, current, used) => {
        const wanted = wantedCeiling(budget, current, used, RATE);
        expect(wantedCeiling(budget, wanted, used, RATE)).toEqual(wanted);
      }),
    );
  });

  it('is the current one, or one that a gateway accepts', () => {
    fc.assert(
      fc.property(budgets, ceilings, usages, (budget, current, used) => {
        const wanted = wantedCeiling(budget, current, used, RATE);
        const accepted = wanted.unlimited || wanted.remain >= 0;
        expect(accepted || wanted === current).toBe(true);
      }),
    );
  });

  it('of a grant does not move when a key spends: what remains falls as what was used rises', () => {
    fc.assert(
      fc.property(amounts, fc.nat(10 ** 9), fc.nat(10 ** 6), (amount, used, more) => {
        const budget: Budget = { kind: 'lifetime', amount };
        const before = wantedCeiling(budget, limited(0), quota(used), RATE);
        fc.pre(before.remain >= more);
        const after = limited(before.remain - more);
        expect(wantedCeiling(budget, after, quota(used + more), RATE)).toBe(after);
      }),
    );
  });
});

describe('an amount', () => {
  const text = (value: string) => ({ usd: tryParseDecimal(value) ?? RATE });

  it.each<[string, BudgetAmount, BudgetAmount, boolean | undefined]>([
    ['more dollars', text('0.51'), text('0.5'), true],
    ['as many dollars', text('0.50'), text('0.5'), false],
    ['fewer dollars', text('9.99'), text('10'), false],
    ['more units', { quota: quota(2) }, { quota: quota(1) }, true],
    ['as many units', { quota: quota(2) }, { quota: quota(2) }, false],
    ['units and dollars', { quota: quota(2) }, text('1'), undefined],
    ['dollars and units', text('1'), { quota: quota(2) }, undefined],
  ])('is compared with another in the same unit: %s', (_, a, b, isMore) => {
    expect(isMoreThan(a, b)).toBe(isMore);
  });
});

describe('a key counts as topped up by hand when it', () => {
  const budget: Budget = { kind: 'top-up', amount: { quota: quota(10) }, below: { quota: quota(4) } };

  it.each<[string, Budget, number, number | undefined, boolean]>([
    ['holds more than its amount', budget, 11, undefined, true],
    ['was given more than its amount, and less than a refill gives', budget, 8, 3, true],
    ['was given as much as the earliest refill gives', budget, 10, 6, true],
    ['holds its amount', budget, 10, undefined, false],
    ['was given its amount', budget, 7, 3, false],
    ['may have got the rest from a refill', budget, 10, 7, false],
    ['holds less, and its use is unknown', budget, 9, undefined, false],
    ['has a budget of another kind', { kind: 'lifetime', amount: { quota: quota(10) } }, 11, 3, false],
  ])('%s', (_, policy, remain, used, isByHand) => {
    expect(isToppedUpByHand(policy, quota(remain), used === undefined ? undefined : quota(used), RATE)).toBe(isByHand);
  });
});

describe('a new key', () => {
  it.each<[Budget, Ceiling]>([
    [UNLIMITED, unlimited(0)],
    [LIFETIME, limited(units(25))],
    [MONTHLY, limited(units(25))],
    [TOP_UP, limited(units(25))],
    [INITIAL, limited(units(25))],
  ])('with budget $kind starts with it', (budget, ceiling) => {
    expect(initialCeiling(budget, RATE)).toEqual(ceiling);
  });
});

describe('usage', () => {
  const now = Date.parse('2026-11-20T22:58:00Z') / 1000;

  it('counts from the beginning for a lifetime grant, from its window for an allowance, and not at all otherwise', () => {
    expect(usageSince(LIFETIME, now)).toBe(0);
    expect(usageSince(MONTHLY, now)).toBe(Date.parse('2026-11-01T00:00:00Z') / 1000);
    expect([UNLIMITED, TOP_UP, INITIAL].map((budget) => usageSince(budget, now))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
