import { describe, expect, it } from 'vitest';
import { keyId, type ObservedKey, quota } from '../../../src/domain/index.ts';
import { type Need, openLog } from '../../../src/reconcile/usage/log-reading.ts';
import { type LogSides, readUse } from '../../../src/reconcile/usage/log-use.ts';
import type { UsageCache, UsageMemory } from '../../../src/reconcile/usage/memory.ts';
import { plainKey } from '../../plain-key.ts';
import { emptyAccount, live } from '../account.ts';

const ALL = Number.POSITIVE_INFINITY;
/** A time at which no entry is recent. */
const NEVER = Number.POSITIVE_INFINITY;
const CACHE: UsageCache = { load: async () => undefined, save: async () => {} };

/** A key that spent a unit in each second from 1000 on, of 1000 units that it had. */
function openSpender({ entries = 500, reportsUse = true, filtersLog = false } = {}) {
  let now = 1000;
  const store = emptyAccount({ reportsUse, filtersLog, now: () => now });
  const id = store.seed(live('a', { remain: quota(1000) }));
  for (; now < 1000 + entries; now += 1) store.spend(id, 1);
  const needOf = (since: number, granted = 1000, more: Partial<ObservedKey> = {}): Need => {
    const counter = reportsUse ? { used: quota(entries) } : {};
    if (more.createdAt !== undefined) Object.assign(store.records.get(id) ?? {}, { created_time: more.createdAt });
    const limit = { unlimited: false, remain: quota(1000 - entries) };
    return { key: plainKey(1, { name: 'a', ...limit, ...counter, ...more }), since, granted: quota(granted) };
  };
  const read = async (needs: readonly Need[], sides: Partial<LogSides> = {}) => {
    const keys = needs.map(({ key }) => key);
    const log = openLog(store, keys);
    const found = await readUse(store, needs, { now: NEVER, keys, memory: undefined, ...sides, log }).finally(() =>
      log.end(),
    );
    const { usage = 0, sumUsage = 0, readMany = 0 } = store.calls;
    return { ...found, use: found.uses.get(id), calls: { pages: usage, sums: sumUsage, reads: readMany } };
  };
  return { store, needOf, read };
}

const another = (id: number, since: number, more: Partial<ObservedKey> = {}): Need => {
  const key = plainKey(id, { unlimited: false, remain: quota(900), ...more });
  return { key, since, granted: quota(1000) };
};

describe('sums of the log', () => {
  it('spare the pages where the key holds what they leave', async () => {
    const { needOf, read } = openSpender({ filtersLog: true });
    const { uses, unverified, head, whole, calls } = await read([needOf(1000)]);
    expect({ uses, unverified, whole }).toEqual({
      uses: new Map([[1, { least: 500, most: ALL }]]),
      unverified: new Map(),
    });
    expect([head.size, calls]).toEqual([100, { pages: 4, sums: 1, reads: 0 }]);
  });

  it('leave any other key to the entries', async () => {
    const { needOf, read } = openSpender({ filtersLog: true });
    const { use, calls } = await read([needOf(1000, 1001)]);
    expect([use, calls]).toEqual([
      { least: 500, most: 500 },
      { pages: 6, sums: 1, reads: 1 },
    ]);
  });

  it.each<[string, number, number, readonly Need[], number]>([
    ['are asked for where more pages remain than there are keys', 500, 1000, [], 1],
    ['are not asked for where the log has ended', 250, 1000, [], 0],
    ['are not asked for where hardly a page remains', 500, 1200, [], 0],
    ['are not asked for where the pages reach back far enough', 500, 1201, [], 0],
    ['are asked for as far back as the key of the longest window needs', 500, 1000, [another(2, 1400)], 2],
    ['are not asked for where the keys are more than the pages', 500, 1000, [another(2, 1000), another(3, 1000)], 0],
    ['are not asked for where the keys are as many as the pages', 500, 903, [another(2, 903), another(3, 903)], 0],
    [
      'are not asked for keys without a window, which do not count',
      500,
      1000,
      [2, 3].map((id) => another(id, 0, { createdAt: 1000 })),
      1,
    ],
  ])('%s', async (_, entries, since, others, sums) => {
    const { needOf, read } = openSpender({ filtersLog: true, entries });
    expect((await read([needOf(since), ...others])).calls.sums).toBe(sums);
  });
});

describe('pages of the log', () => {
  it('that are too few leave a key unverified, and no other', async () => {
    const { needOf, read } = openSpender();
    const needs = [needOf(1000), another(2, 1000, { createdAt: 1400, used: quota(100) })];
    const { unverified, uses, whole } = await read(needs, { maxLogPages: 2, mayLeaveUnverified: true });
    expect([unverified, whole]).toEqual([new Map([[1, 'log-too-long']]), undefined]);
    expect([1, 2].map((id) => uses.get(keyId(id))?.least)).toEqual([0, 0]);
    await expect(read(needs, { maxLogPages: 2 })).rejects.toMatchObject({ detail: { keys: ['a'], pages: 2 } });
  });

  it('leave a key unverified that is used all the time', async () => {
    const { store, needOf, read } = openSpender({ reportsUse: false });
    const readMany = store.readMany.bind(store);
    store.readMany = async (ids) => {
      const keys = await readMany(ids);
      store.spend(keyId(1), 1);
      return keys;
    };
    expect((await read([needOf(1000, 1000, { remain: quota(501) })])).unverified).toEqual(new Map([[1, 'busy']]));
  });

  it('add to the remembered sums of a key without a window, and continue them', async () => {
    const { needOf, read } = openSpender();
    const memory: UsageMemory = { through: 1450, used: new Map([[keyId(1), quota(450)]]), keys: new Map() };
    const { use, whole, calls } = await read([needOf(0)], { memory });
    expect([use?.least, whole?.whole, whole?.since, calls.pages]).toEqual([500, false, 1401, 1]);
  });

  it('continue the sums where the log has ended, and not where a gap would be left', async () => {
    const { needOf, read } = openSpender();
    expect((await read([needOf(1450, 550)])).whole).toBeUndefined();
    expect((await read([needOf(0, 1000)])).whole).toMatchObject({ whole: true, since: 0 });
    const memory: UsageMemory = { through: 1449, used: new Map(), keys: new Map() };
    expect((await read([needOf(1450, 550)], { memory })).whole).toBeUndefined();
    const unread = { memory: { ...memory, through: 1100 }, maxLogPages: 2, mayLeaveUnverified: true };
    expect((await read([needOf(0)], unread)).whole).toBeUndefined();
  });

  it('are closed at the end', async () => {
    const { store, needOf, read } = openSpender();
    let closed = 0;
    const usage = store.usage.bind(store);
    store.usage = async function* () {
      try {
        yield* usage();
      } finally {
        closed += 1;
      }
    };
    await read([needOf(1450, 550)]);
    expect(closed).toBe(1);
  });
});

describe('the most that a key used by the log', () => {
  const remembered = (at: number, remain: number, most: number): UsageMemory => {
    const latest = { at, since: 0, least: 0, most, granted: 1000, ceiling: 1000, remain };
    return { through: 0, used: new Map(), keys: new Map([[keyId(1), { latest }]]) } as never;
  };

  it.each<[string, Partial<ObservedKey>, number, Partial<LogSides>, number, object]>([
    [
      'is proven by its whole life where it is to be raised',
      { createdAt: 1100 },
      1000,
      {},
      150,
      { pages: 6, reads: 1 },
    ],
    ['is not proven where it holds enough', { createdAt: 1100 }, 550, {}, ALL, { pages: 1, reads: 0 }],
    [
      'is not proven for a later run where that costs pages',
      { createdAt: 1100 },
      550,
      { usageCache: CACHE },
      ALL,
      { pages: 1, reads: 0 },
    ],
    ['is not proven where no later run could use it', { createdAt: 1401 }, 550, {}, ALL, { pages: 1, reads: 0 }],
    [
      'is proven for a later run where that costs no page',
      { createdAt: 1401 },
      550,
      { usageCache: CACHE },
      451,
      { pages: 2, reads: 1 },
    ],
    [
      'is not asked for where somebody vouches for the log',
      {},
      1000,
      { assumeLogComplete: true },
      ALL,
      { pages: 1, reads: 0 },
    ],
  ])('%s', async (_, more, granted, sides, most, calls) => {
    const { needOf, read } = openSpender();
    const found = await read([needOf(1450, granted, more)], sides);
    expect([found.use, found.calls]).toMatchObject([{ least: 50, most }, calls]);
  });

  it('is proven by the whole life of the oldest key', async () => {
    const { needOf, read } = openSpender();
    const younger = another(2, 1450, { createdAt: 1300, used: quota(100) });
    expect((await read([needOf(1450, 1000, { createdAt: 1100 }), younger])).use).toEqual({ least: 50, most: 150 });
  });

  it.each<[string, number, Partial<LogSides>, number, object]>([
    ['is unknown where the record reports no use', 1000, {}, ALL, { pages: 1, reads: 0 }],
    [
      'follows from what is remembered of its remainder',
      1000,
      { memory: remembered(1440, 560, 0) },
      51,
      { pages: 2, reads: 1 },
    ],
    [
      'follows from what is remembered within the window, and no older page is read',
      1000,
      { memory: remembered(1460, 539, 11) },
      50,
      { pages: 2, reads: 1 },
    ],
    [
      'follows from what is remembered, for a later run',
      550,
      { memory: remembered(1440, 560, 0), usageCache: CACHE },
      51,
      { pages: 2, reads: 1 },
    ],
  ])('%s', async (_, granted, sides, most, calls) => {
    const { needOf, read } = openSpender({ reportsUse: false });
    const found = await read([needOf(1450, granted)], sides);
    expect([found.use, found.calls]).toMatchObject([{ least: 50, most }, calls]);
  });

  it('is unknown for a key that is gone, and less what it spent after the log was read', async () => {
    const gone = openSpender();
    const need = gone.needOf(1450, 1000, { createdAt: 1100 });
    gone.store.records.clear();
    expect((await gone.read([need])).use).toEqual({ least: 50, most: ALL });
    const busy = openSpender();
    busy.store.hook = (operation) => {
      if (operation === 'usage' && busy.store.calls.usage === 5)
        for (const units of [3, 4]) busy.store.spend(keyId(1), units);
    };
    expect((await busy.read([busy.needOf(1450, 1000, { createdAt: 1100 })])).use).toEqual({ least: 50, most: 150 });
  });
});
