import type { KeyId } from '../key/key.ts';
import type { KeyName } from '../key/name.ts';
import { amountInQuota, type Budget, type Ceiling } from '../kinds/budget.ts';
import type { Decimal } from '../quantity.ts';
import { renderWindow, type Window } from '../window.ts';

/**
 * The rule for the spending of one key: its declared budget, `unmanaged` where none is declared, `none` where there is
 * no key, `unknown` where the earlier manifest is unknown. A gateway stores remainders, not policies.
 */
export type Policy = Budget | { readonly kind: 'unmanaged' | 'none' | 'unknown' };

/**
 * The most that keys can spend within 30 days: quota units, and the number of keys whose limit does not exist or is
 * unknown. Exact; these keys add no units.
 */
export interface Exposure {
  readonly units: bigint;
  readonly unbounded: number;
  readonly unknown: number;
}

export const NO_EXPOSURE: Exposure = { units: 0n, unbounded: 0, unknown: 0 };
const UNBOUNDED: Exposure = { ...NO_EXPOSURE, unbounded: 1 };
const UNKNOWN_EXPOSURE: Exposure = { ...NO_EXPOSURE, unknown: 1 };

/** The policy of one key before and after a plan, with its exposure. */
export interface KeyPolicy {
  readonly name: string;
  readonly id?: KeyId;
  /** The declared name, where the key is a generation of it. */
  readonly of?: KeyName;
  readonly before: Policy;
  readonly after: Policy;
  readonly exposure: { readonly before: Exposure; readonly after: Exposure };
}

const MONTH_DAYS = 30;
const WINDOWS = { hour: MONTH_DAYS * 24, day: MONTH_DAYS, week: 5, month: 1 } as const;

/** The number of windows that can begin within 30 days; a calendar month counts once. */
export const windowsInMonth = (per: Window): number =>
  typeof per === 'object' ? Math.ceil(MONTH_DAYS / per.days) : WINDOWS[per];

/**
 * The exposure of one key that can spend.
 *
 * @param holds the ceiling of the key: what a budget without a period still allows
 */
export function exposureOf(policy: Policy, holds: Ceiling, quotaPerUnit: Decimal): Exposure {
  switch (policy.kind) {
    case 'none':
      return NO_EXPOSURE;
    case 'unlimited':
    case 'top-up':
      return UNBOUNDED;
    case 'window':
      return holds.unlimited ? UNBOUNDED : { ...NO_EXPOSURE, units: exposureOfWindows(policy, holds, quotaPerUnit) };
    case 'unknown':
      return holds.unlimited ? UNBOUNDED : UNKNOWN_EXPOSURE;
    case 'lifetime':
    case 'initial':
    case 'unmanaged':
      return holds.unlimited ? UNBOUNDED : { ...NO_EXPOSURE, units: BigInt(Math.max(0, holds.remain)) };
    default:
      return policy satisfies never;
  }
}

/** The allowance of every window; of the first one what the key holds, where somebody gave it more. */
function exposureOfWindows(
  { amount, per }: Extract<Policy, { kind: 'window' }>,
  { remain }: Ceiling,
  quotaPerUnit: Decimal,
): bigint {
  const units = amountInQuota(amount, quotaPerUnit);
  return BigInt(units) * BigInt(windowsInMonth(per) - 1) + BigInt(Math.max(units, remain));
}

export function sumExposures(exposures: Iterable<Exposure>): Exposure {
  let { units, unbounded, unknown } = NO_EXPOSURE;
  for (const each of exposures) {
    units += each.units;
    unbounded += each.unbounded;
    unknown += each.unknown;
  }
  return { units, unbounded, unknown };
}

export const sameExposure = (a: Exposure, b: Exposure): boolean =>
  a.units === b.units && a.unbounded === b.unbounded && a.unknown === b.unknown;

/** Can the first spend more than the second? What is unknown or unbounded exceeds whatever is not. */
export const exceedsExposure = (a: Exposure, b: Exposure): boolean =>
  a.unbounded > b.unbounded || (b.unbounded === 0 && (a.unknown > b.unknown || (b.unknown === 0 && a.units > b.units)));

/** The exposure of all keys of a plan. */
export const totalExposure = (policies: readonly KeyPolicy[]): KeyPolicy['exposure'] => ({
  before: sumExposures(policies.map(({ exposure }) => exposure.before)),
  after: sumExposures(policies.map(({ exposure }) => exposure.after)),
});

const amountsOf = (policy: Policy, rate: Decimal): readonly (number | string)[] => [
  ...('amount' in policy ? [amountInQuota(policy.amount, rate)] : []),
  ...('below' in policy ? [amountInQuota(policy.below, rate)] : []),
  ...('per' in policy ? [renderWindow(policy.per)] : []),
];

/** Do two policies allow the same at this rate, in whatever unit they are written? */
export function samePolicy(a: Policy, b: Policy, quotaPerUnit: Decimal): boolean {
  const others = amountsOf(b, quotaPerUnit);
  return a.kind === b.kind && amountsOf(a, quotaPerUnit).every((part, i) => part === others[i]);
}

/** Did the policy of a key that was there, and stays, change? False where the earlier one is unknown. */
export const isPolicyChange = ({ before, after }: KeyPolicy, quotaPerUnit: Decimal): boolean =>
  before.kind !== 'unknown' &&
  before.kind !== 'none' &&
  after.kind !== 'none' &&
  !samePolicy(before, after, quotaPerUnit);
