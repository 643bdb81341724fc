import { Fault, type KeyId, type ObservedKey, type Quota, type UnixSeconds } from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';

/** A key with a grant whose use only the log shows. */
export interface Need {
  readonly key: ObservedKey;
  readonly since: UnixSeconds;
  readonly granted: Quota;
}

/** One entry that moved quota of a key. */
export interface Spent {
  readonly at: UnixSeconds;
  readonly id: KeyId;
  readonly units: number;
}

export interface LogReading {
  readonly spent: readonly Spent[];
  /** Identities of the first page. */
  readonly head: ReadonlySet<string>;
  readonly newest: UnixSeconds;
  /** The log ended before the time that was asked for: nothing older exists. */
  readonly whole: boolean;
  /** All entries from this time on were read: later than what was asked for where the log is too long. */
  readonly since: UnixSeconds;
}

interface ReadingLimits {
  readonly keys: readonly ObservedKey[];
  readonly maxPages: number;
}

/**
 * Reads the log back to a time. Entries without a key id count for the live key of that name, also for one that is not
 * needed now: remembered sums must not leave out what a key used that is declared later.
 */
export async function readBack(store: KeyStore, back: UnixSeconds, limits: ReadingLimits): Promise<LogReading> {
  const byName = new Map(limits.keys.map((key) => [key.name, key.id]));
  const spent: Spent[] = [];
  const head = new Set<string>();
  let [pages, newest, oldest] = [0, 0, Number.POSITIVE_INFINITY];
  for await (const page of store.usage()) {
    // Only another page shows that the last one allowed was not the end.
    if (pages === limits.maxPages) return { spent, head, newest, whole: false, since: oldest + 1 };
    pages += 1;
    for (const { identity, at, keyId, keyName, spent: units } of page) {
      if (pages === 1) head.add(identity);
      newest = Math.max(newest, at);
      oldest = Math.min(oldest, at);
      const id = keyId ?? byName.get(keyName);
      if (id !== undefined && units !== 0) spent.push({ at, id, units });
    }
    if (oldest < back) return { spent, head, newest, whole: false, since: back };
  }
  return { spent, head, newest, whole: true, since: 0 };
}

/** Returns what each key spent in a time range, the start included. */
export function sumByKey(
  spent: readonly Spent[],
  from: UnixSeconds,
  to = Number.POSITIVE_INFINITY,
): Map<KeyId, number> {
  const sums = new Map<KeyId, number>();
  for (const { at, id, units } of spent) if (at >= from && at < to) sums.set(id, (sums.get(id) ?? 0) + units);
  return sums;
}

/** The fault of a log that is longer than a run may read. */
export function tooLong(needs: readonly Need[], pages: number): Fault {
  const names = needs.map(({ key }) => key.name).sort();
  const some = names.slice(0, 5).join(', ') + (names.length > 5 ? `, and ${names.length - 5} more` : '');
  return new Fault(
    'plan.usage-too-long',
    `The budgets of ${some} need more than ${pages === 1 ? '1 page' : `${pages} pages`} of the usage log.`,
    {
      hint: 'Give these keys a budget with a shorter window, `initial: true` or `below`.',
      remedy: 'read-more-usage',
      detail: { keys: names, pages },
    },
  );
}
