import {
  Fault,
  type KeyId,
  type ObservedKey,
  type Quota,
  type UnixSeconds,
  type UsageEntry,
} from '../../domain/index.ts';
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
  /** Undefined: the entry has no key ID, and no live key has its name. */
  readonly id: KeyId | undefined;
  /** The name that the key had. */
  readonly name: string;
  readonly units: number;
  /** The entry has no key ID, so that another key may have made it under this name. */
  readonly isNamed: boolean;
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

/** The log, newest first, read once: each reading goes on where the last one ended. */
export interface LogReader {
  /** Reads back to a time, or to the end of the log, or to that number of pages since the beginning. */
  readBack(back: UnixSeconds, maxPages: number): Promise<LogReading>;
  end(): Promise<void>;
}

/**
 * Opens the log. Entries without a key ID count for the live key of that name, also for one that is not needed now:
 * remembered sums must not leave out what a key used that is declared later.
 */
export function openLog(store: KeyStore, keys: readonly ObservedKey[]): LogReader {
  let byName: ReadonlyMap<string, KeyId> | undefined;
  // Most readings need no page of it.
  let walk: AsyncIterator<readonly UsageEntry[]> | undefined;
  const spent: Spent[] = [];
  const head = new Set<string>();
  let [pages, newest, oldest, whole] = [0, 0, Number.POSITIVE_INFINITY, false];
  let unused: IteratorResult<readonly UsageEntry[]> | undefined;
  const take = (page: readonly UsageEntry[]): void => {
    byName ??= new Map(keys.map((key) => [key.name, key.id]));
    for (const { identity, at, keyId, keyName, spent: units } of page) {
      if (pages === 0) head.add(identity);
      newest = Math.max(newest, at);
      oldest = Math.min(oldest, at);
      const id = keyId ?? byName.get(keyName);
      if (units !== 0) spent.push({ at, id, name: keyName, units, isNamed: keyId === undefined });
    }
    pages += 1;
  };
  return {
    async readBack(back, maxPages) {
      while (!whole && oldest >= back) {
        // Only another page shows that the last one allowed was not the end.
        walk ??= store.usage()[Symbol.asyncIterator]();
        unused ??= await walk.next();
        if (!unused.done && pages >= maxPages) break;
        if (unused.done) whole = true;
        else take(unused.value);
        unused = undefined;
      }
      return { spent: [...spent], head, newest, whole, since: whole ? 0 : oldest + 1 };
    },
    end: async () => void (await walk?.return?.()),
  };
}

/** Returns what each key spent in a time range, the start included. */
export function sumByKey(
  spent: readonly Spent[],
  from: UnixSeconds,
  to = Number.POSITIVE_INFINITY,
): Map<KeyId, number> {
  const sums = new Map<KeyId, number>();
  for (const { at, id, units } of spent) {
    if (id !== undefined && at >= from && at < to) sums.set(id, (sums.get(id) ?? 0) + units);
  }
  return sums;
}

/** The fault of a log that is longer than a run may read. */
export function tooLong(of: readonly string[], pages: number): Fault {
  const names = [...of].sort();
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
