import {
  amountInQuota,
  type Decimal,
  type KeyId,
  type ObservedKey,
  type ObservedState,
  type Quota,
  quota,
  type UnixSeconds,
  usageSince,
} from '../domain/index.ts';
import { type LogReading, type Need, readBack, type Spent, sumByKey, tooLong } from './log-reading.ts';
import type { Pair } from './match.ts';
import type { KeyStore } from './ports.ts';

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

/** The longest time that the walk over the keys may take before the log is read. */
const WALK_SECONDS = 900;

/** Returns the use since a time as the record itself shows it; undefined when only the log shows it. */
function usedByRecord(key: ObservedKey, since: UnixSeconds): Quota | undefined {
  if (key.used === undefined) return undefined;
  const answers = since === 0 || key.used === 0 || (key.createdAt !== undefined && key.createdAt >= since);
  return answers ? key.used : undefined;
}

/** Selects the declared keys that need the log: grants whose use the record does not show, and that were partly used. */
function needsOf(pairs: readonly Pair[], quotaPerUnit: Decimal, now: UnixSeconds) {
  const needs: Need[] = [];
  const known = new Map<KeyId, Quota>();
  for (const { desired, live } of pairs) {
    const since = desired.budget && usageSince(desired.budget, now);
    if (since === undefined || !desired.budget || !('amount' in desired.budget)) continue;
    const granted = amountInQuota(desired.budget.amount, quotaPerUnit);
    const untouched = !live.unlimited && live.remain === granted;
    const used = usedByRecord(live, since) ?? (untouched ? quota(0) : undefined);
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
  const back = Math.min(...needs.map((need) => reachBack(need, memory)));
  const maxPages = options.maxLogPages ?? DEFAULT_LOG_PAGES;
  const reading = await readBack(store, back, { keys: sides.keys, maxPages });
  const unread = needs.filter((need) => reading.since > reachBack(need, memory));
  if (unread.length > 0 && !options.mayLeaveUnverified) throw tooLong(unread, maxPages);
  const whole = reading.whole || (unread.length === 0 && back <= (memory?.through ?? 0));
  if (options.usageCache && whole) await options.usageCache.save(remember(reading, memory));
  const read = needs.filter((need) => !unread.includes(need));
  return {
    used: new Map([...known, ...tally(read, { reading, memory, now: options.now })]),
    logHead: reading.head,
    ...(unread.length > 0 ? { unverified: new Set(unread.map(({ key }) => key.id)) } : {}),
  };
}

/** Returns the time back to which the log must be read for this key. */
function reachBack({ key, since }: Need, memory?: UsageMemory): UnixSeconds {
  if (since > 0) return Math.max(since, key.createdAt ?? 0);
  return Math.max(memory?.through ?? 0, key.createdAt ?? 0);
}

/** Returns what each key used since its own time, from the entries that were read and the remembered sums. */
function tally(
  needs: readonly Need[],
  { reading, memory, now }: { reading: LogReading; memory: UsageMemory | undefined; now: UnixSeconds },
): Map<KeyId, Quota> {
  const since = new Map<UnixSeconds, Map<KeyId, number>>();
  const used = new Map<KeyId, Quota>();
  const late = latestByKey(reading, now);
  for (const need of needs) {
    const from = need.since > 0 ? need.since : (memory?.through ?? 0);
    const sums = since.get(from) ?? sumByKey(reading.spent, from);
    since.set(from, sums);
    const before = need.since > 0 ? 0 : (memory?.used.get(need.key.id) ?? 0);
    const whole = before + (sums.get(need.key.id) ?? 0);
    const latest = (late.get(need.key.id) ?? []).filter(({ at }) => at >= from);
    used.set(need.key.id, quota(Math.max(0, usedWhenWalked(need, whole, latest))));
  }
  return used;
}

/** The entries, newest first, that may be younger than the walk. */
function latestByKey({ spent, newest }: LogReading, now: UnixSeconds): ReadonlyMap<KeyId, readonly Spent[]> {
  const late = new Map<KeyId, Spent[]>();
  for (const entry of spent) {
    if (entry.at < Math.max(newest, now) - WALK_SECONDS) continue;
    const entries = late.get(entry.id);
    if (entries) entries.push(entry);
    else late.set(entry.id, [entry]);
  }
  return late;
}

/**
 * Returns what a key had used when the walk read its remainder. The log is read after that, and what a busy key spent in
 * between is not drift: its newest entries are ignored where exactly those explain the difference.
 */
function usedWhenWalked({ key, granted }: Need, used: number, latest: readonly Spent[]): number {
  let then = used;
  for (const { units } of latest) {
    if (key.unlimited || key.remain === granted - then) break;
    then -= units;
  }
  return !key.unlimited && key.remain === granted - then ? then : used;
}

/** The remembered sums, moved on to an hour before the newest entry. */
function remember(reading: LogReading, memory: UsageMemory | undefined): UsageMemory {
  const from = memory?.through ?? 0;
  const through = Math.max(from, reading.newest - SETTLE_SECONDS);
  const used = new Map<KeyId, Quota>(memory?.used ?? []);
  for (const [id, units] of sumByKey(reading.spent, from, through)) used.set(id, quota((used.get(id) ?? 0) + units));
  return { through, used };
}
