import type { KeyId, ObservedKey } from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';

/**
 * Readings of keys between two readings of the usage log. Where only the log shows what a key used, one reading of each
 * cannot distinguish a request in between from a budget that is too high: the log may explain nothing but what it
 * showed before the key was read.
 */

/** Identities of the newest entries of the log: a moment to read back to later. */
export type LogMark = ReadonlySet<string>;

const MAX_PAGES = 50;

/** The use of each key since a mark, entry by entry, oldest first. */
export interface SpentSince {
  readonly byKey: ReadonlyMap<KeyId, readonly number[]>;
  readonly entries: number;
  /** The units of all entries that spent any, of whatever key. */
  readonly units: number;
  /** False: the mark was not found, within the page limit or because history was deleted, so that entries are missing. */
  readonly whole: boolean;
}

export const NOTHING_SPENT: SpentSince = { byKey: new Map(), entries: 0, units: 0, whole: true };

/** Reads the newest page of the log. */
export async function readLogHead(store: KeyStore): Promise<LogMark> {
  for await (const page of store.usage()) return new Set(page.map((entry) => entry.identity));
  return new Set();
}

/** Reads the log back to a mark. Entries without a key ID count for the key that `byName` has under their name. */
export async function spentSince(
  store: KeyStore,
  mark: LogMark,
  byName: ReadonlyMap<string, KeyId>,
): Promise<SpentSince> {
  const byKey = new Map<KeyId, number[]>();
  const seen = new Set<string>();
  let [pages, all] = [0, 0];
  const done = (whole: boolean): SpentSince => {
    for (const units of byKey.values()) units.reverse();
    return { byKey, entries: seen.size, units: all, whole };
  };
  for await (const page of store.usage()) {
    for (const { identity, keyId, keyName, spent } of page) {
      if (mark.has(identity)) return done(true);
      const id = keyId ?? byName.get(keyName);
      if (seen.has(identity)) continue;
      seen.add(identity);
      all += Math.max(0, spent);
      if (id === undefined || spent === 0) continue;
      const units = byKey.get(id);
      if (units) units.push(spent);
      else byKey.set(id, [spent]);
    }
    pages += 1;
    if (pages >= MAX_PAGES) return done(false);
  }
  return done(mark.size === 0);
}

/** A key as read, and the least and the most that it had spent since the mark by then. */
export interface BracketedKey {
  readonly key: ObservedKey;
  readonly least: number;
  readonly most: number;
}

export interface KeysAndLog {
  readonly readings: ReadonlyMap<KeyId, BracketedKey>;
  readonly after: SpentSince;
}

interface Bracket {
  readonly mark: LogMark;
  readonly byName: ReadonlyMap<string, KeyId>;
  /** The log as it was read last, before the keys. */
  readonly before: SpentSince;
}

/**
 * Reads keys, then the log: what a key had spent when it was read lies between the two readings of the log. Entries that the
 * first reading has and the second one lacks were deleted: then the log is not whole, and shows nothing.
 */
export async function readAround(
  store: KeyStore,
  ids: readonly KeyId[],
  { mark, byName, before }: Bracket,
): Promise<KeysAndLog> {
  const keys = await store.readMany(ids);
  const since = await spentSince(store, mark, byName);
  const after = { ...since, whole: since.whole && since.entries >= before.entries };
  const readings = [...keys].map(([id, key]): [KeyId, BracketedKey] => {
    const units = after.byKey.get(id) ?? [];
    const sums = [0];
    for (const each of units) sums.push((sums.at(-1) ?? 0) + each);
    const possible = sums.slice(Math.min(before.byKey.get(id)?.length ?? 0, units.length));
    return [id, { key, least: Math.min(...possible), most: Math.max(...possible) }];
  });
  return { readings: new Map(readings), after };
}

/** A quantity that does not change while it is measured: what two measurements leave of it. */
export interface QuotaRange {
  readonly least: number;
  readonly most: number;
}

/** A quantity that nothing has measured. */
export const UNREAD: QuotaRange = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
export const NONE: QuotaRange = { least: 0, most: 0 };

export const ROUNDS = 3;
export const isExact = ({ least, most }: QuotaRange): boolean => least === most;

/** Returns what both ranges allow; the newer one where they exclude each other, because then it did change. */
export function narrowed(range: QuotaRange, by: QuotaRange): QuotaRange {
  const both = { least: Math.max(range.least, by.least), most: Math.min(range.most, by.most) };
  return both.least <= both.most ? both : by;
}
