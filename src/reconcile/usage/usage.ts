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
import type { Matching, Pair } from '../observe/match.ts';
import type { KeyStore } from '../ports.ts';
import { safeUse } from './coverage.ts';
import { countedUse, type Use } from './evidence.ts';
import { type FormerUse, formerNeeds, lineNameOf, readFormerUse } from './former-use.ts';
import { countedOf, sharesOf, spreadUnknown } from './lineage-use.ts';
import { type Need, openLog } from './log-reading.ts';
import { type LogUse, readUse } from './log-use.ts';
import { ceilingOf, movedSums, type RememberedKey, type UsageCache, type UsageMemory, withReading } from './memory.ts';

/** Returns the use since the window began as the record itself shows it; undefined when it does not. */
function usedByRecord({ key: { used, createdAt = 0 }, since }: Need): Use | undefined {
  if (used === undefined) return undefined;
  return used === 0 || createdAt >= since ? { least: used, most: used } : undefined;
}

/** Lists the grants of declared keys. */
function grantsOf(pairs: readonly Pair[], quotaPerUnit: Decimal, now: UnixSeconds): Need[] {
  return pairs.flatMap(({ desired: { budget }, live }) => {
    const since = budget && usageSince(budget, now);
    if (since === undefined || !budget || !('amount' in budget)) return [];
    return [{ key: live, since, granted: amountInQuota(budget.amount, quotaPerUnit) }];
  });
}

const UNKNOWN: Use = { least: 0, most: Number.POSITIVE_INFINITY };
const useOf = (uses: ReadonlyMap<KeyId, Use>, { key }: Need): Use => uses.get(key.id) ?? UNKNOWN;

export interface UsageOptions {
  /** The time before the keys were read. */
  readonly now: UnixSeconds;
  /** The time after the keys were read; default: the same. */
  readonly walkedAt?: UnixSeconds;
  readonly maxLogPages?: number;
  readonly usageCache?: UsageCache;
  /** Leaves keys unverified whose use a log of that length does not show, instead of throwing. */
  readonly mayLeaveUnverified?: boolean;
  /** Somebody vouches for the log: it has an entry for everything that was spent since the windows began. */
  readonly assumeLogComplete?: boolean;
}

interface UsageFacts extends Pick<ObservedState, 'unverified' | 'ownUse' | 'formerUse'> {
  readonly used: ReadonlyMap<KeyId, Quota>;
  readonly logHead?: ReadonlySet<string>;
}

interface UsageSides {
  readonly pairs: readonly Pair[];
  /** Keys that are to be created. */
  readonly missing?: Matching['missing'];
  readonly keys: readonly ObservedKey[];
  readonly quotaPerUnit: Decimal;
}

/**
 * Reads the use since each budget's window began. One pass over the log for all keys, newest first, only as far back as
 * needed, and none when no key needs it.
 *
 * @throws Fault `plan.usage-too-long` when the log is longer than the run may read, unless keys may stay unverified.
 */
export async function observeUsage(store: KeyStore, sides: UsageSides, options: UsageOptions): Promise<UsageFacts> {
  const grants = grantsOf(sides.pairs, sides.quotaPerUnit, options.now);
  const isRemembered = (need: Need): boolean => need.since > 0 || !usedByRecord(need);
  const memory = grants.some(isRemembered) ? await options.usageCache?.load() : undefined;
  const counted = new Map<KeyId, Use>();
  for (const need of grants) {
    const use = usedByRecord(need) ?? countedUse(need, memory?.keys.get(need.key.id));
    if (use) counted.set(need.key.id, use);
  }
  const { log, former } = await readLog(store, { grants, counted, memory }, { ...sides, ...options });
  const uses = log ? new Map([...counted, ...log.uses]) : counted;
  const known = { uses, unverified: new Map(log?.unverified), summed: log?.summed, former };
  const facts = factsOf(grants, known, { ...options, pairs: sides.pairs });
  const toRemember = grants.filter(
    (need) => isRemembered(need) && !need.key.unlimited && !log?.unverified.has(need.key.id),
  );
  if (options.usageCache && (toRemember.length > 0 || log)) {
    await options.usageCache.save(remember(toRemember, { uses, memory, log }, options));
  }
  return { ...facts, ...(log && { logHead: log.head }) };
}

interface Readable {
  readonly grants: readonly Need[];
  readonly counted: ReadonlyMap<KeyId, Use>;
  readonly memory: UsageMemory | undefined;
}

/** Reads the log once, for the use of the keys and for that of former keys of their names. */
async function readLog(
  store: KeyStore,
  { grants, counted, memory }: Readable,
  { pairs, missing = [], keys, ...options }: UsageSides & UsageOptions,
): Promise<{ readonly log: LogUse | undefined; readonly former: FormerUse }> {
  const reader = openLog(store, keys);
  const needs = grants.filter(({ key }) => !counted.has(key.id));
  try {
    const log = needs.length > 0 ? await readUse(store, needs, { ...options, log: reader, keys, memory }) : undefined;
    const formers = formerNeeds({ pairs, missing }, { grants, counted, summed: log?.summed }, options.now);
    const former = await readFormerUse(store, formers, { ...options, log: reader, pairs, counted });
    return { log, former };
  } finally {
    await reader.end();
  }
}

interface KnownUse {
  readonly uses: ReadonlyMap<KeyId, Use>;
  readonly memory: UsageMemory | undefined;
  readonly log: LogUse | undefined;
}

/** Adds a reading of each key to the memory. What somebody vouched for is remembered as proven. */
function remember(
  grants: readonly Need[],
  { uses, memory, log }: KnownUse,
  { now, walkedAt = now, assumeLogComplete = false }: UsageOptions,
): UsageMemory {
  const keys = new Map<KeyId, RememberedKey>(memory?.keys ?? []);
  for (const need of grants) {
    const { key, since, granted } = need;
    const ceiling = ceilingOf(need, memory?.keys.get(key.id)?.latest);
    const { least, most } = useOf(uses, need);
    // What a key was granted at most and does not hold is the most that it can have used.
    const bound = assumeLogComplete ? least : Math.min(most, Math.max(least, ceiling - key.remain));
    const use = { least: quota(least), most: quota(bound) };
    const reading = { at: walkedAt, remain: key.remain, since, granted, ceiling, ...use };
    const used = key.used === undefined ? {} : { used: key.used };
    const lag = log?.lagging.has(key.id) ? { mayLag: true as const } : {};
    keys.set(key.id, withReading(keys.get(key.id), { ...reading, ...used, ...lag }));
  }
  const sums = log?.whole
    ? movedSums(log.whole, memory)
    : { through: memory?.through ?? 0, used: memory?.used ?? new Map() };
  return { ...sums, keys };
}

/**
 * The use that counts against the budget of each key: its own, and that of the other generations of the key. A generation that only
 * keeps what it has needs no proof.
 */
function factsOf(
  grants: readonly Need[],
  { uses, unverified, summed, former }: AllUse,
  { assumeLogComplete = false, pairs }: UsageOptions & Pick<UsageSides, 'pairs'>,
): UsageFacts {
  const lineages = sharesOf(pairs, grants);
  const formerly = formerlyUsed(pairs, former, summed);
  for (const { live, desired } of pairs) {
    const reason = former.unknown.get(lineNameOf(desired));
    if (reason !== undefined && !summed?.has(live.id)) unverified.set(live.id, reason);
  }
  const ownUse = new Map<KeyId, Quota>();
  const used = grants.map((need): [KeyId, Quota] => {
    const { key, granted } = need;
    const { least, most } = useOf(uses, need);
    const { others, isCapped } = lineages.get(key.id) ?? { others: [], isCapped: false };
    const before = need.since > 0 ? (formerly.get(key.id) ?? 0) : 0;
    const shared = others.reduce((sum, other) => sum + countedOf(useOf(uses, other), assumeLogComplete), before);
    const bounds = { granted: granted - shared, remain: key.remain, unlimited: key.unlimited, least };
    const safe = safeUse({ ...bounds, most: assumeLogComplete ? least : most });
    if (!safe.isCovered && !isCapped && !unverified.has(key.id)) unverified.set(key.id, 'log-incomplete');
    if (others.length > 0) ownUse.set(key.id, quota(countedOf({ least, most }, assumeLogComplete)));
    return [key.id, quota(safe.used + shared)];
  });
  spreadUnknown(lineages, unverified);
  return {
    used: new Map(used),
    unverified,
    ...(ownUse.size > 0 && { ownUse }),
    ...(former.used.size > 0 && { formerUse: former.used }),
  };
}

interface AllUse {
  readonly uses: ReadonlyMap<KeyId, Use>;
  readonly unverified: Map<KeyId, Unverified>;
  readonly summed: ReadonlySet<KeyId> | undefined;
  readonly former: FormerUse;
}

/** The use of former keys, by the keys that have their names now. A sum by name contains it already. */
function formerlyUsed(pairs: readonly Pair[], { used }: FormerUse, summed?: ReadonlySet<KeyId>) {
  if (used.size === 0) return new Map<KeyId, Quota>();
  const isSummed = ({ live, lineage }: Pair): boolean =>
    (lineage?.members ?? [{ live }]).some((member) => summed?.has(member.live.id));
  return new Map(
    pairs.flatMap((pair): [KeyId, Quota][] => {
      const units = isSummed(pair) ? undefined : used.get(lineNameOf(pair.desired));
      return units === undefined ? [] : [[pair.live.id, units]];
    }),
  );
}
