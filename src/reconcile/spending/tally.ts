import type { KeyId, UnixSeconds, UsageEntry } from '../../domain/index.ts';

/** The sums of some entries of the usage log. Units are exact, whatever their number. */
export interface Sums {
  readonly units: bigint;
  readonly requests: number;
  readonly promptTokens: bigint;
  readonly completionTokens: bigint;
}

/** The spending of one key with one model on one day, in UTC, or on the part of it between two boundaries. */
export interface TallyCell extends Sums {
  /** Absent: the entries do not name a key. */
  readonly keyId?: KeyId;
  /** The name that the key had when it was used last. */
  readonly keyName: string;
  readonly model: string;
  /** The beginning of the day. */
  readonly day: UnixSeconds;
  /** No entry is before this time: the beginning of the day, or a boundary. */
  readonly from: UnixSeconds;
  /** Every entry is before this time: the end of the day, or a boundary. */
  readonly until: UnixSeconds;
  /** The newest entry. */
  readonly last: UnixSeconds;
}

/** The entries of the usage log since a time, added up. */
export interface LogTally {
  readonly cells: readonly TallyCell[];
  /** Every entry from this time on was read: later than what was asked for if the log is longer than the run may read. */
  readonly since: UnixSeconds;
  readonly isCut: boolean;
  /** Was the log read to its end? */
  readonly isWhole: boolean;
  readonly entries: number;
}

export const DAY = 86_400;

interface OpenCell {
  cell: TallyCell;
}

const added = (sums: Sums, { spent, promptTokens = 0, completionTokens = 0, isOther }: UsageEntry): Sums => ({
  units: sums.units + BigInt(spent),
  requests: sums.requests + (isOther || spent < 0 ? 0 : 1),
  promptTokens: sums.promptTokens + BigInt(Math.max(0, promptTokens)),
  completionTokens: sums.completionTokens + BigInt(Math.max(0, completionTokens)),
});

const NOTHING: Sums = { units: 0n, requests: 0, promptTokens: 0n, completionTokens: 0n };

/** A login or a top-up: nothing used a key for it, and its empty name is not the name of one. */
const isOfNoKey = ({ isOther, spent, keyId, keyName }: UsageEntry): boolean =>
  isOther === true && spent === 0 && keyId === undefined && keyName === '';

/** Adds entries up by key, model and day, and separately on each side of a boundary. */
function openTally(boundaries: readonly UnixSeconds[]) {
  const cells = new Map<string, OpenCell>();
  return {
    add(entry: UsageEntry): void {
      const { at, keyId, keyName, model = '' } = entry;
      if (isOfNoKey(entry)) return;
      const day = Math.floor(at / DAY) * DAY;
      const from = Math.max(day, ...boundaries.filter((each) => each <= at));
      const until = Math.min(day + DAY, ...boundaries.filter((each) => each > at));
      const place = JSON.stringify([keyId ?? keyName, model, from]);
      const known = cells.get(place);
      // The log is newest first, so the first name is the latest one.
      const head = known?.cell ?? {
        ...(keyId === undefined ? {} : { keyId }),
        keyName,
        model,
        ...{ day, from, until },
        last: at,
        ...NOTHING,
      };
      cells.set(place, { cell: { ...head, ...added(head, entry), last: Math.max(head.last, at) } });
    },
    cells: (): readonly TallyCell[] => [...cells.values()].map(({ cell }) => cell),
  };
}

/**
 * Reads the usage log back to a time, newest first, and adds it up. Keeps no entry, so the length of the log does not matter.
 *
 * @param boundaries times within a day that separate what is added up
 * @param maxPages at most this many pages are read; the result shows how far they reached
 */
export async function tallyUsage(
  pages: AsyncIterable<readonly UsageEntry[]>,
  {
    since,
    maxPages,
    boundaries = [],
  }: { readonly since: UnixSeconds; readonly maxPages: number; readonly boundaries?: readonly UnixSeconds[] },
): Promise<LogTally> {
  const tally = openTally(boundaries);
  let [read, entries, oldest] = [0, 0, Number.POSITIVE_INFINITY];
  let isCut = false;
  let isWhole = true;
  for await (const page of pages) {
    if (read === maxPages) {
      [isCut, isWhole] = [true, false];
      break;
    }
    for (const entry of page) {
      oldest = Math.min(oldest, entry.at);
      if (entry.at < since) continue;
      tally.add(entry);
      entries += 1;
    }
    read += 1;
    if (page.length > 0 && page.every(({ at }) => at < since)) {
      isWhole = false;
      break;
    }
  }
  // Entries of the oldest second may continue on the page that was not read.
  const reached = isCut ? Math.max(since, oldest + 1) : since;
  return { cells: tally.cells(), since: reached, isCut, isWhole, entries };
}

/** Adds up cells. */
export function sumOf(cells: readonly Sums[]): Sums {
  return cells.reduce(
    (sum, cell) => ({
      units: sum.units + cell.units,
      requests: sum.requests + cell.requests,
      promptTokens: sum.promptTokens + cell.promptTokens,
      completionTokens: sum.completionTokens + cell.completionTokens,
    }),
    NOTHING,
  );
}
