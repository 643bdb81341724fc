import type { UnixSeconds, UsageEntry } from '../../domain/index.ts';

/** Pages read for the costs of a run, and for the costs of models before it. */
const MOST_PAGES = 60;
const ESTIMATE_PAGES = 5;
/** Clocks of gateways differ from ours. */
const SLACK_SECONDS = 120;

/** A usage log, newest first, a page at a time. */
export type ReadLog = () => AsyncIterable<readonly UsageEntry[]>;

async function pages(
  read: ReadLog,
  { most, isEnough }: { most: number; isEnough: (page: readonly UsageEntry[]) => boolean },
): Promise<readonly UsageEntry[]> {
  const all: UsageEntry[] = [];
  let count = 0;
  for await (const page of read()) {
    all.push(...page);
    count += 1;
    if (count >= most || isEnough(page)) break;
  }
  return all;
}

/** Reads the entries since a time, and some minutes before it. */
export const entriesSince = (read: ReadLog, since: UnixSeconds): Promise<readonly UsageEntry[]> =>
  pages(read, { most: MOST_PAGES, isEnough: (page) => page.some(({ at }) => at < since - SLACK_SECONDS) });

/** Reads the newest pages of entries. */
export const newestEntries = (read: ReadLog): Promise<readonly UsageEntry[]> =>
  pages(read, { most: ESTIMATE_PAGES, isEnough: () => false });
