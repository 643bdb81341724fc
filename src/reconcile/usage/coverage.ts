/**
 * The rule by which a budget is raised although its use is known from the usage log. The log is not a ledger: logging can be
 * off, and history can be deleted. A log without entries looks the same in both cases as one of a key that spent nothing,
 * so the log alone never proves that a refill is due.
 *
 * What proves it is a counter that moves with every request, logged or not, between two readings: the use that the record
 * reports, else the remainder that it holds. An {@link Anchor} is the earlier of the two readings. Units that the counter
 * moved by and that no entry explains were spent without an entry, and count as spent in the window. So the sum of what is
 * granted within a window never exceeds its amount, and a key is raised as far as its use is proven, and no further.
 *
 * - The anchor of a record that reports its use is the creation of the key, where the counter was 0: then the entries of its
 *   whole life must account for all of its use.
 * - Any other anchor is remembered from an earlier run.
 * - Without an anchor nothing is raised: the entries could be all, or any part, of the use.
 *
 * Lowering takes no proof: entries that exist were spent.
 */

/** An earlier moment at which the counter of a key is known. */
export interface Anchor {
  /** The most that the key had used since its window began; undefined for a moment before the window. */
  readonly spent: number | undefined;
  /** The units by which the counter has moved since. */
  readonly moved: number;
  /** The units of the log entries that were certainly made between that moment and the reading of the key. */
  readonly logged: number;
}

/** Returns the most that a key can have used in its window; infinite where nothing shows it. Pure. */
export function mostUsed(logged: number, anchors: readonly Anchor[]): number {
  const bounds = anchors.map(({ spent, moved, logged: since }) =>
    spent === undefined ? logged + Math.max(0, moved - since) : spent + Math.max(moved, since),
  );
  return Math.min(Number.POSITIVE_INFINITY, ...bounds);
}

/** A limited or unlimited key with a grant, and the least and the most that it can have used. */
interface Bounds {
  readonly granted: number;
  readonly remain: number;
  readonly unlimited: boolean;
  readonly least: number;
  readonly most: number;
}

/** The use that a plan may compute with. */
export interface SafeUse {
  readonly used: number;
  /** False: less is raised than the log asks for, because the log does not account for the use. */
  readonly isCovered: boolean;
}

/** Chooses the use from which a remainder follows that is raised no further than is proven. Pure. */
export function safeUse({ granted, remain, unlimited, least, most }: Bounds): SafeUse {
  const isRaise = !unlimited && Math.max(0, remain) < granted - least;
  if (!isRaise || most <= least) return { used: least, isCovered: true };
  return { used: Math.min(most, granted - remain), isCovered: false };
}
