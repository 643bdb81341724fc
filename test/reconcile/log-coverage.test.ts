import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Budget, type KeyId, keyName, quota } from '../../src/domain/index.ts';
import { apply, observe, plan, reportFaults, type UsageCache, type UsageMemory } from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { declare, emptyAccount, live, NOW, state } from './account.ts';

const GRANT = 1_000;
const HOUR = 3600;
const DAY = 24 * HOUR;
const MIDNIGHT = NOW - 12 * HOUR;

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

function spend(scene: Scene, wanted: number, by = scene.id): void {
  const record = scene.store.records.get(by);
  const units = Math.min(wanted, Math.max(0, record?.remain_quota ?? 0));
  if (units === 0) return;
  scene.store.spend(by, units);
  if (!scene.isLogging) scene.store.log.shift();
  if (by === scene.id) scene.spent += units;
}

/** Two hours pass. Returns whether a window begins. */
function enterNext(scene: Scene, budget: Budget): boolean {
  scene.now += 2 * HOUR;
  if (budget.kind !== 'window' || scene.now < scene.windowStart + DAY) return false;
  scene.windowStart += DAY;
  scene.spent = 0;
  return true;
}

function rename(scene: Scene, id: KeyId, name: string): void {
  Object.assign(scene.store.records.get(id) ?? {}, { name });
  if (id === scene.id) scene.name = name;
}

function exchangeNames(scene: Scene, other: KeyId): void {
  const [own, others] = [scene.name, scene.store.records.get(other)?.name ?? ''];
  rename(scene, scene.id, others);
  rename(scene, other, own);
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
    rename(scene, scene.id, 'b');
    drop(scene, () => true);
  },
};

const MODES: readonly CacheMode[] = ['none', 'kept', 'lost'];
function budgetOf(kind: 'window' | 'lifetime', units: number): Budget {
  const amount = { quota: quota(units) };
  return kind === 'window' ? { kind, amount, per: 'day' } : { kind, amount };
}
const BUDGETS: readonly Budget[] = [budgetOf('window', GRANT), budgetOf('lifetime', GRANT)];
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
            enterNext(scene, budget);
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

  const happening = fc.record({
    units: fc.constantFrom(0, 10, 10, 70, 150),
    byOther: fc.constantFrom(0, 10, 70, 150),
    event: fc.constantFrom('none', 'none', 'off', 'on', 'delete', 'delete older', 'rename', 'exchange', 'lose'),
    amount: fc.constantFrom(undefined, undefined, undefined, GRANT / 2, GRANT, 1.5 * GRANT),
  });
  const conditions = fc.record({
    kind: fc.constantFrom<('window' | 'lifetime')[]>('window', 'lifetime'),
    mode: fc.constantFrom(...MODES),
    reportsUse: fc.boolean(),
    filtersLog: fc.boolean(),
    hasIds: fc.boolean(),
  });

  /** Lowered within a minute of its use, where the log was read back to the window only: the cache remembered too little use. */
  const lowered = Array.from({ length: 17 }, (_, step) => ({
    units: step === 11 ? (70 as const) : (0 as const),
    byOther: step === 8 ? (10 as const) : (0 as const),
    event: 'none' as const,
    amount: { 11: GRANT / 2, 16: 1.5 * GRANT }[step],
  }));
  const cached = { kind: 'window', mode: 'kept', reportsUse: true, filtersLog: false, hasIds: true } as const;

  it('never grants more than its amount, whatever happens to the log and to names', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 20, maxLength: 30 }), conditions, async (steps, given) => {
        const { mode, reportsUse, filtersLog, hasIds } = given;
        let budget = budgetOf(given.kind, GRANT);
        let [declared, most] = [GRANT, GRANT];
        const scene = openScene(reportsUse, filtersLog);
        const other = scene.store.seed(live('other', { remain: quota(100_000) }));
        const { cache, lose } = openCache(mode);
        for (const { units, byOther, event, amount = declared } of steps) {
          // A window begins with what the last one left, so that the last amount counts too.
          most = Math.max(enterNext(scene, budget) ? declared : most, amount);
          declared = amount;
          budget = budgetOf(given.kind, amount);
          if (event === 'off' || event === 'on') scene.isLogging = event === 'on';
          if (event === 'delete') drop(scene, () => true);
          if (event === 'delete older') drop(scene, (at) => at < scene.now - 2 * HOUR);
          if (event === 'rename') rename(scene, scene.id, `name-${scene.now}`);
          if (event === 'exchange') exchangeNames(scene, other);
          if (event === 'lose') lose();
          spend(scene, units);
          spend(scene, byOther, other);
          if (!hasIds) for (const entry of scene.store.log) Object.assign(entry, { keyId: undefined });
          await applyOnce(scene, budget, cache ? { usageCache: cache } : {});
          expect(remainOf(scene) + scene.spent).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 150, examples: [[lowered, cached]] },
    );
  });

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
        { codes, notes: codes.map(() => 'log-incomplete') },
        remain,
      ]);
      expect((await applyOnce(scene, daily, { ...more, assumeLogComplete: true })).codes).toEqual([]);
      expect(remainOf(scene)).toBe(GRANT);
    },
  );

  it('is filled up although the key is used after the log was read, and before the key was read again', async () => {
    const scene = openScene(true, false);
    spend(scene, 300);
    scene.now = MIDNIGHT + DAY + HOUR;
    scene.store.hook = (operation) => {
      if (operation === 'usage' && scene.store.calls.usage === 1) scene.store.spend(scene.id, 5);
    };
    expect(await applyOnce(scene, daily, {})).toEqual({ codes: [], notes: [] });
    expect(remainOf(scene)).toBe(GRANT - 5);
  });

  it('is raised by as much as its amount was raised since a run that somebody vouched for, without the log', async () => {
    const scene = openScene(false, false);
    scene.isLogging = false;
    const { cache } = openCache('kept');
    const more = cache ? { usageCache: cache } : {};
    const lifetime = (units: number): Budget => ({ kind: 'lifetime', amount: { quota: quota(units) } });
    await applyOnce(scene, lifetime(GRANT), { ...more, assumeLogComplete: true });
    scene.now += HOUR;
    spend(scene, 200);
    await applyOnce(scene, lifetime(GRANT + 500), more);
    expect(remainOf(scene)).toBe(GRANT + 500 - 200);
  });
});

describe('entries that prove nothing', () => {
  const daily = BUDGETS[0] as Budget;
  /** A key that spent 300 units in this window without an entry, next to one that had its name before. */
  function openUnlogged(filtersLog: boolean) {
    const scene = openScene(true, filtersLog);
    scene.now = MIDNIGHT - 3 * DAY;
    const other = scene.store.seed(live('b', { remain: quota(GRANT) }));
    return { scene, other };
  }
  function spendUnlogged(scene: Scene): void {
    scene.now = MIDNIGHT + HOUR;
    scene.isLogging = false;
    spend(scene, 300);
  }
  /** Requests of a key that is not declared: 500 entries, so that the newest pages do not show the rest. */
  function addTraffic({ store }: Scene): void {
    const id = store.seed(live('traffic', { remain: quota(GRANT) }));
    for (let n = 0; n < 500; n += 1) store.spend(id, 1);
  }
  const unproven = { codes: ['apply.budget-unverified'], notes: ['log-incomplete'] };

  it.each([
    ['without a key ID', false],
    ['that are summed up', true],
  ])('are those of a key that had the name before, %s', async (_, filtersLog) => {
    const { scene, other } = openUnlogged(filtersLog);
    exchangeNames(scene, other);
    scene.store.spend(other, 300);
    if (!filtersLog) for (const entry of scene.store.log) Object.assign(entry, { keyId: undefined });
    exchangeNames(scene, other);
    spendUnlogged(scene);
    if (filtersLog) addTraffic(scene);
    expect(await applyOnce(scene, daily, {})).toEqual(unproven);
    expect(remainOf(scene)).toBe(GRANT - 300);
  });

  it('are consumption that was given back, in sums that leave refunds out', async () => {
    const { scene } = openUnlogged(true);
    spend(scene, 300);
    scene.store.spend(scene.id, -300);
    scene.spent = 0;
    spendUnlogged(scene);
    addTraffic(scene);
    expect(await applyOnce(scene, daily, {})).toEqual(unproven);
    expect(remainOf(scene)).toBe(GRANT - 300);
  });
});
