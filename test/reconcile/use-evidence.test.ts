import { describe, expect, it } from 'vitest';
import { keyId, type ObservedKey, quota } from '../../src/domain/index.ts';
import { anchoredUse, anchorOf, countedUse, isRaise } from '../../src/reconcile/usage/evidence.ts';
import type { Need, Spent } from '../../src/reconcile/usage/log-reading.ts';
import {
  ceilingOf,
  movedSince,
  movedSums,
  type RememberedKey,
  rememberRaises,
  type UsageMemory,
  type WindowReading,
  withReading,
} from '../../src/reconcile/usage/memory.ts';
import { sumsOf } from '../../src/reconcile/usage/sums.ts';
import { plainKey } from '../plain-key.ts';
import { emptyAccount } from './account.ts';

const SINCE = 1000;
const limited = (remain: number, used?: number, more: Partial<ObservedKey> = {}): ObservedKey =>
  plainKey(1, { unlimited: false, remain: quota(remain), ...(used !== undefined && { used: quota(used) }), ...more });
const needOf = (key: ObservedKey, granted = 100): Need => ({ key, since: SINCE, granted: quota(granted) });

/** A reading in the window: at 1100, with 70 left, 530 used in all, and 30 to 40 in the window. */
const reading = (more: Partial<Record<keyof WindowReading, number | undefined>> = {}): WindowReading => {
  const numbers = { at: 1100, since: SINCE, remain: 70, used: 530, least: 30, most: 40, granted: 100, ceiling: 100 };
  const all = Object.entries({ ...numbers, ...more }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as never;
};
const before = { at: 900, remain: quota(100), used: quota(500) };

describe('the use that a counter shows without the log', () => {
  it.each<[string, Need, RememberedKey | undefined, { least: number; most: number } | undefined]>([
    ['nothing is known', needOf(limited(70, 530)), undefined, undefined],
    ['the record reports no use', needOf(limited(70)), { latest: reading() }, undefined],
    [
      'it moved on from an exact use',
      needOf(limited(9, 537)),
      { latest: reading({ most: 30 }) },
      { least: 37, most: 37 },
    ],
    [
      'it did not move from an exact use',
      needOf(limited(9, 530)),
      { latest: reading({ most: 30 }) },
      { least: 30, most: 30 },
    ],
    ['the key holds what it should', needOf(limited(63, 537)), { latest: reading() }, { least: 37, most: 47 }],
    ['the key holds something else', needOf(limited(64, 537)), { latest: reading() }, undefined],
    ['the key has no limit', needOf(limited(63, 537, { unlimited: true })), { latest: reading() }, undefined],
    ['it moved back', needOf(limited(71, 529)), { latest: reading({ most: 30 }) }, undefined],
    [
      'the reading is of another window',
      needOf(limited(9, 537)),
      { latest: reading({ since: 999, most: 30 }) },
      undefined,
    ],
    [
      'the reading has no counter',
      needOf(limited(9, 537)),
      { latest: reading({ used: undefined, most: 30 }) },
      undefined,
    ],
    [
      'it has not moved since before the window',
      needOf(limited(9, 500)),
      { latest: reading({ at: 999, since: 0, used: 500 }) },
      { least: 0, most: 0 },
    ],
    [
      'it has not moved since the begin of the window',
      needOf(limited(9, 500)),
      { latest: reading({ at: 1000, since: 0, used: 500 }) },
      undefined,
    ],
    [
      'it has not moved since an earlier reading',
      needOf(limited(9, 500)),
      { latest: reading({ since: 0 }), earlier: before },
      { least: 0, most: 0 },
    ],
    [
      'it moved since both readings',
      needOf(limited(9, 501)),
      { latest: reading({ at: 950, since: 0 }), earlier: before },
      undefined,
    ],
  ])('is as known as it can be where %s', (_, need, known, use) => {
    expect(countedUse(need, known)).toEqual(use);
  });
});

describe('the most that a key can have used', () => {
  const spent = (at: number, units: number, isNamed = false): Spent => ({
    at,
    units,
    isNamed,
    id: keyId(1),
    name: 'a',
  });
  const entries = [spent(850, 5), spent(901, 7), spent(1000, 10), spent(1101, 20)];
  const most = (key: ObservedKey, more: Partial<Parameters<typeof anchoredUse>[1]> = {}): number =>
    anchoredUse(needOf(key), { logged: 30, entries, later: 0, key, known: undefined, ...more });

  it.each<[string, () => number, number]>([
    ['its whole use is in the log', () => most(limited(9, 42)), 30],
    ['its use is in the log since its creation', () => most(limited(9, 37, { createdAt: 901 })), 30],
    ['a part of its use is not in the log', () => most(limited(9, 50)), 38],
    ['a part was used after the log was read', () => most(limited(9, 50), { later: 3 }), 35],
    ['nothing shows it', () => most(limited(9)), Number.POSITIVE_INFINITY],
    [
      'an entry has no key ID',
      () => most(limited(9, 42), { entries: [...entries, spent(1200, 6, true)], logged: 36 }),
      36,
    ],
    [
      'an earlier reading explains more',
      () => most(limited(9, 540), { known: { latest: reading({ since: 2000, at: 2100 }), earlier: before } }),
      33,
    ],
    [
      'the earlier reading is in the window',
      () =>
        most(limited(9, 540), {
          known: { latest: reading({ since: 2000, at: 2100 }), earlier: { ...before, at: 1000 } },
        }),
      528,
    ],
    [
      'the latest reading was before the window',
      () => most(limited(9, 540), { known: { latest: reading({ at: 900, since: 0, used: 500 }) } }),
      33,
    ],
    ['the latest reading is in the window', () => most(limited(9, 560), { known: { latest: reading() } }), 70],
    [
      'the last entry is of the second of the earlier reading',
      () =>
        most(limited(9, 540), {
          known: { latest: reading({ since: 2000, at: 2100 }), earlier: { ...before, at: 901 } },
        }),
      40,
    ],
    [
      'the latest reading was when the window began',
      () => most(limited(9, 560), { known: { latest: reading({ at: 1000 }) } }),
      70,
    ],
    [
      'the last entry is of the second of the latest reading',
      () => most(limited(9, 531), { known: { latest: reading({ at: 1101 }) } }),
      41,
    ],
    [
      'the latest reading has no counter',
      () => most(limited(9, 50), { known: { latest: reading({ used: undefined }) } }),
      38,
    ],
    ['more was logged since than the counter moved', () => most(limited(9, 531), { known: { latest: reading() } }), 60],
    [
      'the latest reading is of a later window',
      () => most(limited(9, 560), { known: { latest: reading({ since: 1001 }) } }),
      548,
    ],
  ])('follows from the best reading where %s', (_, found, expected) => {
    expect(found()).toBe(expected);
  });

  it('raises a key that holds less than the log leaves', () => {
    expect([69, 70, 71].map((remain) => isRaise(needOf(limited(remain)), 30))).toEqual([true, false, false]);
    expect(isRaise(needOf(limited(-5)), 100)).toBe(false);
    expect(isRaise(needOf(limited(0, 0, { unlimited: true })), 30)).toBe(false);
  });

  it('is anchored to the last reading before the window', () => {
    const old = { ...before, at: 800 };
    expect(anchorOf(needOf(limited(1)), undefined)).toBeUndefined();
    expect(anchorOf(needOf(limited(1)), { latest: reading() })).toBeUndefined();
    expect(anchorOf(needOf(limited(1)), { latest: reading({ at: 1000 }), earlier: old })).toBe(old);
    expect(anchorOf(needOf(limited(1)), { latest: reading({ at: 999 }), earlier: old })).toMatchObject({ at: 999 });
  });
});

describe('what is remembered of a key', () => {
  it.each<[string, { used?: number }, ObservedKey, number | undefined]>([
    ['by its use', { used: 10 }, limited(1, 14), 4],
    ['not where the use was unknown', {}, limited(1, 14), undefined],
    ['by its remainder', {}, limited(60), 40],
    ['not where the use is unknown now', { used: 10 }, limited(60), undefined],
    ['not where it has no limit', {}, limited(60, undefined, { unlimited: true }), undefined],
  ])('shows how far its counter moved: %s', (_, then, now, moved) => {
    const used = then.used === undefined ? {} : { used: quota(then.used) };
    expect(movedSince({ at: 0, remain: quota(100), ...used }, now)).toBe(moved);
  });

  it('bounds what it was granted in a window', () => {
    const unknown = 2 ** 52;
    expect(ceilingOf(needOf(limited(5)), undefined)).toBe(unknown);
    expect(ceilingOf(needOf(limited(5)), reading({ ceiling: 150, granted: 120 }))).toBe(150);
    expect(ceilingOf(needOf(limited(5)), reading({ ceiling: 150, granted: 120, since: 0 }))).toBe(120);
    expect(ceilingOf(needOf(limited(5)), reading({ ceiling: 50 }))).toBe(100);
    expect(ceilingOf(needOf(limited(100)), reading())).toBe(100);
    expect(ceilingOf(needOf(limited(101)), reading())).toBe(unknown);
  });

  it('keeps the last reading before a window', () => {
    const next = reading({ at: 2100, since: 2000 });
    expect(withReading(undefined, next)).toStrictEqual({ latest: next });
    expect(withReading({ latest: reading() }, reading({ at: 1200 }))).toStrictEqual({ latest: reading({ at: 1200 }) });
    expect(withReading({ latest: reading(), earlier: before }, reading({ at: 1200 })).earlier).toStrictEqual(before);
    const kept = withReading({ latest: reading({ used: undefined }), earlier: before }, next);
    expect(kept).toStrictEqual({ latest: next, earlier: { at: 1100, remain: 70 } });
    expect(withReading({ latest: reading({ at: 2000 }) }, next)).toStrictEqual({ latest: next });
  });

  it('moves with raises that are about to be made', async () => {
    let memory: UsageMemory | undefined;
    const cache = {
      load: async () => memory,
      save: async (saved: UsageMemory) => {
        memory = saved;
      },
    };
    await rememberRaises(cache, [{ id: keyId(1), units: 5 }]);
    expect(memory).toBeUndefined();
    const keys = new Map([
      [keyId(1), { latest: reading(), earlier: before }],
      [keyId(2), { latest: reading() }],
    ]);
    const first: UsageMemory = { through: 7, used: new Map(), keys };
    memory = first;
    await rememberRaises(cache, []);
    expect(memory).toBe(first);
    await rememberRaises(
      cache,
      [1, 2, 3].map((id) => ({ id: keyId(id), units: 5 * id })),
    );
    expect(memory.through).toBe(7);
    expect([...memory.keys]).toStrictEqual([
      [1, { latest: reading({ remain: 75 }), earlier: { ...before, remain: 105 } }],
      [2, { latest: reading({ remain: 80 }) }],
    ]);
  });

  it('has the sums of all entries but those of the newest hour', () => {
    const spent = [1, 2, 2].map((id, at) => ({ id: keyId(id), at: 5000 + at, units: 10, name: 'a', isNamed: false }));
    const log = { spent, head: new Set<string>(), newest: 5002 + 3600, whole: true, since: 0 };
    expect(movedSums(log, undefined)).toEqual({
      through: 5002,
      used: new Map([
        [1, 10],
        [2, 10],
      ]),
    });
    const used = new Map([[keyId(2), quota(3)]]);
    expect(movedSums(log, { through: 5001, used, keys: new Map() }).used).toEqual(new Map([[2, 13]]));
    expect(movedSums(log, { through: 9000, used, keys: new Map() })).toEqual({ through: 9000, used });
  });
});

describe('a sum of the log', () => {
  const spentBy = (name: string) => ({ keyName: name, at: 1500, spent: quota(40) });

  it('shows the use of a key that holds exactly what it leaves, and of no other', async () => {
    const store = emptyAccount({ filtersLog: true });
    for (const name of ['exact', 'less', 'more', 'endless', 'always']) store.log.push(spentBy(name) as never);
    const key = (id: number, name: string, remain: number, more: Partial<ObservedKey> = {}): Need =>
      needOf(plainKey(id, { name, unlimited: false, remain: quota(remain), ...more }));
    const needs = [
      key(1, 'exact', 60),
      key(2, 'less', 59),
      key(3, 'more', 61),
      key(4, 'endless', 60, { unlimited: true }),
      { ...key(5, 'always', 60), since: 0 },
    ];
    expect(await sumsOf(store, needs, new Map())).toEqual(
      new Map([[1, { least: 40, most: Number.POSITIVE_INFINITY }]]),
    );
    expect(store.calls.sumUsage).toBe(3);
    const another = emptyAccount();
    expect(await sumsOf(another, needs, new Map())).toEqual(new Map());
    expect(another.calls.sumUsage).toBe(1);
  });
});
