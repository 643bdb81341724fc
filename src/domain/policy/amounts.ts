import type { DesiredKey } from '../key/key.ts';
import type { BudgetAmount } from '../kinds/budget.ts';
import { windowsInMonth } from '../plan/exposure.ts';
import { type Decimal, renderDecimal } from '../quantity.ts';

export const amountText = (amount: BudgetAmount): string =>
  'usd' in amount ? `$${renderDecimal(amount.usd)}` : `${amount.quota} quota units`;

const plus = (a: Decimal, b: Decimal): Decimal => {
  const scale = Math.max(a.scale, b.scale);
  const atScale = ({ digits, scale: own }: Decimal): bigint => digits * 10n ** BigInt(scale - own);
  return { digits: atScale(a) + atScale(b), scale };
};

const isMore = (a: Decimal, b: Decimal): boolean => plus(a, { ...b, digits: -b.digits }).digits > 0n;

const ZERO: Decimal = { digits: 0n, scale: 0 };

/** A sum of amounts of both units, exact. */
export interface MixedAmount {
  readonly usd: Decimal;
  readonly quota: Decimal;
}

const mixedOf = (amount: BudgetAmount): MixedAmount =>
  'usd' in amount ? { usd: amount.usd, quota: ZERO } : { usd: ZERO, quota: { digits: BigInt(amount.quota), scale: 0 } };

const inUnits = ({ usd, quota }: MixedAmount, rate: Decimal): Decimal =>
  plus({ digits: usd.digits * rate.digits, scale: usd.scale + rate.scale }, quota);

/** Is a sum more than an amount? Exact. Undefined: the units differ, and the rate is unknown. */
export function exceeds(sum: MixedAmount, amount: BudgetAmount, rate?: Decimal): boolean | undefined {
  const unit = 'usd' in amount ? 'usd' : 'quota';
  const most = mixedOf(amount);
  if (isMore(sum[unit], most[unit])) return true;
  const isOfOneUnit = sum[unit === 'usd' ? 'quota' : 'usd'].digits === 0n;
  if (isOfOneUnit) return false;
  return rate && isMore(inUnits(sum, rate), inUnits(most, rate));
}

export const exceedsAmount = (a: BudgetAmount, b: BudgetAmount, rate?: Decimal): boolean | undefined =>
  exceeds(mixedOf(a), b, rate);

export function mixedText({ usd, quota }: MixedAmount): string {
  const parts = [
    ...(usd.digits === 0n ? [] : [`$${renderDecimal(usd)}`]),
    ...(quota.digits === 0n ? [] : [`${renderDecimal(quota)} quota units`]),
  ];
  return parts.length === 0 ? '$0' : parts.join(' and ');
}

const DAYS = 30;
const DAY_SECONDS = 86_400;

/** The number of times that a budget is granted within 30 days; undefined: no bound. */
function grantsOf({ budget, rotate }: Pick<DesiredKey, 'budget' | 'rotate'>): number | undefined {
  switch (budget?.kind) {
    case 'window':
      return windowsInMonth(budget.per);
    case 'lifetime':
      return 1;
    case 'initial':
      // Each generation is created with it.
      return rotate ? Math.ceil((DAYS * DAY_SECONDS) / rotate.every) + 1 : 1;
    default:
      return undefined;
  }
}

const times = ({ digits, scale }: Decimal, count: number): Decimal => ({ digits: digits * BigInt(count), scale });

/** Adds up what the declared budgets of these keys allow within 30 days; undefined: no bound. */
export function declaredExposure(...keys: readonly Pick<DesiredKey, 'budget' | 'rotate'>[]): MixedAmount | undefined {
  let sum: MixedAmount = { usd: ZERO, quota: ZERO };
  for (const key of keys) {
    const grants = grantsOf(key);
    if (grants === undefined || !key.budget || key.budget.kind === 'unlimited') return undefined;
    const { usd, quota } = mixedOf(key.budget.amount);
    sum = { usd: plus(sum.usd, times(usd, grants)), quota: plus(sum.quota, times(quota, grants)) };
  }
  return sum;
}
