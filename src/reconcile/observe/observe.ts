import {
  amountInQuota,
  asFault,
  type Decimal,
  type DesiredState,
  Fault,
  type ObservedState,
  type UnixSeconds,
} from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';
import { observeLastUse } from '../rotate/last-use.ts';
import type { UsageCache } from '../usage/memory.ts';
import { observeUsage } from '../usage/usage.ts';
import { type Matching, match } from './match.ts';

export interface ObserveOptions {
  readonly now: UnixSeconds;
  /** The number of pages of the usage log that may be read for budgets; default 2,000. */
  readonly maxLogPages?: number;
  readonly usageCache?: UsageCache;
  readonly mayLeaveUnverified?: boolean;
  /** Somebody vouches for the usage log: it has an entry for everything that was spent since the windows began. */
  readonly assumeLogComplete?: boolean;
  /** The time of the gateway, asked for once the keys are read; default: always `now`. */
  readonly clock?: () => UnixSeconds;
  /** The time of this machine; omitted: it is not known to differ from that of the gateway. */
  readonly machineNow?: () => UnixSeconds;
  /** The rate, where it was read already. */
  readonly quotaPerUnit?: Decimal;
  /** Facts that the same run already has: they are not requested again. */
  readonly known?: Pick<ObservedState, 'quotaPerUnit' | 'groups' | 'models'> &
    Partial<Pick<ObservedState, 'keys' | 'used' | 'unverified' | 'ownUse' | 'formerUse' | 'lastUse'>>;
}

/**
 * Reads the live account: rate, groups, all keys, and as much of the usage log as the declared budgets need.
 *
 * Costs two requests, one more where the store can list models, one more where only the wallet limits keys, the pages of the key list (100 a page), and the log only
 * when a grant needs it.
 *
 * @throws Fault `plan.ambiguous`, `plan.amount-too-small`, `plan.amount-too-large`, `plan.usage-too-long` unless keys may stay
 * unverified, and those of the store.
 */
export async function observe(store: KeyStore, desired: DesiredState, options: ObserveOptions): Promise<ObservedState> {
  const { known } = options;
  const [quotaPerUnit, groups, models, keys] = await Promise.all([
    known?.quotaPerUnit ?? options.quotaPerUnit ?? store.quotaPerUnit(),
    known ? known.groups : store.groups(),
    known ? known.models : store.models(),
    known?.keys ?? store.walk(),
  ]);
  requireAmounts(desired, quotaPerUnit);
  const matching = match(desired, keys);
  const { pairs, missing } = matching;
  const usage = known?.used ? usageOf(known) : await usageAt(store, { pairs, missing, keys, quotaPerUnit }, options);
  const lastUse = known?.lastUse ?? (await observeLastUse(store, pairs, options));
  const wallet = known || !dependsOnWallet(desired, matching) ? undefined : await store.wallet();
  const unkept = store.unkept();
  const limits = store.limits();
  return {
    account: store.account,
    quotaPerUnit,
    keys,
    ...(unkept && { unkept }),
    ...(limits && { limits }),
    ...(groups && { groups }),
    ...(models && { models }),
    ...(wallet !== undefined && { wallet }),
    ...(options.machineNow && { machineAt: options.machineNow() }),
    ...usage,
    ...(lastUse.size > 0 && { lastUse }),
  };
}

/** Refuses a budget that cannot be converted at this rate, and names its key. */
function requireAmounts({ keys }: DesiredState, quotaPerUnit: Decimal): void {
  for (const { name, budget, rotate } of keys) {
    try {
      if (budget && 'amount' in budget) amountInQuota(budget.amount, quotaPerUnit);
      if (budget?.kind === 'top-up') amountInQuota(budget.below, quotaPerUnit);
      if (rotate?.overlapBudget) amountInQuota(rotate.overlapBudget, quotaPerUnit);
    } catch (thrown) {
      const { code, message, hint } = asFault(thrown);
      throw new Fault(code, `“${name}”: ${message}`, { hint });
    }
  }
}

const usageOf = ({
  used = new Map(),
  unverified,
  ownUse,
  formerUse,
}: Partial<Pick<ObservedState, 'used' | 'unverified' | 'ownUse' | 'formerUse'>>) => ({
  used,
  ...(formerUse && { formerUse }),
  ...(ownUse && { ownUse }),
  ...(unverified && { unverified }),
});

const usageAt = (store: KeyStore, sides: Parameters<typeof observeUsage>[1], options: ObserveOptions) =>
  observeUsage(store, sides, { ...options, walkedAt: options.clock?.() ?? options.now });

/** Can an owned key spend without a limit of its own? */
const dependsOnWallet = ({ keys }: DesiredState, { pairs, undeclared }: Matching): boolean =>
  keys.some(({ budget }) => budget?.kind === 'unlimited' || budget?.kind === 'top-up') ||
  [...pairs.map(({ live }) => live), ...undeclared].some((key) => key.unlimited);
