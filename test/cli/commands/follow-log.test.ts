import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFollow } from '../../../src/cli/commands/follow-log.ts';
import { quota } from '../../../src/domain/index.ts';
import type { LogRecord } from '../../../src/gateway/index.ts';

const NOW = 1_800_000_000;
const HOUR = 3600;

const entry = (identity: string, at: number): LogRecord =>
  ({ identity, at, type: 'consumption', keyName: 'a', spent: quota(1) }) as LogRecord;

async function* pagesOf(entries: readonly LogRecord[], size: number) {
  for (let i = 0; i < entries.length; i += size) yield entries.slice(i, i + size);
}

const opened = (maxPages = 20) => openFollow({ matches: () => true, maxPages, now: () => NOW });

describe('following the usage log', () => {
  it('shows old entries of the first page once', async () => {
    const following = opened();
    const log = [entry('new', NOW), entry('old', NOW - 9 * HOUR), entry('older', NOW - 10 * HOUR)];
    const shown = async () => (await following.next(pagesOf(log, 100))).map(({ identity }) => identity);
    expect(await shown()).toEqual(['older', 'old', 'new']);
    expect([await shown(), await shown()]).toEqual([[], []]);
    log.unshift(entry('newer', NOW));
    expect([await shown(), await shown()]).toEqual([['newer'], []]);
  });

  it('shows an entry once that moves to the next page while it is read', async () => {
    const following = opened();
    async function* moving() {
      yield [entry('b', NOW), entry('a', NOW - 1)];
      yield [entry('a', NOW - 1), entry('z', NOW - 2)];
    }
    expect((await following.next(moving())).map(({ identity }) => identity)).toEqual(['z', 'a', 'b']);
  });

  it('shows a late entry on a later page, below newer ones', async () => {
    const following = opened();
    const log = [entry('c', NOW), entry('b', NOW - 1), entry('a', NOW - 2)];
    await following.next(pagesOf(log, 2));
    const later = [entry('d', NOW), ...log.slice(0, 2), entry('late', NOW - HOUR), ...log.slice(2)];
    expect((await following.next(pagesOf(later, 2))).map(({ identity }) => identity)).toEqual(['late', 'd']);
    const found = [entry('e', NOW), ...later];
    expect((await following.next(pagesOf(found, 2))).map(({ identity }) => identity)).toEqual(['e']);
  });

  it('is not stopped by an entry from the future', async () => {
    const following = opened();
    const log = [entry('future', NOW + 90 * HOUR), entry('a', NOW - 1)];
    await following.next(pagesOf(log, 100));
    log.unshift(entry('b', NOW));
    expect((await following.next(pagesOf(log, 100))).map(({ identity }) => identity)).toEqual(['b']);
  });

  it('shows each entry exactly once, however fast they come and whatever the size of pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (bursts, size) => {
          const following = opened(1000);
          const log: LogRecord[] = [];
          const shown: string[] = [];
          for (const [turn, burst] of bursts.entries()) {
            for (let i = 0; i < burst; i += 1) log.unshift(entry(`${turn}-${i}`, NOW - 24 * HOUR + turn * HOUR));
            shown.push(...(await following.next(pagesOf(log, size))).map(({ identity }) => identity));
          }
          expect(shown).toEqual(log.map(({ identity }) => identity).reverse());
        },
      ),
    );
  });

  it('keeps little of a long log', async () => {
    const following = opened(5000);
    const log = Array.from({ length: 200_000 }, (_, i) => entry(`${i}`, NOW - i));
    expect(await following.next(pagesOf(log, 100))).toHaveLength(200_000);
    expect(await following.next(pagesOf(log, 100))).toEqual([]);
  });
});
