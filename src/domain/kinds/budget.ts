import { Fault } from '../fault.ts';
import { type Decimal, type Quota, quota, quotaFromUsd, renderDecimal } from '../quantity.ts';
import { type UnixSeconds, type Window, windowStart } from '../window.ts';

/** An amount of money in the declared unit: dollars, or internal units. */
export type BudgetAmount = { readonly usd: Decimal } | { readonly quota: Quota };

/**
 * The limit on what a key may spend. `lifetime` and `window` are grants: what remains is the grant less what was used, so ordinary
 * consumption is never drift. `top-up` fills up when less than `below` remains. `initial` counts at creation only.
 */
export type Budget =
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'lifetime'; readonly amount: BudgetAmount }
  | { readonly kind: 'window'; readonly amount: BudgetAmount; readonly per: Window }
  | { readonly kind: 'top-up'; readonly amount: BudgetAmount; readonly below: BudgetAmount }
  | { readonly kind: 'initial'; readonly amount: BudgetAmount };

const atScale = (amount: Decimal, scale: number): bigint => amount.digits * 10n ** BigInt(scale - amount.scale);

/** Is the first more than the second? Undefined when the units differ, because that depends on the gateway's rate. */
export function isMoreThan(a: BudgetAmount, b: BudgetAmount): boolean | undefined {
  if ('usd' in a && 'usd' in b) {
    const scale = Math.max(a.usd.scale, b.usd.scale);
    return atScale(a.usd, scale) > atScale(b.usd, scale);
  }
  return 'quota' in a && 'quota' in b ? a.quota > b.quota : undefined;
}

/**
 * The amount in quota units.
 *
 * @throws Fault `plan.amount-too-small` for a part of one unit, which rounding would double or drop;
 * `plan.amount-too-large` as {@link quotaFromUsd}.
 */
export function amountInQuota(amount: BudgetAmount, quotaPerUnit: Decimal): Quota {
  if ('quota' in amount) return amount.quota;
  const { digits, scale } = amount.usd;
  const isPart = digits > 0n && digits * quotaPerUnit.digits < 10n ** BigInt(scale + quotaPerUnit.scale);
  if (isPart) throw tooSmall(amount.usd, quotaPerUnit);
  return quotaFromUsd(amount.usd, quotaPerUnit);
}

const tooSmall = (usd: Decimal, rate: Decimal): Fault =>
  new Fault(
    'plan.amount-too-small',
    `A budget of $${renderDecimal(usd)} is less than one quota unit: one dollar is ${renderDecimal(rate)} units.`,
    { hint: 'Write 0, or an amount of at least one unit.' },
  );

/** Returns the time since which usage counts for this budget; undefined when usage does not matter to it. */
export function usageSince(budget: Budget, now: UnixSeconds): UnixSeconds | undefined {
  if (budget.kind === 'lifetime') return 0;
  return budget.kind === 'window' ? windowStart(budget.per, now) : undefined;
}

/** A key's ceiling as the gateway stores it. `remain` of an unlimited key is meaningless. */
export interface Ceiling {
  readonly unlimited: boolean;
  readonly remain: Quota;
}

/**
 * Returns the ceiling that a budget requires, given the current one and the use since {@link usageSince}.
 *
 * The remainder is never negative: the gateway rejects that, and an overdrawn key is as exhausted as one with 0. Returns
 * `current` itself whenever it already satisfies the budget.
 */
export function wantedCeiling(budget: Budget, current: Ceiling, used: Quota, quotaPerUnit: Decimal): Ceiling {
  if (budget.kind === 'unlimited') return current.unlimited ? current : { unlimited: true, remain: current.remain };
  const amount = amountInQuota(budget.amount, quotaPerUnit);
  if (budget.kind === 'initial') return current.unlimited ? { unlimited: false, remain: amount } : current;
  if (budget.kind === 'top-up') {
    const enough = !current.unlimited && current.remain >= amountInQuota(budget.below, quotaPerUnit);
    return enough ? current : { unlimited: false, remain: amount };
  }
  const left = amount - used;
  if (!current.unlimited && (current.remain === left || (current.remain <= 0 && left <= 0))) return current;
  return { unlimited: false, remain: quota(Math.max(0, left)) };
}

/**
 * Determines whether a `top-up` key was certainly topped up by hand: it holds more than the amount, or what remains and what was used add up
 * to more than the amount although no refill was made. A refill makes them at least twice the amount less `below`; later ones hide it.
 *
 * @param used everything that the key ever used; undefined where the gateway does not report it.
 */
export function isToppedUpByHand(
  budget: Budget,
  remain: Quota,
  used: Quota | undefined,
  quotaPerUnit: Decimal,
): boolean {
  if (budget.kind !== 'top-up') return false;
  const amount = amountInQuota(budget.amount, quotaPerUnit);
  if (remain > amount) return true;
  const granted = remain + (used ?? 0);
  return granted > amount && granted <= 2 * amount - amountInQuota(budget.below, quotaPerUnit);
}

/**
 * The ceiling of a new key.
 *
 * @param used what former keys of its name used since the window began
 */
export function initialCeiling(budget: Budget, quotaPerUnit: Decimal, used = 0): Ceiling {
  if (budget.kind === 'unlimited') return { unlimited: true, remain: quota(0) };
  const amount = amountInQuota(budget.amount, quotaPerUnit);
  return { unlimited: false, remain: budget.kind === 'window' ? quota(Math.max(0, amount - used)) : amount };
}
