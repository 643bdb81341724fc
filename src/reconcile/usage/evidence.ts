import type { ObservedKey, UnixSeconds } from '../../domain/index.ts';
import { type Anchor, mostUsed } from './coverage.ts';
import type { Need, Spent } from './log-reading.ts';
import { type CounterReading, movedSince, type RememberedKey } from './memory.ts';

/** The least and the most that a key can have used in its window. */
export interface Use {
  readonly least: number;
  readonly most: number;
}

/**
 * Returns the use of a key as its counter shows it without the log: nothing since a time before the window, or as much as it
 * moved since a moment in the window whose use is exactly known. Undefined: the log is needed.
 */
export function countedUse({ key, since, granted }: Need, known: RememberedKey | undefined): Use | undefined {
  if (!known || key.used === undefined) return undefined;
  const { latest, earlier } = known;
  const moved = movedSince(latest, key);
  if (latest.since === since && !latest.mayLag && moved !== undefined && moved >= 0) {
    const use = { least: latest.least + moved, most: latest.most + moved };
    // A key that holds what it should takes no proof.
    if (use.least === use.most || (!key.unlimited && key.remain === granted - use.least)) return use;
  }
  const outside = [latest, earlier].filter((reading) => reading !== undefined && reading.at < since);
  const isUnused = outside.some((reading) => reading !== undefined && movedSince(reading, key) === 0);
  return isUnused ? { least: 0, most: 0 } : undefined;
}

interface LogSide {
  /** The use since the window began, by the log. */
  readonly logged: number;
  /** The entries of this key that were read. */
  readonly entries: readonly Spent[];
  /** The units of the entries that were made since the log was opened, and before the key was read again. */
  readonly later: number;
  /** The key as it was read after the log, so that every entry was made before. */
  readonly key: ObservedKey;
  readonly known: RememberedKey | undefined;
}

/**
 * Returns the most that a key can have used in its window, by everything that is known of it. An entry without a key ID
 * accounts for nothing: another key may have had the name.
 */
export function anchoredUse({ since }: Need, { logged, entries, later, key, known }: LogSide): number {
  const anchors: Anchor[] = [];
  const own = entries.filter(({ isNamed }) => !isNamed);
  const unitsSince = (some: readonly Spent[], from: UnixSeconds): number =>
    some.reduce((sum, { at, units }) => (at >= from ? sum + units : sum), 0);
  const add = (moved: number | undefined, from: UnixSeconds, spent?: number): void => {
    if (moved !== undefined) anchors.push({ spent, moved: moved - later, logged: unitsSince(own, from) });
  };
  add(key.used, key.createdAt ?? 0);
  if (known?.earlier && known.earlier.at < since) add(movedSince(known.earlier, key), known.earlier.at + 1);
  if (known) {
    const { latest } = known;
    const moved = movedSince(latest, key);
    if (latest.at < since) add(moved, latest.at + 1);
    else if (latest.since <= since && !latest.mayLag) add(moved, latest.at + 1, latest.most);
  }
  const named = unitsSince(entries, since) - unitsSince(own, since);
  return Math.max(logged, mostUsed(logged - named, anchors));
}

/** Would a key hold more than now, if the log were complete? */
export const isRaise = ({ key, granted }: Need, logged: number): boolean =>
  !key.unlimited && Math.max(0, key.remain) < granted - logged;

/** The last moment before the window that is remembered. */
export function anchorOf({ since }: Need, known: RememberedKey | undefined): CounterReading | undefined {
  return [known?.latest, known?.earlier].find((reading) => reading !== undefined && reading.at < since);
}
