import type { KeyId, LastUse, ObservedKey, UnixSeconds } from '../../domain/index.ts';
import type { Pair } from '../observe/match.ts';
import type { KeyStore } from '../ports.ts';
import { DEFAULT_LOG_PAGES } from '../usage/log-use.ts';
import { movedSince, type UsageCache, type UsageMemory } from '../usage/memory.ts';
import { endOf, quietOf } from './ending.ts';
import { isOld } from './lineage.ts';

export interface LastUseOptions {
  readonly now: UnixSeconds;
  readonly maxLogPages?: number;
  readonly usageCache?: UsageCache;
  /** Somebody vouches for the usage log: it has an entry for every use. */
  readonly assumeLogComplete?: boolean;
}

/** An old generation whose end depends on its use. */
interface Ending {
  readonly key: ObservedKey;
  /** The time since which a use would keep it. */
  readonly since: UnixSeconds;
}

/**
 * Finds the last use of the generations whose overlap is over: by their records, then by counters that an earlier run
 * remembered, then by the usage log. Costs no request where the records show it, or no generation ends.
 */
export async function observeLastUse(
  store: KeyStore,
  pairs: readonly Pair[],
  options: LastUseOptions,
): Promise<ReadonlyMap<KeyId, LastUse>> {
  const ending = endingOf(pairs, options.now);
  const known = new Map<KeyId, LastUse>();
  for (const { key } of ending) {
    const use = usedByRecord(key);
    if (use) known.set(key.id, use);
  }
  const unknown = ending.filter(({ key }) => !known.has(key.id));
  if (unknown.length === 0) return known;
  const memory = await options.usageCache?.load();
  const logged = await readLog(store, unknown, options);
  for (const each of unknown) known.set(each.key.id, judged(each, { logged, memory, options }));
  return known;
}

function endingOf(pairs: readonly Pair[], now: UnixSeconds): readonly Ending[] {
  return pairs.flatMap((pair): readonly Ending[] => {
    const { lineage, live, desired } = pair;
    if (!lineage || !isOld(pair) || live.status === 'disabled' || now < endOf(lineage, live)) return [];
    return [{ key: live, since: now - quietOf(desired) }];
  });
}

/** The last use as the record shows it. A time of access that did not move although the key was used shows nothing. */
function usedByRecord({ used, createdAt, accessedAt }: ObservedKey): LastUse | undefined {
  if (used === undefined || accessedAt === undefined) return undefined;
  if (accessedAt > (createdAt ?? 0)) return { at: accessedAt, isProven: true };
  return used === 0 ? { isProven: true } : undefined;
}

/** The entries of one key in the log. */
interface Logged {
  last?: UnixSeconds;
  units: number;
  readonly addresses: Set<string>;
}

interface LogFacts {
  readonly byKey: ReadonlyMap<KeyId, Logged>;
  /** All entries from this time on were read. */
  readonly since: UnixSeconds;
}

const MOST_ADDRESSES = 3;

/** Reads the log, newest first, back to the birth of the keys, which is what proves that it accounts for all their use. */
async function readLog(store: KeyStore, ending: readonly Ending[], options: LastUseOptions): Promise<LogFacts> {
  const { maxLogPages = DEFAULT_LOG_PAGES } = options;
  const byKey = new Map<KeyId, Logged>(ending.map(({ key }) => [key.id, { units: 0, addresses: new Set() }]));
  const byName = new Map(ending.map(({ key }) => [key.name, key.id]));
  const back = Math.min(...ending.map((each) => backOf(each)));
  let [pages, oldest] = [0, Number.POSITIVE_INFINITY];
  for await (const page of store.usage()) {
    for (const { at, keyId, keyName, spent, ip } of page) {
      oldest = Math.min(oldest, at);
      const id = keyId ?? byName.get(keyName);
      const entry = id && byKey.get(id);
      if (entry === undefined) continue;
      entry.last = Math.max(entry.last ?? 0, at);
      entry.units += spent;
      if (ip !== undefined && entry.addresses.size < MOST_ADDRESSES) entry.addresses.add(ip);
    }
    pages += 1;
    if (oldest < back || pages >= maxLogPages) return { byKey, since: oldest + 1 };
  }
  return { byKey, since: 0 };
}

/** Only a record that reports the use of its whole life can be compared with the log of it. */
const backOf = ({ key, since }: Ending): UnixSeconds =>
  key.used === undefined ? since : Math.min(since, key.createdAt ?? 0);

interface Evidence {
  readonly logged: LogFacts;
  readonly memory: UsageMemory | undefined;
  readonly options: LastUseOptions;
}

function judged({ key, since }: Ending, { logged, memory, options }: Evidence): LastUse {
  const { last, units = 0, addresses = new Set<string>() } = logged.byKey.get(key.id) ?? {};
  const isRead = logged.since <= since;
  const accounts = key.used !== undefined && key.used === units;
  const isProven = isStill(key, since, memory) || (isRead && (accounts || options.assumeLogComplete === true));
  return {
    ...(last !== undefined && { at: last }),
    isProven,
    ...(addresses.size > 0 && { addresses: [...addresses] }),
  };
}

/** Did the counter of a key not move since a reading before that time? */
function isStill(key: ObservedKey, since: UnixSeconds, memory: UsageMemory | undefined): boolean {
  const known = memory?.keys.get(key.id);
  return [known?.latest, known?.earlier].some(
    (reading) => reading !== undefined && reading.at <= since && movedSince(reading, key) === 0,
  );
}
