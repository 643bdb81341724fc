import type { UsageEntry } from '../../domain/index.ts';
import { SYSTEM_LIMITS, usageFromWire } from '../../wire/index.ts';
import type { LogPage } from './system-api.ts';

/**
 * The usage log, newest first, a request a page; stop iterating to stop reading.
 *
 * New entries push older ones to later pages while it is read, so an entry of an earlier page is left out when it comes
 * again. Entries of one page are never taken for each other. A page may be empty after that.
 */
export async function* walkUsage(
  read: (page: number, size: number) => Promise<LogPage>,
): AsyncGenerator<readonly UsageEntry[]> {
  const seen = new Set<string>();
  for (let page = 1; ; page++) {
    const answer = await read(page, SYSTEM_LIMITS.pageSize);
    const entries = answer.entries.map(usageFromWire).filter(({ identity }) => !seen.has(identity));
    for (const { identity } of entries) seen.add(identity);
    if (answer.entries.length > 0) yield entries;
    if (isLast(answer, page)) return;
  }
}

function isLast({ entries, total, size }: LogPage, page: number): boolean {
  if (entries.length === 0) return true;
  const full = size ?? SYSTEM_LIMITS.pageSize;
  return total === undefined ? entries.length < full : page * full >= total;
}
