import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Budget,
  decimalOf,
  exceedsExposure,
  exposureOf,
  initialCeiling,
  isPolicyChange,
  type KeyPolicy,
  NO_EXPOSURE,
  type Policy,
  quota,
  sameExposure,
  samePolicy,
  sumExposures,
  totalExposure,
  type Window,
  windowsInMonth,
} from '../../src/domain/index.ts';

const RATE = decimalOf(500_000);
const limited = (remain: number) => ({ unlimited: false, remain: quota(remain) });
const NO_LIMIT = { unlimited: true, remain: quota(0) };
const usd = (dollars: number) => ({ usd: decimalOf(dollars) });
const per = (dollars: number, window: Window): Budget => ({ kind: 'window', amount: usd(dollars), per: window });

/** Most frequent first. */
const WINDOWS: readonly Window[] = [
  'hour',
  'day',
  { days: 2 },
  'week',
  { days: 7 },
  { days: 29 },
  'month',
  { days: 90 },
];

describe('the exposure of a key', () => {
  it.each<[string, Policy, ReturnType<typeof limited>, unknown]>([
    ['$5 an hour is $3,600 a month', per(5, 'hour'), limited(0), { units: 3600n * 500_000n }],
    ['$5 a day is $150 a month', per(5, 'day'), limited(0), { units: 150n * 500_000n }],
    [
      '$5 a week is $25 a month, because five weeks can begin in it',
      per(5, 'week'),
      limited(0),
      { units: 12_500_000n },
    ],
    ['$5 a month is $5 a month', per(5, 'month'), limited(0), { units: 2_500_000n }],
    ['$5 in 90 days can be spent in one month', per(5, { days: 90 }), limited(0), { units: 2_500_000n }],
    ['$5 once is what remains', { kind: 'lifetime', amount: usd(5) }, limited(7), { units: 7n }],
    ['$5 a day is more where a key holds $10', per(5, 'day'), limited(5_000_000), { units: 155n * 500_000n }],
    ['$5 at the beginning is what remains', { kind: 'initial', amount: usd(5) }, limited(7), { units: 7n }],
    ['$5 a day without a limit yet is unbounded', per(5, 'day'), NO_LIMIT, { unbounded: 1 }],
    ['an overdraft is nothing', { kind: 'lifetime', amount: usd(5) }, limited(-7), { units: 0n }],
    ['an unmanaged key can spend what remains', { kind: 'unmanaged' }, limited(7), { units: 7n }],
    ['an unmanaged key without a limit is unbounded', { kind: 'unmanaged' }, NO_LIMIT, { unbounded: 1 }],
    ['unlimited is unbounded', { kind: 'unlimited' }, NO_LIMIT, { unbounded: 1 }],
    ['a top-up is unbounded', { kind: 'top-up', amount: usd(5), below: usd(1) }, limited(7), { unbounded: 1 }],
    ['an unknown policy is unknown', { kind: 'unknown' }, limited(7), { unknown: 1 }],
    ['an unknown policy of a key without a limit is unbounded', { kind: 'unknown' }, NO_LIMIT, { unbounded: 1 }],
    ['no key is nothing', { kind: 'none' }, limited(7), {}],
  ])('%s', (_, policy, holds, exposure) => {
    expect(exposureOf(policy, holds, RATE)).toEqual({ ...NO_EXPOSURE, ...(exposure as object) });
  });

  it('is exact where a number is not', () => {
    const budget: Budget = { kind: 'window', amount: { quota: quota(999_999_999_999_999) }, per: 'hour' };
    expect(exposureOf(budget, limited(0), RATE).units).toBe(719_999_999_999_999_280n);
  });

  const amounts = fc.nat(10 ** 12);
  const forms = fc.constantFrom<(n: number) => Budget>(
    (n) => ({ kind: 'lifetime', amount: { quota: quota(n) } }),
    (n) => ({ kind: 'initial', amount: { quota: quota(n) } }),
    ...WINDOWS.map(
      (window) =>
        (n: number): Budget => ({ kind: 'window', amount: { quota: quota(n) }, per: window }),
    ),
  );
  const fresh = (budget: Budget) => exposureOf(budget, initialCeiling(budget, RATE), RATE);

  it('never falls when the amount rises', () => {
    fc.assert(
      fc.property(forms, amounts, amounts, (form, a, b) => {
        expect(exceedsExposure(fresh(form(Math.min(a, b))), fresh(form(Math.max(a, b))))).toBe(false);
      }),
    );
  });

  it('never falls when the window recurs more often, and is at least the amount once', () => {
    const counts = WINDOWS.map(windowsInMonth);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(counts).toEqual([720, 30, 15, 5, 5, 2, 1, 1]);
  });
});

describe('the exposure of several keys', () => {
  const exposure = fc.record({
    units: fc.bigInt({ min: 0n, max: 10n ** 18n }),
    unbounded: fc.nat(2),
    unknown: fc.nat(2),
  });
  const policy = fc.record({ before: exposure, after: exposure }).map(
    (both): KeyPolicy => ({
      name: 'a',
      before: { kind: 'unknown' },
      after: { kind: 'unmanaged' },
      exposure: both,
    }),
  );

  it('is the sum of theirs, in any order and any grouping', () => {
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 6 }), fc.nat(6), (policies, at) => {
        const whole = totalExposure(policies);
        const parts = [totalExposure(policies.slice(at)), totalExposure(policies.slice(0, at))];
        expect(sumExposures(parts.map(({ before }) => before))).toEqual(whole.before);
        expect(sumExposures(parts.map(({ after }) => after))).toEqual(whole.after);
        expect(whole.after.units).toBe(policies.reduce((sum, p) => sum + p.exposure.after.units, 0n));
      }),
    );
  });

  it('exceeds another, or is exceeded, or is the same, and never both', () => {
    fc.assert(
      fc.property(exposure, exposure, (a, b) => {
        expect(exceedsExposure(a, a)).toBe(false);
        expect(exceedsExposure(a, b) && exceedsExposure(b, a)).toBe(false);
        if (sameExposure(a, b)) expect(exceedsExposure(a, b)).toBe(false);
      }),
    );
  });
});

describe('one exposure and another', () => {
  const of = (units: bigint, unbounded = 0, unknown = 0) => ({ units, unbounded, unknown });

  it.each([
    ['more units', of(2n), of(1n), true, false],
    ['as many units', of(1n), of(1n), false, true],
    ['as many units and fewer without a bound', of(1n), of(1n, 1), false, false],
    ['fewer units', of(1n), of(2n), false, false],
    ['one more without a limit', of(0n, 1), of(9n), true, false],
    ['fewer without a limit', of(9n), of(0n, 1), false, false],
    ['as many without a limit, and more units', of(9n, 1), of(0n, 1), false, false],
    ['as many without a limit, and more unknown', of(0n, 1, 1), of(0n, 1), false, false],
    ['one more unknown', of(0n, 0, 1), of(9n), true, false],
    ['fewer unknown', of(9n), of(0n, 0, 1), false, false],
    ['as many unknown, and more units', of(9n, 0, 1), of(0n, 0, 1), false, false],
    ['as many of all', of(1n, 1, 1), of(1n, 1, 1), false, true],
  ])('are compared: %s', (_, a, b, exceeds, isSame) => {
    expect(exceedsExposure(a, b)).toBe(exceeds);
    expect(sameExposure(a, b)).toBe(isSame);
  });
});

describe('the same policy', () => {
  const topUp = (amount: number, below: number): Policy => ({ kind: 'top-up', amount: usd(amount), below: usd(below) });

  it.each<[string, Policy, Policy, boolean]>([
    ['in dollars and in units', per(1, 'day'), { kind: 'window', amount: { quota: quota(500_000) }, per: 'day' }, true],
    ['with another amount', per(1, 'day'), per(2, 'day'), false],
    ['with another window', per(1, 'day'), per(1, 'hour'), false],
    ['with a window of another length', per(1, { days: 2 }), per(1, { days: 3 }), false],
    ['with another kind', { kind: 'lifetime', amount: usd(1) }, { kind: 'initial', amount: usd(1) }, false],
    ['that fills up below the same', topUp(5, 1), topUp(5, 1), true],
    ['that fills up below less', topUp(5, 1), topUp(5, 2), false],
    ['without an amount', { kind: 'unlimited' }, { kind: 'unlimited' }, true],
  ])('%s', (_, a, b, isSame) => {
    expect(samePolicy(a, b, RATE)).toBe(isSame);
    expect(samePolicy(b, a, RATE)).toBe(isSame);
  });
});

describe('a policy change', () => {
  const change = (before: Policy, after: Policy): boolean =>
    isPolicyChange({ name: 'a', before, after, exposure: { before: NO_EXPOSURE, after: NO_EXPOSURE } }, RATE);

  it('is a difference between two known policies of a key', () => {
    expect(change({ kind: 'lifetime', amount: usd(5) }, per(5, 'hour'))).toBe(true);
    expect(change(per(5, 'hour'), per(5, 'hour'))).toBe(false);
    expect(change({ kind: 'unmanaged' }, { kind: 'unlimited' })).toBe(true);
  });

  it('is not a new key, a deleted key, or one whose earlier policy is unknown', () => {
    expect(change({ kind: 'none' }, per(5, 'hour'))).toBe(false);
    expect(change(per(5, 'hour'), { kind: 'none' })).toBe(false);
    expect(change({ kind: 'unknown' }, per(5, 'hour'))).toBe(false);
  });
});

describe('two policies', () => {
  it.each<[string, Policy, Policy, boolean]>([
    [
      'dollars and the same units',
      per(5, 'hour'),
      { kind: 'window', amount: { quota: quota(2_500_000) }, per: 'hour' },
      true,
    ],
    ['another amount', per(5, 'hour'), per(6, 'hour'), false],
    ['another window', per(5, 'hour'), per(5, 'month'), false],
    ['once and per hour', { kind: 'lifetime', amount: usd(5) }, per(5, 'hour'), false],
    [
      'another threshold',
      { kind: 'top-up', amount: usd(5), below: usd(1) },
      { kind: 'top-up', amount: usd(5), below: usd(2) },
      false,
    ],
    ['unmanaged', { kind: 'unmanaged' }, { kind: 'unmanaged' }, true],
  ])('%s', (_, a, b, same) => {
    expect([samePolicy(a, b, RATE), samePolicy(b, a, RATE)]).toEqual([same, same]);
  });
});
