import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Budget, type KeyId, keyName, quota } from '../../src/domain/index.ts';
import {
  type Anchor,
  apply,
  mostUsed,
  observe,
  plan,
  reportFaults,
  safeUse,
  type UsageCache,
  type UsageMemory,
} from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { declare, emptyAccount, live, NOW, state } from './account.ts';

const GRANT = 1_000;
const HOUR = 3600;
const DAY = 24 * HOUR;
const MIDNIGHT = NOW - 12 * HOUR;

describe('the most that a key can have used', () => {
  const outside = (moved: number, logged: number): Anchor => ({ spent: undefined, moved, logged });
  const within = (spent: number, moved: number, logged: number): Anchor => ({ spent, moved, logged });
  it.each<[string, number, readonly Anchor[], number]>([
    ['is unknown without an earlier moment', 0, [], Number.POSITIVE_INFINITY],
    ['is what the log shows where entries account for all of it', 30, [outside(100, 100)], 30],
    ['contains what was spent without an entry', 30, [outside(100, 60)], 70],
    ['is not less than the log where more entries exist than the counter moved by', 30, [outside(10, 60)], 30],
    ['continues from a moment in the window', 30, [within(20, 50, 10)], 70],
    ['counts entries where the counter was set back', 30, [within(20, -50, 10)], 30],
    ['is the least that any moment allows', 30, [outside(100, 60), within(20, 15, 0)], 35],
  ])('%s', (_, logged, anchors, most) => {
    expect(mostUsed(logged, anchors)).toBe(most);
  });

  const key = { granted: 100, remain: 60, unlimited: false };
  it.each([
    ['raises to what the log leaves where it accounts for the use', { ...key, least: 10, most: 10 }, 10, true],
    ['raises as far as is proven', { ...key, least: 10, most: 25 }, 25, false],
    [
      'raises nothing beyond what the key holds without proof',
      { ...key, least: 10, most: Number.POSITIVE_INFINITY },
      40,
      false,
    ],
    ['needs no proof for a key that holds what the log leaves', { ...key, least: 40, most: 90 }, 40, true],
    ['needs no proof to lower a key', { ...key, least: 70, most: 90 }, 70, true],
    ['needs no proof for a key that becomes limited', { ...key, unlimited: true, least: 0, most: 90 }, 0, true],
    ['needs no proof for an overdrawn key', { ...key, remain: -5, least: 100, most: 120 }, 100, true],
    ['keeps an overdrawn key whose refill is unproven', { ...key, remain: -5, least: 10, most: 120 }, 105, false],
  ])('%s', (_, bounds, used, isCovered) => {
    expect(safeUse(bounds)).toEqual({ used, isCovered });
  });
});

type CacheMode = 'none' | 'kept' | 'lost';

function openCache(mode: CacheMode): { cache?: UsageCache; lose(): void } {
  let kept: UsageMemory | undefined;
  const cache: UsageCache = {
    load: async () => kept,
    save: async (memory) => {
      kept = memory;
    },
  };
  return {
    ...(mode === 'none' ? {} : { cache }),
    lose() {
      if (mode === 'lost') kept = undefined;
    },
  };
}

interface Scene {
  readonly store: MemoryStore;
  readonly id: KeyId;
  now: number;
  isLogging: boolean;
  /** Units spent since the window began. */
  spent: number;
  windowStart: number;
  name: string;
}

function openScene(reportsUse: boolean, filtersLog: boolean): Scene {
  const scene = { now: MIDNIGHT + 60, isLogging: true, spent: 0, windowStart: MIDNIGHT, name: 'a' };
  const store = emptyAccount({ reportsUse, filtersLog, now: () => whole.now });
  const id = store.seed(live('a', { remain: quota(GRANT) }), {
    extra: reportsUse ? { created_time: MIDNIGHT - 9 * DAY } : {},
  });
  const whole: Scene = Object.assign(scene, { store, id });
  return whole;
}

function spend(scene: Scene, wanted: number): void {
  const record = scene.store.records.get(scene.id);
  const units = Math.min(wanted, Math.max(0, record?.remain_quota ?? 0));
  if (units === 0) return;
  scene.store.spend(scene.id, units);
  if (!scene.isLogging) scene.store.log.shift();
  scene.spent += units;
}

async function applyOnce(scene: Scene, budget: Budget, more: { usageCache?: UsageCache; assumeLogComplete?: boolean }) {
  const { store, now, name } = scene;
  const desired = state([
    { ...declare('a', { budget }), name: keyName(name), ...(name === 'a' ? {} : { id: scene.id }) },
  ]);
  const observed = await observe(store, desired, { now, ...more });
  const made = plan(desired, observed, now);
  const report = await apply(made, store, { observed, desired, now: () => now, concurrency: 1, ...more });
  return { codes: reportFaults(report).map(({ code }) => code), notes: made.notes.map(({ code }) => code) };
}

const remainOf = ({ store, id }: Scene): number => store.records.get(id)?.remain_quota ?? 0;

function drop(scene: Scene, isGone: (at: number) => boolean): void {
  const kept = scene.store.log.filter(({ at }) => !isGone(at));
  scene.store.log.splice(0, scene.store.log.length, ...kept);
}

/** Something that happens to the log before the apply with this number. */
const EVENTS: Readonly<Record<string, (scene: Scene, step: number) => void>> = {
  'logging is off from the start': (scene) => {
    scene.isLogging = false;
  },
  'logging is off from the middle of a window': (scene, step) => {
    if (step === 4) scene.isLogging = false;
  },
  'logging is off for a while': (scene, step) => {
    scene.isLogging = step < 3 || step > 6;
  },
  'all history is deleted in the middle of a window': (scene, step) => {
    if (step === 5) drop(scene, () => true);
  },
  'older history is deleted in the middle of a window': (scene, step) => {
    if (step === 5) drop(scene, (at) => at < scene.now - 2 * HOUR);
  },
  'history is deleted before each apply': (scene) => drop(scene, () => true),
  'the key is renamed and the log is deleted': (scene, step) => {
    if (step !== 5) return;
    scene.name = 'b';
    const record = scene.store.records.get(scene.id);
    if (record) record.name = 'b';
    drop(scene, () => true);
  },
};

const MODES: readonly CacheMode[] = ['none', 'kept', 'lost'];
const BUDGETS: readonly Budget[] = [
  { kind: 'window', amount: { quota: quota(GRANT) }, per: 'day' },
  { kind: 'lifetime', amount: { quota: quota(GRANT) } },
];
const cases = Object.keys(EVENTS).flatMap((event) =>
  MODES.flatMap((mode) => [true, false].map((reportsUse) => ({ event, mode, reportsUse }))),
);

describe('a budget that is applied again and again', () => {
  it.each(cases)(
    'never grants more than its amount: $event (cache: $mode, use reported: $reportsUse)',
    async ({ event, mode, reportsUse }) => {
      const units = fc.array(fc.constantFrom(0, 10, 10, 70, 150), { minLength: 24, maxLength: 24 });
      await fc.assert(
        fc.asyncProperty(units, fc.constantFrom(...BUDGETS), fc.boolean(), async (pattern, budget, filtersLog) => {
          const scene = openScene(reportsUse, filtersLog);
          const { cache, lose } = openCache(mode);
          for (const [step, each] of pattern.entries()) {
            scene.now += 2 * HOUR;
            if (budget.kind === 'window' && scene.now >= scene.windowStart + DAY) {
              scene.windowStart += DAY;
              scene.spent = 0;
            }
            EVENTS[event]?.(scene, step % 12);
            spend(scene, each);
            if (step % 5 === 4) lose();
            await applyOnce(scene, budget, cache ? { usageCache: cache } : {});
            expect(remainOf(scene) + scene.spent).toBeLessThanOrEqual(GRANT);
          }
        }),
        { numRuns: 12 },
      );
    },
  );

  const daily = BUDGETS[0] as Budget;
  it.each([
    ['use reported, no cache', true, 'none', GRANT, []],
    ['use reported, with a cache', true, 'kept', GRANT, []],
    ['use not reported, with a cache', false, 'kept', GRANT, []],
    ['use not reported, no cache', false, 'none', 600, ['apply.budget-unverified']],
  ] as const)(
    'is filled up in a new window where the log is complete: %s',
    async (_, reportsUse, mode, remain, codes) => {
      const scene = openScene(reportsUse, false);
      const { cache } = openCache(mode);
      const more = cache ? { usageCache: cache } : {};
      scene.now = MIDNIGHT + HOUR;
      spend(scene, 300);
      expect((await applyOnce(scene, daily, more)).codes).toEqual([]);
      scene.now += HOUR;
      spend(scene, 100);
      scene.now = MIDNIGHT + DAY + HOUR;
      expect([await applyOnce(scene, daily, more), remainOf(scene)]).toEqual([
        { codes, notes: codes.map(() => 'budget-unverified') },
        remain,
      ]);
      expect((await applyOnce(scene, daily, { ...more, assumeLogComplete: true })).codes).toEqual([]);
      expect(remainOf(scene)).toBe(GRANT);
    },
  );

  it('is raised by as much as its amount was raised since a remembered run, without the log', async () => {
    const scene = openScene(false, false);
    scene.isLogging = false;
    const { cache } = openCache('kept');
    const more = cache ? { usageCache: cache } : {};
    const lifetime = (units: number): Budget => ({ kind: 'lifetime', amount: { quota: quota(units) } });
    await applyOnce(scene, lifetime(GRANT), more);
    scene.now += HOUR;
    spend(scene, 200);
    await applyOnce(scene, lifetime(GRANT + 500), more);
    expect(remainOf(scene)).toBe(GRANT + 500 - 200);
  });
});

describe('a plan of 20 monthly budgets over a log of 36,000 entries', () => {
  const monthly: Budget = { kind: 'window', amount: { quota: quota(100_000) }, per: 'month' };
  const names = Array.from({ length: 20 }, (_, n) => `key-${n}`);

  /** Every key spends one unit at a time since 60 days, and was filled up on the first of the month. */
  function openLongLog(filtersLog: boolean) {
    let now = NOW - 60 * DAY;
    const store = emptyAccount({ reportsUse: true, filtersLog, now: () => now });
    const extra = { created_time: now };
    const ids = names.map((name) => store.seed(live(name, { remain: quota(100_000) }), { extra }));
    const step = (60 * DAY) / 36_000;
    for (let n = 0; n < 36_000; n += 1) {
      now = Math.round(NOW - (36_000 - n) * step);
      const id = ids[n % ids.length];
      if (id !== undefined) store.spend(id, 1);
    }
    return {
      store,
      async plan(at: number, more: { usageCache?: UsageCache } = {}) {
        now = at;
        const [pages = 0, sums = 0] = [store.calls.usage, store.calls.sumUsage];
        const desired = state(names.map((name) => declare(name, { budget: monthly })));
        const observed = await observe(store, desired, { now: at, ...more });
        return {
          pages: (store.calls.usage ?? 0) - pages,
          sums: (store.calls.sumUsage ?? 0) - sums,
          unverified: observed.unverified?.size ?? 0,
          used: observed.used.get(ids[0] as KeyId),
        };
      },
    };
  }

  it('takes 4 pages and 2 sums for each key where the gateway filters its log, instead of hundreds of pages', async () => {
    const [byPages, bySums] = [await openLongLog(false).plan(NOW), await openLongLog(true).plan(NOW)];
    expect(bySums).toEqual({ pages: 4, sums: 40, unverified: 0, used: byPages.used });
    expect(byPages.unverified).toBe(0);
    expect(byPages.pages).toBeGreaterThan(360);
  });

  it('takes nothing of the log with a cache, while the window lasts, and only the entries since then in a new one', async () => {
    const { cache } = openCache('kept');
    const account = openLongLog(true);
    const more = cache ? { usageCache: cache } : {};
    await account.plan(NOW, more);
    expect(await account.plan(NOW + HOUR, more)).toMatchObject({ pages: 0, sums: 0, unverified: 0 });
    expect(await account.plan(NOW + 11 * DAY, more)).toMatchObject({ pages: 0, sums: 0, unverified: 0, used: 0 });
  });
});
