import {
  amountInQuota,
  type Decimal,
  type KeyId,
  type ObservedKey,
  type ObservedState,
  type Quota,
  quota,
  type UnixSeconds,
  type Unverified,
  usageSince,
} from '../../domain/index.ts';
import type { Pair } from '../observe/match.ts';
import type { KeyStore } from '../ports.ts';
import { usedWhenWalked } from './excess.ts';
import { type LogReading, type Need, readBack, sumByKey, tooLong } from './log-reading.ts';

/** Sums of the usage log up to a time, so that a later run need not read as far back. Holds no secret. */
export interface UsageMemory {
  /** All entries older than this are in the sums. */
  readonly through: UnixSeconds;
  readonly used: ReadonlyMap<KeyId, Quota>;
}

/** A store that remembers usage between runs. It may forget at any time. */
export interface UsageCache {
  load(): Promise<UsageMemory | undefined>;
  save(memory: UsageMemory): Promise<void>;
}

export const DEFAULT_LOG_PAGES = 2000;
/** Entries may be written late, when a long request settles: the newest hour is always read again. */
const SETTLE_SECONDS = 3600;

/** Returns the use since a time as the record itself shows it; undefined when only the log shows it. */
function usedByRecord(key: ObservedKey, since: UnixSeconds): Quota | undefined {
  if (key.used === undefined) return undefined;
  const answers = since === 0 || key.used === 0 || (key.createdAt !== undefined && key.createdAt >= since);
  return answers ? key.used : undefined;
}

/** Selects the declared keys that need the log: grants whose use the record does not show. */
function needsOf(pairs: readonly Pair[], quotaPerUnit: Decimal, now: UnixSeconds) {
  const needs: Need[] = [];
  const known = new Map<KeyId, Quota>();
  for (const { desired, live } of pairs) {
    const since = desired.budget && usageSince(desired.budget, now);
    if (since === undefined || !desired.budget || !('amount' in desired.budget)) continue;
    const granted = amountInQuota(desired.budget.amount, quotaPerUnit);
    const used = usedByRecord(live, since);
    if (used === undefined) needs.push({ key: live, since, granted });
    else known.set(live.id, used);
  }
  return { needs, known };
}

export interface UsageOptions {
  readonly now: UnixSeconds;
  readonly maxLogPages?: number;
  readonly usageCache?: UsageCache;
  /** Leaves keys unverified whose use a log of that length does not show, instead of throwing. */
  readonly mayLeaveUnverified?: boolean;
}

interface UsageFacts extends Pick<ObservedState, 'unverified'> {
  readonly used: ReadonlyMap<KeyId, Quota>;
  readonly logHead?: ReadonlySet<string>;
}

/**
 * Reads the use since each budget's window began. One pass over the log for all keys, newest first, only as far back as
 * needed, and none when no key needs it.
 *
 * @throws Fault `plan.usage-too-long` when the log is longer than the run may read, unless keys may stay unverified.
 */
export async function observeUsage(
  store: KeyStore,
  sides: { pairs: readonly Pair[]; keys: readonly ObservedKey[]; quotaPerUnit: Decimal },
  options: UsageOptions,
): Promise<UsageFacts> {
  const { needs, known } = needsOf(sides.pairs, sides.quotaPerUnit, options.now);
  if (needs.length === 0) return { used: known };
  const memory = await options.usageCache?.load();
  const maxPages = options.maxLogPages ?? DEFAULT_LOG_PAGES;
  const { back, reading, readFor } = await readForNeeds(store, needs, { keys: sides.keys, memory, maxPages });
  const unread = readFor.filter((need) => reading.since > reachBack(need, memory));
  if (unread.length > 0 && !options.mayLeaveUnverified) throw tooLong(unread, maxPages);
  const whole = reading.whole || (unread.length === 0 && back <= (memory?.through ?? 0));
  if (options.usageCache && whole) await options.usageCache.save(remember(reading, memory));
  const read = readFor.filter((need) => !unread.includes(need));
  const { keys } = sides;
  const proven = await usedWhenWalked(store, read, {
    used: tally(read, { reading, memory }),
    head: reading.head,
    keys,
  });
  const unverified = new Map<KeyId, Unverified>([
    ...unread.map(({ key }) => [key.id, 'log-too-long'] as const),
    ...[...proven.open].map((id) => [id, 'busy'] as const),
  ]);
  return {
    used: new Map([...needs.map(({ key }) => [key.id, quota(0)] as const), ...known, ...proven.used]),
    logHead: reading.head,
    ...(unverified.size > 0 ? { unverified } : {}),
  };
}

interface LogSides {
  readonly keys: readonly ObservedKey[];
  readonly memory: UsageMemory | undefined;
  readonly maxPages: number;
}

/**
 * Reads the log as far back as the partly used keys need. A key that holds its whole grant was not used, or was given back
 * all that it used: it needs the log only where the part that is read shows a use.
 */
async function readForNeeds(store: KeyStore, needs: readonly Need[], { keys, memory, maxPages }: LogSides) {
  const isFull = ({ key, granted }: Need): boolean => !key.unlimited && key.remain === granted;
  const full = needs.filter(isFull);
  const partly = needs.filter((need) => !isFull(need));
  const reach = (some: readonly Need[]): UnixSeconds => Math.min(...some.map((need) => reachBack(need, memory)));
  const first = await readBack(store, reach(partly), { keys, maxPages });
  const seen = new Set(first.spent.map(({ id }) => id));
  const readFor = [...partly, ...full.filter(({ key }) => seen.has(key.id))];
  const back = reach(readFor);
  const isEnough = first.whole || back >= reach(partly);
  const reading = isEnough ? first : await readBack(store, back, { keys, maxPages });
  return { back, reading, readFor };
}

/** Returns the time back to which the log must be read for this key. */
function reachBack({ key, since }: Need, memory?: UsageMemory): UnixSeconds {
  if (since > 0) return Math.max(since, key.createdAt ?? 0);
  return Math.max(memory?.through ?? 0, key.createdAt ?? 0);
}

/** Returns what each key used since its own time, from the entries that were read and the remembered sums. */
function tally(
  needs: readonly Need[],
  { reading, memory }: { reading: LogReading; memory: UsageMemory | undefined },
): Map<KeyId, number> {
  const since = new Map<UnixSeconds, Map<KeyId, number>>();
  const used = new Map<KeyId, number>();
  for (const need of needs) {
    const from = need.since > 0 ? need.since : (memory?.through ?? 0);
    const sums = since.get(from) ?? sumByKey(reading.spent, from);
    since.set(from, sums);
    const before = need.since > 0 ? 0 : (memory?.used.get(need.key.id) ?? 0);
    used.set(need.key.id, before + (sums.get(need.key.id) ?? 0));
  }
  return used;
}

/** The remembered sums, moved on to an hour before the newest entry. */
function remember(reading: LogReading, memory: UsageMemory | undefined): UsageMemory {
  const from = memory?.through ?? 0;
  const through = Math.max(from, reading.newest - SETTLE_SECONDS);
  const used = new Map<KeyId, Quota>(memory?.used ?? []);
  for (const [id, units] of sumByKey(reading.spent, from, through)) used.set(id, quota((used.get(id) ?? 0) + units));
  return { through, used };
}
