import { type KeyId, type ObservedKey, type Quota, quota, type UnixSeconds } from '../../domain/index.ts';
import { type LogReading, type Need, sumByKey } from './log-reading.ts';

/** The counters of a key at one moment. */
export interface CounterReading {
  /** Entries of the log that are newer than this were made after the reading. */
  readonly at: UnixSeconds;
  readonly remain: Quota;
  /** Everything that the key ever used; absent where its record does not report it. */
  readonly used?: Quota;
}

/** The counters of a key, and its use in a window, at one moment. */
export interface WindowReading extends CounterReading {
  /** The begin of the window. */
  readonly since: UnixSeconds;
  readonly least: Quota;
  readonly most: Quota;
  /** The amount of the budget. */
  readonly granted: Quota;
  /** The most that the key was granted in this window in all. */
  readonly ceiling: Quota;
  /** The record may have lacked what the key had just used: it shows its counters, and not what the key used in the window. */
  readonly mayLag?: true;
}

/** The readings of one key that later runs prove its use with. */
export interface RememberedKey {
  readonly latest: WindowReading;
  /** The last reading before the window of the latest one. */
  readonly earlier?: CounterReading;
}

/** Sums of the usage log up to a time, and counters of keys, so that a later run need not read as far back. Holds no secret. */
export interface UsageMemory {
  /** All entries older than this are in the sums. */
  readonly through: UnixSeconds;
  readonly used: ReadonlyMap<KeyId, Quota>;
  readonly keys: ReadonlyMap<KeyId, RememberedKey>;
}

/** A store that remembers usage between runs. It may forget at any time. */
export interface UsageCache {
  /** Reads the memory of an earlier run; undefined: there is none. */
  load(): Promise<UsageMemory | undefined>;
  /** Keeps the memory for later runs. */
  save(memory: UsageMemory): Promise<void>;
}

/**
 * Returns by how much the counter of a key moved since a reading. The remainder is a counter where the record reports no
 * use: it also moves when somebody takes units away, which then counts as use, and never the other way.
 */
export function movedSince(then: CounterReading, now: ObservedKey): number | undefined {
  if (now.used !== undefined) return then.used === undefined ? undefined : now.used - then.used;
  return then.used === undefined && !now.unlimited ? then.remain - now.remain : undefined;
}

/** More than any key holds, and a number that JSON can store. */
const UNKNOWN_CEILING = quota(2 ** 52);

/**
 * Returns the most that a key was granted in a window in all: its amount, or a higher one of an earlier run. Unknown without
 * an earlier run, whose amount may have been higher. A key that holds more was granted more by somebody.
 */
export function ceilingOf({ key, since, granted }: Need, latest: WindowReading | undefined): Quota {
  // A window begins with what the last one left.
  const before = latest?.since === since ? latest.ceiling : latest?.granted;
  const ceiling = Math.max(granted, before ?? UNKNOWN_CEILING);
  return key.remain > ceiling ? UNKNOWN_CEILING : quota(ceiling);
}

/** Adds a reading; what was read last before its window began is kept. */
export function withReading(known: RememberedKey | undefined, latest: WindowReading): RememberedKey {
  const earlier = known && known.latest.at < latest.since ? known.latest : known?.earlier;
  if (earlier === undefined) return { latest };
  const { at, remain, used } = earlier;
  return { latest, earlier: { at, remain, ...(used === undefined ? {} : { used }) } };
}

/**
 * Moves the remembered remainders with updates that are about to be made, so that a refill never looks like units that were
 * not spent. Before the update: one that is lost then counts as use, which raises nothing.
 */
export async function rememberRaises(
  cache: UsageCache,
  raises: readonly { readonly id: KeyId; readonly units: number }[],
): Promise<void> {
  const memory = raises.length > 0 ? await cache.load() : undefined;
  if (!memory) return;
  const keys = new Map(memory.keys);
  for (const { id, units } of raises) {
    const known = keys.get(id);
    if (!known) continue;
    const moved = <R extends CounterReading>(reading: R): R => ({ ...reading, remain: reading.remain + units });
    keys.set(id, { latest: moved(known.latest), ...(known.earlier && { earlier: moved(known.earlier) }) });
  }
  await cache.save({ ...memory, keys });
}

/** Entries may be written late, when a long request settles: the newest hour is always read again. */
const SETTLE_SECONDS = 3600;

/** Moves the remembered sums on, to an hour before the newest entry. */
export function movedSums(reading: LogReading, memory: UsageMemory | undefined): Pick<UsageMemory, 'through' | 'used'> {
  const from = memory?.through ?? 0;
  const through = Math.max(from, reading.newest - SETTLE_SECONDS);
  const used = new Map<KeyId, Quota>(memory?.used ?? []);
  for (const [id, units] of sumByKey(reading.spent, from, through)) used.set(id, quota((used.get(id) ?? 0) + units));
  return { through, used };
}
