import type { UnixSeconds } from '../../domain/index.ts';
import type { LogRecord } from '../../gateway/index.ts';

/** A long request is logged when it ends, so an entry may appear below newer ones. */
const LATE_SECONDS = 7200;

interface Following {
  readonly matches: (entry: LogRecord) => boolean;
  /** The most pages of one reading. */
  readonly maxPages: number;
  readonly now: () => UnixSeconds;
}

/** Finds the entries that were not there at the last reading. */
export function openFollow({ matches, maxPages, now }: Following) {
  let seen = new Map<string, UnixSeconds>();
  /** Entries before it are old: they were shown, or were there before the first reading. */
  let oldest = Number.NEGATIVE_INFINITY;

  /** Reads on until a page has nothing new: entries move to later pages while others are read. */
  async function readNew(pages: AsyncIterable<readonly LogRecord[]>): Promise<readonly LogRecord[]> {
    const fresh: LogRecord[] = [];
    let read = 0;
    for await (const page of pages) {
      const unseen = page.filter(({ identity, at }) => at >= oldest && !seen.has(identity));
      for (const { identity, at } of unseen) seen.set(identity, at);
      fresh.push(...unseen);
      read += 1;
      if (unseen.length === 0 || read === maxPages) break;
    }
    return fresh;
  }

  return {
    /** Returns the new entries, oldest first. @returns every entry that matches at the first reading */
    async next(pages: AsyncIterable<readonly LogRecord[]>): Promise<readonly LogRecord[]> {
      const fresh = await readNew(pages);
      // An entry from the future must not make those of the present old.
      const newest = Math.min(
        now(),
        [...seen.values()].reduce((most, at) => Math.max(most, at), oldest),
      );
      oldest = Math.max(oldest, newest - LATE_SECONDS);
      seen = new Map([...seen].filter(([, at]) => at >= oldest));
      return fresh.filter(matches).reverse();
    },
  };
}
