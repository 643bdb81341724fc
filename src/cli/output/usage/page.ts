import type { Decimal, Quota, UnixSeconds } from '../../../domain/index.ts';
import type { BurnRate, Grouping, GroupSpending, KeySpending, LogTally } from '../../../reconcile/index.ts';

/** The balance of the account, which every key spends, and how long it lasts. */
export interface WalletState {
  readonly balance?: Quota;
  readonly burn: BurnRate;
  /** Absent: never, or the balance is unknown. */
  readonly exhaustsAt?: UnixSeconds;
}

/** A reason to act: a key, or the wallet, that is or soon will be used up. */
export interface UsageFinding {
  readonly kind: 'share' | 'exhausted' | 'projected';
  /** The key; absent: the wallet. */
  readonly name?: string;
  readonly id?: number;
  readonly text: string;
}

/** The inputs of a report on usage, in every format. */
export interface UsageReport {
  readonly quotaPerUnit: Decimal;
  readonly since: UnixSeconds;
  readonly now: UnixSeconds;
  readonly by: Grouping;
  readonly keys: readonly KeySpending[];
  /** Absent: grouped by key. */
  readonly groups?: readonly GroupSpending[];
  readonly wallet: WalletState;
  readonly tally: LogTally;
  readonly findings: readonly UsageFinding[];
  /** Facts about the completeness of the figures. */
  readonly remarks: readonly string[];
}

/** The units of a rate for one day, rounded down. */
export const perDay = ({ units, seconds }: BurnRate): bigint => (units * 86_400n) / BigInt(seconds);

export const groupTitle = (by: Grouping): string => (typeof by === 'string' ? by : by.label);
