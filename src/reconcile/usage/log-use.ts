import type { KeyId, ObservedKey, UnixSeconds, Unverified } from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';
import { anchoredUse, anchorOf, isRaise, type Use } from './evidence.ts';
import { usedWhenWalked } from './excess.ts';
import { type LogReading, type Need, readBack, sumByKey, tooLong } from './log-reading.ts';
import type { UsageMemory } from './memory.ts';
import { sumsOf } from './sums.ts';

export const DEFAULT_LOG_PAGES = 2000;
/** The pages after which the gateway is asked for sums, if the log does not end before. */
const PAGES_BEFORE_SUMS = 3;

export interface LogSides {
  readonly keys: readonly ObservedKey[];
  readonly memory: UsageMemory | undefined;
  readonly maxLogPages?: number;
  readonly mayLeaveUnverified?: boolean;
  readonly assumeLogComplete?: boolean;
}

/** The use of keys as the log shows it. */
export interface LogUse {
  readonly uses: ReadonlyMap<KeyId, Use>;
  readonly unverified: ReadonlyMap<KeyId, Unverified>;
  /** Identities of the newest entries. */
  readonly head: ReadonlySet<string>;
  /** The reading, where the remembered sums can move on with it. */
  readonly whole?: LogReading;
}

/**
 * Finds the use of keys from the log: from its newest pages, by sums where it is long, else page by page.
 *
 * @throws Fault `plan.usage-too-long`
 */
export async function readUse(store: KeyStore, needs: readonly Need[], sides: LogSides): Promise<LogUse> {
  const { memory, keys, maxLogPages = DEFAULT_LOG_PAGES } = sides;
  const mayBeSummed = needs.some(({ key, since }) => since > 0 && key.used !== undefined);
  const maxPages = mayBeSummed ? Math.min(PAGES_BEFORE_SUMS, maxLogPages) : maxLogPages;
  const early = await readForNeeds(store, needs, { keys, memory, maxPages });
  const isShort = maxPages === maxLogPages || early.reading.whole || isRead(early, memory, sides);
  const summed = isShort ? new Map<KeyId, Use>() : await sumsOf(store, needs, memory);
  const rest = needs.filter(({ key }) => !summed.has(key.id));
  if (rest.length === 0) return { uses: summed, unverified: new Map(), head: early.reading.head };
  const pages = isShort ? early : await readForNeeds(store, rest, { keys, memory, maxPages: maxLogPages });
  const log = await usesByPages(store, rest, { ...sides, pages });
  return { ...log, uses: new Map([...summed, ...log.uses]) };
}

interface Pages {
  readonly back: UnixSeconds;
  readonly reading: LogReading;
  readonly readFor: readonly Need[];
}

/** Do these pages show the use of every key, and account for that of the keys that are to be raised? */
function isRead(
  { reading, readFor }: Pages,
  memory: UsageMemory | undefined,
  { assumeLogComplete }: LogSides,
): boolean {
  if (readFor.some((need) => reading.since > reachBack(need, memory))) return false;
  if (assumeLogComplete) return true;
  const used = tally(readFor, { reading, memory });
  return readFor.every((need) => {
    const { key } = need;
    if (key.used === undefined || !isRaise(need, used.get(key.id) ?? 0)) return true;
    return reading.since <= (anchorOf(need, memory?.keys.get(key.id))?.at ?? key.createdAt ?? 0);
  });
}

async function usesByPages(
  store: KeyStore,
  needs: readonly Need[],
  sides: LogSides & { pages: Pages },
): Promise<LogUse> {
  const { memory, keys, pages, maxLogPages = DEFAULT_LOG_PAGES } = sides;
  const { reading, back } = pages;
  const readFor = pages.readFor.filter((need) => needs.includes(need));
  const unread = readFor.filter((need) => reading.since > reachBack(need, memory));
  if (unread.length > 0 && !sides.mayLeaveUnverified) throw tooLong(unread, maxLogPages);
  const read = readFor.filter((need) => !unread.includes(need));
  const used = tally(read, { reading, memory });
  const proven = await usedWhenWalked(store, read, { used, head: reading.head, keys });
  const logged = new Map<KeyId, number>(proven.used);
  const provable = needs.filter((need) => isProvable(need, logged.get(need.key.id) ?? 0, sides));
  const births = provable.flatMap((need) => birthOf(need, reading, memory));
  const deep =
    births.length === 0 ? reading : await readBack(store, Math.min(...births), { keys, maxPages: maxLogPages });
  const again =
    provable.length > 0 ? await store.readMany(provable.map(({ key }) => key.id)) : new Map<KeyId, ObservedKey>();
  const uses = needs.map((need): [KeyId, Use] => {
    const { id } = need.key;
    const least = logged.get(id) ?? 0;
    const key = again.get(id);
    const known = memory?.keys.get(id);
    return [
      id,
      { least, most: key ? anchoredUse(need, { logged: least, reading: deep, key, known }) : NOTHING_SHOWS_IT },
    ];
  });
  const isWhole = reading.whole || (unread.length === 0 && back <= (memory?.through ?? 0));
  return {
    uses: new Map(uses),
    unverified: new Map([
      ...unread.map(({ key }) => [key.id, 'log-too-long'] as const),
      ...[...proven.open].map((id) => [id, 'busy'] as const),
    ]),
    head: reading.head,
    ...(isWhole ? { whole: reading } : {}),
  };
}

const NOTHING_SHOWS_IT = Number.POSITIVE_INFINITY;

/** Is a key to be raised that has a counter? */
const isProvable = (need: Need, logged: number, { memory, assumeLogComplete = false }: LogSides): boolean =>
  !assumeLogComplete &&
  isRaise(need, logged) &&
  (need.key.used !== undefined || memory?.keys.has(need.key.id) === true);

/** The time back to which the log must be read to account for the whole life of a key that is to be raised, if it was not. */
function birthOf(need: Need, reading: LogReading, memory: UsageMemory | undefined): UnixSeconds[] {
  const { key } = need;
  if (key.used === undefined) return [];
  const born = anchorOf(need, memory?.keys.get(key.id))?.at ?? key.createdAt ?? 0;
  return reading.since > born ? [born] : [];
}

interface ReadingSides {
  readonly keys: readonly ObservedKey[];
  readonly memory: UsageMemory | undefined;
  readonly maxPages: number;
}

/**
 * Reads the log as far back as the partly used keys need. A key that holds its whole grant was not used, or was given back
 * all that it used: it needs the log only where the part that is read shows a use.
 */
async function readForNeeds(
  store: KeyStore,
  needs: readonly Need[],
  { keys, memory, maxPages }: ReadingSides,
): Promise<Pages> {
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
