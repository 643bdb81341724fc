import {
  amountInQuota,
  type DesiredKey,
  type KeyId,
  type KeyMetadata,
  type ObservedKey,
  type ObservedState,
  type UnixSeconds,
  type Window,
  windowEnd,
  windowStart,
} from '../../domain/index.ts';
import { type LogTally, type Sums, sumOf, type TallyCell } from './tally.ts';

/**
 * The evidence that the log has every request of a key. `complete`: the entries add up to the use that its record reports.
 * `incomplete`: the record reports more. `unproven`: nothing shows it. `cut`: the log was not read far enough.
 */
export type LogEvidence = 'complete' | 'incomplete' | 'unproven' | 'cut';

/** Units that were spent in a length of time: an exact rate. */
export interface BurnRate {
  readonly units: bigint;
  readonly seconds: number;
}

/** The budget of one key, in units. */
export interface BudgetState {
  /** Absent: neither a declaration nor the record shows it. */
  readonly granted?: bigint;
  /** The use that counts against the grant; absent where it is unknown. */
  readonly used?: bigint;
  /** Null: unlimited. */
  readonly remaining: bigint | null;
  readonly window?: Window;
  /** The end of the current window, when a declared allowance is refilled. */
  readonly refillsAt?: UnixSeconds;
}

/** The spending of one key, its remainder, and how long that lasts. */
export interface KeySpending extends Sums {
  readonly id?: KeyId;
  readonly name: string;
  /** Absent: the key was deleted, or the entries do not identify it. */
  readonly key?: ObservedKey;
  readonly metadata?: KeyMetadata;
  readonly isDeclared: boolean;
  readonly cells: readonly TallyCell[];
  readonly budget?: BudgetState;
  readonly burn: BurnRate;
  /** The time at which the remainder is used up at this rate; absent: never, or a refill comes first. */
  readonly exhaustsAt?: UnixSeconds;
  readonly lastUsed?: UnixSeconds;
  readonly evidence: LogEvidence;
}

/** The inputs of a report: what was observed at one moment, and what is declared. */
export interface SpendingSides {
  readonly observed: Pick<ObservedState, 'keys' | 'quotaPerUnit'>;
  readonly tally: LogTally;
  readonly now: UnixSeconds;
  /** The declaration of a live key, if there is one. */
  readonly declarationOf: (key: ObservedKey) => DesiredKey | undefined;
  readonly metadataOf: (name: string) => KeyMetadata | undefined;
  /** The time that the report begins with. The tally may reach further back. */
  readonly since: UnixSeconds;
}

/** A rate over less time would turn one request into a fortune. */
const LEAST_PERIOD = 3600;
/** Later than that is never. */
const FARTHEST = 100 * 366 * 86_400;

const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Returns the time at which a remainder is used up; undefined: never. Exact, rounded down to the second. */
export function exhaustionOf(
  remaining: bigint,
  { units, seconds }: BurnRate,
  now: UnixSeconds,
): UnixSeconds | undefined {
  if (remaining <= 0n) return now;
  if (units <= 0n) return undefined;
  const left = (remaining * BigInt(seconds)) / units;
  return left > BigInt(FARTHEST) ? undefined : now + Number(left);
}

const since = (cells: readonly TallyCell[], began: UnixSeconds): bigint =>
  sumOf(cells.filter(({ from }) => from >= began)).units;

function budgetOf(key: ObservedKey, cells: readonly TallyCell[], sides: SpendingSides): BudgetState {
  const { now, tally, observed } = sides;
  const remaining = key.unlimited ? null : BigInt(key.remain);
  const budget = sides.declarationOf(key)?.budget;
  const ofRecord = key.used === undefined ? {} : { used: BigInt(key.used) };
  if (key.unlimited) return { remaining, ...ofRecord };
  if (budget?.kind === 'window') {
    const granted = BigInt(amountInQuota(budget.amount, observed.quotaPerUnit));
    const began = windowStart(budget.per, now);
    const logged = tally.since > began ? 0n : since(cells, began);
    const used = most(logged, most(0n, granted - BigInt(key.remain)));
    return { remaining, granted, used, window: budget.per, refillsAt: windowEnd(budget.per, now) };
  }
  if (budget?.kind === 'lifetime') {
    const granted = BigInt(amountInQuota(budget.amount, observed.quotaPerUnit));
    return { remaining, granted, used: BigInt(key.used ?? Math.max(0, Number(granted) - key.remain)) };
  }
  return key.used === undefined
    ? { remaining }
    : { remaining, granted: BigInt(key.used) + BigInt(key.remain), ...ofRecord };
}

function evidenceOf(
  key: ObservedKey | undefined,
  cells: readonly TallyCell[],
  { tally, since }: SpendingSides,
): LogEvidence {
  if (tally.isCut && tally.since > Math.max(since, key?.createdAt ?? 0)) return 'cut';
  if (key?.used === undefined) return 'unproven';
  const isWholeLife = tally.isWhole || (key.createdAt !== undefined && key.createdAt >= tally.since);
  const logged = sumOf(cells).units;
  const used = BigInt(key.used);
  if (logged > used) return 'unproven';
  if (isWholeLife) return logged === used ? 'complete' : 'incomplete';
  return used === 0n ? 'complete' : 'unproven';
}

const lastOf = (key: ObservedKey | undefined, cells: readonly TallyCell[]): UnixSeconds | undefined => {
  const logged = Math.max(0, ...cells.map(({ last }) => last));
  // A gateway sets the time of access to that of creation.
  const accessed = key?.accessedAt !== undefined && key.accessedAt !== key.createdAt ? key.accessedAt : 0;
  const last = Math.max(logged, accessed);
  return last > 0 ? last : undefined;
};

interface Owned {
  readonly id?: KeyId;
  readonly name: string;
  readonly key?: ObservedKey;
  readonly cells: readonly TallyCell[];
}

function spendingOf({ id, name, key, cells }: Owned, sides: SpendingSides): KeySpending {
  const { now, tally } = sides;
  const shown = cells.filter(({ until }) => until > sides.since);
  const sums = sumOf(shown);
  const from = Math.max(sides.since, tally.since, key?.createdAt ?? 0);
  const burn = { units: sums.units, seconds: Math.max(LEAST_PERIOD, now - from) };
  const budget = key && budgetOf(key, cells, sides);
  const last = lastOf(key, cells);
  const end = budget?.remaining == null ? undefined : exhaustionOf(budget.remaining, burn, now);
  const isRefilled = end !== undefined && end > now && budget?.refillsAt !== undefined && end >= budget.refillsAt;
  const metadata = sides.metadataOf(name);
  return {
    ...sums,
    ...(id === undefined ? {} : { id }),
    name,
    ...(key ? { key } : {}),
    ...(metadata ? { metadata } : {}),
    isDeclared: key !== undefined && sides.declarationOf(key) !== undefined,
    cells: shown,
    ...(budget ? { budget } : {}),
    burn,
    ...(end === undefined || isRefilled ? {} : { exhaustsAt: end }),
    ...(last === undefined ? {} : { lastUsed: last }),
    evidence: evidenceOf(key, cells, sides),
  };
}

/**
 * Returns what each live key spent, and what keys spent that no longer exist. An entry without a key ID counts for the live
 * key of its name, if there is exactly one. Pure.
 */
export function spendingByKey(sides: SpendingSides): readonly KeySpending[] {
  const { keys } = sides.observed;
  const byId = new Map(keys.map((key) => [key.id, key]));
  const named = new Map<string, ObservedKey | undefined>();
  for (const key of keys) named.set(key.name, named.has(key.name) ? undefined : key);
  const own = new Map<string | number, Owned & { cells: TallyCell[] }>(
    keys.map((key) => [key.id, { id: key.id, name: key.name, key, cells: [] }]),
  );
  for (const cell of sides.tally.cells) {
    const key = cell.keyId === undefined ? named.get(cell.keyName) : byId.get(cell.keyId);
    const place = key?.id ?? cell.keyId ?? cell.keyName;
    const known = own.get(place);
    if (known) known.cells.push(cell);
    else own.set(place, { ...(cell.keyId === undefined ? {} : { id: cell.keyId }), name: cell.keyName, cells: [cell] });
  }
  return [...own.values()].map((each) => spendingOf(each, sides));
}
