import type { UnixSeconds, UsageEntry } from '../../domain/index.ts';

/** Pages that are read for what a run cost, and for what models cost before. */
const MOST_PAGES = 60;
const ESTIMATE_PAGES = 5;
/** Clocks of gateways are not ours. */
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

/** What was logged since then, with some minutes before. */
export const entriesSince = (read: ReadLog, since: UnixSeconds): Promise<readonly UsageEntry[]> =>
  pages(read, { most: MOST_PAGES, isEnough: (page) => page.some(({ at }) => at < since - SLACK_SECONDS) });

/** The newest entries, as many as a few requests bring. */
export const newestEntries = (read: ReadLog): Promise<readonly UsageEntry[]> =>
  pages(read, { most: ESTIMATE_PAGES, isEnough: () => false });
