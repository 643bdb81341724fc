import {
  amountInQuota,
  type Decimal,
  Fault,
  type KeyId,
  type ObservedKey,
  type Quota,
  quota,
  type UnixSeconds,
  usageSince,
} from '../domain/index.ts';
import type { Pair } from './match.ts';
import type { KeyStore } from './ports.ts';

/** Sums of the usage log up to a time, so that a later run need not read as far back. Holds no secret. */
export interface UsageMemory {
  /** All entries older than this are in the sums. */
  readonly through: UnixSeconds;
  readonly used: ReadonlyMap<KeyId, Quota>;
}

/** Where usage is remembered between runs. May forget at any time. */
export interface UsageCache {
  load(): Promise<UsageMemory | undefined>;
  save(memory: UsageMemory): Promise<void>;
}

export const DEFAULT_LOG_PAGES = 2000;
/** Entries may be written late, when a long request settles: the newest hour is always read again. */
const SETTLE_SECONDS = 3600;

interface Need {
  readonly key: ObservedKey;
  readonly since: UnixSeconds;
}

/** What the record itself says of the use since a time; undefined when only the log can tell. */
function usedByRecord(key: ObservedKey, since: UnixSeconds): Quota | undefined {
  if (key.used === undefined) return undefined;
  const answers = since === 0 || key.used === 0 || (key.createdAt !== undefined && key.createdAt >= since);
  return answers ? key.used : undefined;
}

/** Which declared keys need the log: grants whose use the record does not tell, and of which something is missing. */
function needsOf(pairs: readonly Pair[], quotaPerUnit: Decimal, now: UnixSeconds) {
  const needs: Need[] = [];
  const known = new Map<KeyId, Quota>();
  for (const { desired, live } of pairs) {
    const since = desired.budget && usageSince(desired.budget, now);
    if (since === undefined || !desired.budget || !('amount' in desired.budget)) continue;
    const untouched = !live.unlimited && live.remain === amountInQuota(desired.budget.amount, quotaPerUnit);
    const used = usedByRecord(live, since) ?? (untouched ? quota(0) : undefined);
    if (used === undefined) needs.push({ key: live, since });
    else known.set(live.id, used);
  }
  return { needs, known };
}

export interface UsageOptions {
  readonly now: UnixSeconds;
  readonly maxLogPages?: number;
  readonly usageCache?: UsageCache;
}

interface UsageFacts {
  readonly used: ReadonlyMap<KeyId, Quota>;
  readonly logHead?: ReadonlySet<string>;
}

/**
 * What each grant needs to know: the use since its window began. One pass over the log for all keys, newest first, only
 * as far back as needed, and none at all when no key needs it.
 *
 * @throws Fault `plan.usage-too-long` when the log is longer than the run may read.
 */
export async function observeUsage(
  store: KeyStore,
  sides: { pairs: readonly Pair[]; quotaPerUnit: Decimal },
  options: UsageOptions,
): Promise<UsageFacts> {
  const { needs, known } = needsOf(sides.pairs, sides.quotaPerUnit, options.now);
  if (needs.length === 0) return { used: known };
  const memory = await options.usageCache?.load();
  const pass = await readLog(store, needs, { ...options, ...(memory && { memory }) });
  const used = new Map(known);
  for (const need of needs) used.set(need.key.id, quota(Math.max(0, pass.usedBy(need))));
  if (options.usageCache && pass.complete) await options.usageCache.save(pass.memory());
  return { used, logHead: pass.head };
}

/** How far back the log must be read for this key. */
function reachBack({ key, since }: Need, memory?: UsageMemory): UnixSeconds {
  if (since > 0) return Math.max(since, key.createdAt ?? 0);
  return Math.max(memory?.through ?? 0, key.createdAt ?? 0);
}

async function readLog(store: KeyStore, needs: readonly Need[], options: UsageOptions & { memory?: UsageMemory }) {
  const { memory, maxLogPages = DEFAULT_LOG_PAGES } = options;
  const back = Math.min(...needs.map((need) => reachBack(need, memory)));
  const entries: { at: UnixSeconds; id: KeyId; spent: number }[] = [];
  const byName = new Map(needs.map(({ key }) => [key.name, key.id]));
  const head = new Set<string>();
  let newest = 0;
  let oldest = Number.POSITIVE_INFINITY;
  let pages = 0;
  let ended = true;
  for await (const page of store.usage()) {
    pages += 1;
    for (const entry of page) {
      if (pages === 1) head.add(entry.identity);
      newest = Math.max(newest, entry.at);
      oldest = Math.min(oldest, entry.at);
      const id = entry.keyId ?? byName.get(entry.keyName);
      if (id !== undefined && entry.spent !== 0) entries.push({ at: entry.at, id, spent: entry.spent });
    }
    if (oldest < back) {
      ended = false;
      break;
    }
    if (pages >= maxLogPages) throw tooLong(needs, maxLogPages);
  }
  const sums = (from: UnixSeconds, to: UnixSeconds): Map<KeyId, number> => {
    const total = new Map<KeyId, number>();
    for (const e of entries) if (e.at >= from && e.at < to) total.set(e.id, (total.get(e.id) ?? 0) + e.spent);
    return total;
  };
  const remembered = memory?.through ?? 0;
  const recent = sums(remembered, Number.POSITIVE_INFINITY);
  return {
    head,
    /** Everything since the remembered sums was read, so that they can be moved on. */
    complete: ended || back <= remembered,
    usedBy({ key, since }: Need): number {
      if (since > 0) return sums(since, Number.POSITIVE_INFINITY).get(key.id) ?? 0;
      return (memory?.used.get(key.id) ?? 0) + (recent.get(key.id) ?? 0);
    },
    memory(): UsageMemory {
      const through = Math.max(remembered, newest - SETTLE_SECONDS);
      const used = new Map<KeyId, Quota>(memory?.used ?? []);
      for (const [id, units] of sums(remembered, through)) used.set(id, quota((used.get(id) ?? 0) + units));
      return { through, used };
    },
  };
}

function tooLong(needs: readonly Need[], pages: number): Fault {
  const names = needs.map(({ key }) => key.name).sort();
  const some = names.slice(0, 5).join(', ') + (names.length > 5 ? `, and ${names.length - 5} more` : '');
  return new Fault(
    'plan.usage-too-long',
    `The usage log is longer than ${pages} pages; the budgets of ${some} need more of it.`,
    {
      hint: 'Raise --max-log-pages, keep sums between runs with --usage-cache FILE, or give these keys a budget with a shorter window, `initial: true` or `below`.',
      detail: { keys: names, pages },
    },
  );
}
