import { describe, expect, it } from 'vitest';
import { keyId, quota, type UsageEntry } from '../../../src/domain/index.ts';
import { usedWhenWalked } from '../../../src/reconcile/usage/excess.ts';
import { openLog, sumByKey, tooLong } from '../../../src/reconcile/usage/log-reading.ts';
import {
  isExact,
  NOTHING_SPENT,
  narrowed,
  type QuotaRange,
  readAround,
  spentSince,
  UNREAD,
} from '../../../src/reconcile/usage/spent-since.ts';
import type { MemoryStore } from '../../contract/memory-store.ts';
import { plainKey } from '../../plain-key.ts';
import { emptyAccount, live } from '../account.ts';

const ID = keyId(1);
/** Entries from the oldest to the newest, a second apart. */
function write(store: MemoryStore, entries: readonly Partial<UsageEntry>[]): void {
  const all = entries.map((entry, n) => {
    return { identity: `e${n}`, at: 1000 + n, keyId: ID, keyName: 'a', spent: quota(1), ...entry };
  });
  store.log.unshift(...all.reverse());
}
const ones = (count: number): Partial<UsageEntry>[] => Array.from({ length: count }, () => ({}));
const NO_ID = { keyId: undefined };

describe('the usage log, read backwards', () => {
  it('is read page by page as far as it is asked for, and goes on from there', async () => {
    const store = emptyAccount();
    write(store, ones(250));
    const log = openLog(store, []);
    const first = await log.readBack(1200, 9);
    expect(first).toMatchObject({ newest: 1249, since: 1151, whole: false });
    expect([first.spent.length, first.head.size, first.head.has('e150'), first.head.has('e149')]).toEqual([
      100,
      100,
      true,
      false,
    ]);
    const limited = await log.readBack(0, 2);
    expect([limited.spent.length, limited.head.size, limited.since, limited.whole]).toEqual([200, 100, 1051, false]);
    expect(await log.readBack(0, 3)).toMatchObject({ whole: true, since: 0 });
    expect(store.calls.usage).toBe(3);
  });

  it('counts an entry without a key ID for the live key of its name', async () => {
    const store = emptyAccount();
    write(store, [{ ...NO_ID, keyName: 'key-3' }, { ...NO_ID, keyName: 'gone' }, { spent: quota(0) }, {}]);
    const { spent } = await openLog(store, [plainKey(3)]).readBack(0, 9);
    expect(spent).toEqual([
      { at: 1003, id: 1, name: 'a', units: 1, isNamed: false },
      { at: 1001, id: undefined, name: 'gone', units: 1, isNamed: true },
      { at: 1000, id: 3, name: 'key-3', units: 1, isNamed: true },
    ]);
    expect(sumByKey(spent, 1000, 1003)).toEqual(new Map([[3, 1]]));
  });

  it('is closed by its reader, whether or not the store needs to know', async () => {
    const store = emptyAccount();
    let [opened, closed] = [0, 0];
    const next = async () => ({ done: true, value: undefined }) as const;
    const close = async () => {
      closed += 1;
      return next();
    };
    const closable = { next, return: close };
    for (const walk of [closable, { next }]) {
      store.usage = () => {
        opened += 1;
        return { [Symbol.asyncIterator]: () => walk };
      };
      const log = openLog(store, []);
      await log.readBack(0, 1);
      await log.end();
      // Nobody reads this one.
      await openLog(store, []).end();
    }
    expect([opened, closed]).toEqual([2, 1]);
  });

  it.each([
    [1, ['b', 'a'], 'The budgets of a, b need more than 1 page of the usage log.'],
    [2, ['e', 'd', 'c', 'b', 'a'], 'The budgets of a, b, c, d, e need more than 2 pages of the usage log.'],
    [
      3,
      ['f', 'e', 'd', 'c', 'b', 'a'],
      'The budgets of a, b, c, d, e, and 1 more need more than 3 pages of the usage log.',
    ],
  ])('is too long with more than %i pages for some keys', (pages, names, message) => {
    expect(tooLong(names, pages)).toMatchObject({
      message,
      hint: 'Give these keys a budget with a shorter window, `initial: true` or `below`.',
      detail: { keys: [...names].sort(), pages },
    });
  });
});

describe('what was spent since a mark', () => {
  it('is counted once for each entry, oldest first, where the pages shift while they are read', async () => {
    const store = emptyAccount();
    const e = (n: number, more: Partial<UsageEntry> = {}): UsageEntry => {
      return { identity: `e${n}`, at: n, keyId: ID, keyName: 'a', spent: quota(n), ...more };
    };
    const pages = [
      [e(9), e(8, { spent: quota(0) }), e(7, NO_ID), e(6, { ...NO_ID, keyName: 'b' })],
      [e(7, NO_ID), e(6, { ...NO_ID, keyName: 'b' }), e(5), e(4), e(3)],
    ];
    store.usage = async function* () {
      yield* pages;
    };
    const since = await spentSince(store, new Set(['e4']), new Map([['b', keyId(2)]]));
    expect(since).toEqual({
      byKey: new Map([
        [1, [5, 9]],
        [2, [6]],
      ]),
      entries: 5,
      units: 27,
      whole: true,
    });
  });

  it('lies between the least and the most of the entries that may be older than the reading of the key', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    write(
      store,
      [5, 10, -4].map((units) => ({ spent: quota(units) })),
    );
    const around = async (units: readonly number[]): Promise<unknown> => {
      const before = { ...NOTHING_SPENT, byKey: new Map([[ID, units]]) };
      const { readings } = await readAround(store, [ID], { mark: new Set(), byName: new Map(), before });
      return readings.get(ID);
    };
    expect(await around([])).toMatchObject({ least: 0, most: 15 });
    expect(await around([5, 10])).toMatchObject({ least: 11, most: 15 });
    expect(await around([5, 10, -4])).toMatchObject({ least: 11, most: 11 });
  });

  const range = (least: number, most: number): QuotaRange => ({ least, most });
  it.each([
    ['the first', UNREAD, range(1, 5), range(1, 5)],
    ['one within the other', range(1, 5), range(2, 3), range(2, 3)],
    ['one around the other', range(2, 3), range(1, 5), range(2, 3)],
    ['one that overlaps', range(1, 3), range(2, 5), range(2, 3)],
    ['one that touches the other', range(1, 3), range(3, 5), range(3, 3)],
    ['one that excludes the other, because it changed', range(1, 2), range(3, 5), range(3, 5)],
  ])('is narrowed by every measurement: %s', (_, before, by, both) => {
    expect(narrowed(before, by)).toEqual(both);
    expect(isExact(both)).toBe(both.least === both.most);
  });
});

describe('a key that holds more than the log leaves', () => {
  /**
   * A key that was walked with 100 + `excess` of a grant of 100, after it had spent `earlier`; then it spent `later`, and the
   * log was read.
   */
  function openDoubt(excess: number, later: number, earlier = 0) {
    const store = emptyAccount();
    const walked = plainKey(store.seed(live('a', { remain: quota(100 + excess) })), {
      name: 'a',
      unlimited: false,
      remain: quota(100 + excess),
    });
    if (later > 0) store.spend(ID, later);
    const head = new Set(store.log.map(({ identity }) => identity));
    /** Spends one unit after each of the first readings of the key. */
    const spendAfter = (readings: number): void => {
      const read = store.readMany.bind(store);
      store.readMany = async (ids) => {
        const keys = await read(ids);
        if ((store.calls.readMany ?? 0) <= readings) store.spend(ID, 1);
        return keys;
      };
    };
    const judge = async (granted = 100) => {
      const needs = [{ key: walked, since: 0, granted: quota(granted) }];
      const sides = { used: new Map([[ID, earlier + later]]), head, keys: [walked], lags: new Map() };
      const { used, open } = await usedWhenWalked(store, needs, sides);
      return { used: used.get(ID), open: [...open], reads: store.calls.readMany ?? 0 };
    };
    return { store, judge, spendAfter };
  }

  it.each([
    ['spent it after the walk', 0, 7, 0, { used: 0, open: [], reads: 1 }],
    ['was given more than its budget', 50, 7, 0, { used: 0, open: [], reads: 1 }],
    ['was used during the first reading', 0, 7, 1, { used: 0, open: [], reads: 2 }],
    ['was used during the first two', 0, 7, 2, { used: 0, open: [], reads: 3 }],
    ['is used all the time', 0, 7, 9, { used: 0, open: [1], reads: 3 }],
    ['certainly holds too much, although it is used all the time', 50, 7, 9, { used: 0, open: [], reads: 3 }],
  ])('is read again, up to three times: it %s', async (_, excess, later, busy, expected) => {
    const { judge, spendAfter } = openDoubt(excess, later);
    spendAfter(busy);
    expect(await judge()).toEqual(expected);
  });

  it('is corrected by what is certain, less than what it holds', async () => {
    expect(await openDoubt(20, 7).judge(125)).toEqual({ used: 5, open: [], reads: 1 });
    expect(await openDoubt(0, 0).judge()).toEqual({ used: 0, open: [], reads: 0 });
    expect(await openDoubt(-30, 40).judge()).toEqual({ used: 30, open: [], reads: 1 });
  });

  it.each([
    ['once where it cannot hold too much', 0, 0, { used: 0, open: [], reads: 1 }],
    ['again where it may hold too much', 50, 10, { used: 10, open: [], reads: 2 }],
  ])('that spent before it was read again is read %s', async (_, excess, earlier, expected) => {
    const { store, judge } = openDoubt(excess, 7, earlier);
    store.hook = (operation) => operation === 'readMany' && store.calls.readMany === 1 && store.spend(ID, 3);
    expect(await judge()).toEqual(expected);
  });

  it('is left open where the log was deleted meanwhile', async () => {
    const { store, judge } = openDoubt(50, 7);
    store.hook = (operation) => operation === 'readMany' && store.log.splice(0);
    expect(await judge()).toEqual({ used: 0, open: [1], reads: 3 });
  });

  it('counts entries of its name for it', async () => {
    const { store, judge } = openDoubt(0, 7);
    const read = store.readMany.bind(store);
    store.readMany = async (ids) => {
      const keys = await read(ids);
      store.spend(ID, 1);
      for (const entry of store.log) Object.assign(entry, NO_ID);
      return keys;
    };
    expect(await judge()).toEqual({ used: 0, open: [1], reads: 3 });
  });

  it('is no longer in doubt when it is gone, or has no limit any more', async () => {
    const gone = openDoubt(0, 7);
    gone.store.records.clear();
    expect(await gone.judge()).toEqual({ used: 0, open: [], reads: 1 });
    const endless = openDoubt(0, 7);
    Object.assign(endless.store.records.get(1) ?? {}, { unlimited_quota: true, remain_quota: 500 });
    expect(await endless.judge()).toEqual({ used: 0, open: [], reads: 1 });
  });
});
