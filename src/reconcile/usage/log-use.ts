import type { KeyId, ObservedKey, UnixSeconds, Unverified } from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';
import { anchoredUse, anchorOf, isRaise, type Use } from './evidence.ts';
import { usedWhenWalked } from './excess.ts';
import { type LogReader, type LogReading, type Need, type Spent, sumByKey, tooLong } from './log-reading.ts';
import type { UsageCache, UsageMemory } from './memory.ts';
import { laggingOf, type RecordLag, recordedUse, recordLags } from './record-lag.ts';
import { spentSince } from './spent-since.ts';
import { sumsOf } from './sums.ts';

export const DEFAULT_LOG_PAGES = 2000;
/** The pages after which the gateway is asked for sums, if the log does not end before. */
export const PAGES_BEFORE_SUMS = 3;

export interface LogSides {
  /** The time before the keys were read. */
  readonly now: UnixSeconds;
  readonly keys: readonly ObservedKey[];
  readonly memory: UsageMemory | undefined;
  readonly maxLogPages?: number;
  readonly mayLeaveUnverified?: boolean;
  readonly assumeLogComplete?: boolean;
  readonly usageCache?: UsageCache;
}

/** The use of keys as the log shows it. */
export interface LogUse {
  readonly uses: ReadonlyMap<KeyId, Use>;
  readonly unverified: ReadonlyMap<KeyId, Unverified>;
  /** Identities of the newest entries. */
  readonly head: ReadonlySet<string>;
  /** The reading, where the remembered sums can move on with it. */
  readonly whole?: LogReading;
  /** The keys whose use is a sum by name, so that it counts what any key used under that name. */
  readonly summed: ReadonlySet<KeyId>;
  /** The keys whose records may lack what they used within the last minute, and whose use may be more by that. */
  readonly lagging: ReadonlySet<KeyId>;
}

/**
 * Finds the use of keys from the log: from its newest pages, by sums where it is long, else page by page. No page is read
 * twice, apart from the first.
 *
 * @throws Fault `plan.usage-too-long`
 */
export async function readUse(
  store: KeyStore,
  needs: readonly Need[],
  { log, ...sides }: LogSides & { readonly log: LogReader },
): Promise<LogUse> {
  const { memory, maxLogPages = DEFAULT_LOG_PAGES } = sides;
  const maxPages = Math.min(PAGES_BEFORE_SUMS, maxLogPages);
  const early = await readForNeeds(log, needs, { memory, maxPages });
  const lags = recordLags(needs, early.reading, sides.now);
  const summed = areSumsShorter(early, needs, sides) ? await sumsOf(store, needs, lags) : new Map<KeyId, Use>();
  const rest = needs.filter(({ key }) => !summed.has(key.id));
  const pages = await readForNeeds(log, rest, { memory, maxPages: maxLogPages });
  const read = await usesByPages(store, rest, { ...sides, log, pages });
  const lagging = laggingOf(
    needs.filter(({ key }) => summed.has(key.id)),
    lags,
  );
  return {
    ...read,
    uses: new Map([...summed, ...read.uses]),
    summed: new Set(summed.keys()),
    lagging: new Set([...lagging, ...read.lagging]),
  };
}

/** Is a sum for each key less than the pages that are probably still to be read, as densely as the log is so far? */
function areSumsShorter({ reading, readFor }: Pages, needs: readonly Need[], { memory }: LogSides): boolean {
  const back = Math.min(...readFor.map((need) => reachBack(need, memory)));
  const rest = (PAGES_BEFORE_SUMS * (reading.since - back)) / Math.max(1, reading.newest - reading.since);
  return needs.filter(({ since }) => since > 0).length < rest;
}

interface Pages {
  readonly back: UnixSeconds;
  readonly reading: LogReading;
  readonly readFor: readonly Need[];
}

interface PageSides extends LogSides {
  readonly log: LogReader;
  readonly pages: Pages;
}

async function usesByPages(store: KeyStore, needs: readonly Need[], sides: PageSides): Promise<Omit<LogUse, 'summed'>> {
  const { memory, keys, pages, maxLogPages = DEFAULT_LOG_PAGES } = sides;
  const { reading, back, readFor } = pages;
  const unread = readFor.filter((need) => reading.since > reachBack(need, memory));
  if (unread.length > 0 && !sides.mayLeaveUnverified)
    throw tooLong(
      unread.map(({ key }) => key.name),
      maxLogPages,
    );
  const read = readFor.filter((need) => !unread.includes(need));
  const used = tally(read, { reading, memory });
  const lags = recordLags(read, reading, sides.now);
  const proven = await usedWhenWalked(store, read, { used, head: reading.head, keys, lags });
  const bounded = await boundedUses(store, needs, { ...sides, logged: proven.used, lags });
  const uses = needs.map(({ key: { id } }): [KeyId, Use] => {
    return [id, bounded.get(id) ?? { least: proven.used.get(id) ?? 0, most: NOTHING_SHOWS_IT }];
  });
  const isWhole = reading.whole || (unread.length === 0 && back <= (memory?.through ?? 0));
  return {
    uses: new Map(uses),
    unverified: new Map([
      ...unread.map(({ key }) => [key.id, 'log-too-long'] as const),
      ...[...proven.open].map((id) => [id, 'busy'] as const),
    ]),
    lagging: new Set(laggingOf(read, lags)),
    head: reading.head,
    ...(isWhole ? { whole: reading } : {}),
  };
}

const NOTHING_SHOWS_IT = Number.POSITIVE_INFINITY;

interface BoundedSides extends PageSides {
  readonly logged: ReadonlyMap<KeyId, number>;
  readonly lags: ReadonlyMap<KeyId, RecordLag>;
}

/** Returns the use of the keys that are to be raised and have a counter, with the most that they can have used. */
async function boundedUses(store: KeyStore, needs: readonly Need[], sides: BoundedSides): Promise<Map<KeyId, Use>> {
  const { log, pages, logged, lags, now, memory, maxLogPages = DEFAULT_LOG_PAGES } = sides;
  const provable = provableOf(needs, sides);
  if (provable.length === 0) return new Map();
  const births = provable.flatMap((need) => birthOf(need, pages.reading, memory));
  const reading = await log.readBack(Math.min(...births), maxLogPages);
  const entries = entriesByKey(reading.spent);
  const lagsByLife = recordLags(provable, reading, now);
  const later = await spentSince(store, reading.head, new Map());
  const again = await store.readMany(provable.map(({ key }) => key.id));
  const uses = new Map<KeyId, Use>();
  for (const need of provable) {
    const { id } = need.key;
    const key = again.get(id);
    if (!key) continue;
    const use = logged.get(id) ?? 0;
    // Only what proves a raise was read back to the creation of the key.
    const isLater = lags.get(id)?.life === undefined && isRaise(need, use);
    const least = isLater ? Math.max(0, recordedUse(need, use, lagsByLife.get(id))) : use;
    const side = {
      entries: entries.get(id) ?? [],
      later: sumOf(later.byKey.get(id) ?? []),
      known: memory?.keys.get(id),
    };
    uses.set(id, { least, most: anchoredUse(need, { ...side, key, logged: least }) });
  }
  return uses;
}

/** Returns the keys whose use can be proven and is worth it. */
function provableOf(
  needs: readonly Need[],
  { pages: { reading }, logged, memory, usageCache, assumeLogComplete = false }: BoundedSides,
): readonly Need[] {
  if (assumeLogComplete) return [];
  return needs.filter((need) => {
    const hasCounter = need.key.used !== undefined || memory?.keys.has(need.key.id) === true;
    // For a later run, what costs no further page is proven too.
    const isRemembered = usageCache !== undefined && birthOf(need, reading, memory).length === 0;
    return hasCounter && (isRemembered || isRaise(need, logged.get(need.key.id) ?? 0));
  });
}

const sumOf = (units: readonly number[]): number => units.reduce((sum, each) => sum + each, 0);

function entriesByKey(spent: readonly Spent[]): Map<KeyId, Spent[]> {
  const entries = new Map<KeyId, Spent[]>();
  for (const entry of spent) {
    if (entry.id === undefined) continue;
    const own = entries.get(entry.id);
    if (own) own.push(entry);
    else entries.set(entry.id, [entry]);
  }
  return entries;
}

/** The time back to which the log must be read to account for the whole life of a key that is to be raised, if it was not. */
function birthOf(need: Need, reading: LogReading, memory: UsageMemory | undefined): UnixSeconds[] {
  const { key } = need;
  if (key.used === undefined) return [];
  const born = anchorOf(need, memory?.keys.get(key.id))?.at ?? key.createdAt ?? 0;
  return reading.since > born ? [born] : [];
}

interface ReadingSides {
  readonly memory: UsageMemory | undefined;
  readonly maxPages: number;
}

/**
 * Reads the log as far back as the partly used keys need. A key that holds its whole grant was not used, or was given back
 * all that it used: it needs the log only where the part that is read shows a use.
 */
async function readForNeeds(
  log: LogReader,
  needs: readonly Need[],
  { memory, maxPages }: ReadingSides,
): Promise<Pages> {
  const isFull = ({ key, granted }: Need): boolean => !key.unlimited && key.remain === granted;
  const full = needs.filter(isFull);
  const partly = needs.filter((need) => !isFull(need));
  const reach = (some: readonly Need[]): UnixSeconds => Math.min(...some.map((need) => reachBack(need, memory)));
  const first = await log.readBack(reach(partly), maxPages);
  const seen = new Set(first.spent.map(({ id }) => id));
  const readFor = [...partly, ...full.filter(({ key }) => seen.has(key.id))];
  const back = reach(readFor);
  return { back, reading: await log.readBack(back, maxPages), readFor };
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
