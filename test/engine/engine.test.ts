import { describe, expect, it } from 'vitest';
import { type ApplyReport, decimalOf, Fault, type Plan } from '../../src/domain/index.ts';
import { createEngine, type Engine, type EngineEvent, type EngineOptions } from '../../src/engine/index.ts';
import { type HeldLock, type Lock, reportFaults } from '../../src/reconcile/index.ts';
import { journalMemory, openMemoryJournal } from '../contract/memory-journal.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { declare, declareNew, emptyAccount, live, NOW, state, verbs } from '../reconcile/account.ts';

const agree = async (): Promise<void> => {};
const disagree = async (): Promise<never> => {
  throw new Fault('guard.unconfirmed', 'no');
};

/** A lock that records what becomes of it. */
const lockIn = (events: string[], name: string, held: Partial<HeldLock> = {}): Lock => ({
  async acquire() {
    events.push(`${name}taken`);
    const release = async (): Promise<void> => void events.push(`${name}released`);
    return { waitedSeconds: 0, ensureHeld: async () => {}, release, ...held };
  },
});

/** An account with keys, its engine, the kinds of all events, and what became of the lock. */
async function openEngine(names: readonly string[], more: Partial<EngineOptions> = {}) {
  const store = emptyAccount();
  for (const name of names) await store.create(live(name));
  const events: EngineEvent['kind'][] = [];
  const locks: string[] = [];
  const keyplane = createEngine({
    store,
    now: () => NOW,
    concurrency: 4,
    onEvent: ({ kind }) => void events.push(kind),
    lock: lockIn(locks, ''),
    ...more,
  });
  const liveNames = () => [...store.records.values()].map(({ name }) => name);
  return { store, keyplane, events, locks, liveNames };
}

/** A manifest without keys, which owns these. */
const owning = (scope: string) => state([], { scope: [scope], prune: 'delete' });

const many = Array.from({ length: 10 }, (_, i) => `k${i}`);
const PRUNE_ALL = { maxDeletes: 10, allowLastKey: true } as const;
const pruning = { scope: ['*'], prune: 'delete' } as const;

describe('the engine', () => {
  it('plans and finds drift without a lock and without writing', async () => {
    const { keyplane, locks, liveNames } = await openEngine(['a']);
    const desired = state([declare('a', { group: 'vip' }), declare('b')]);
    const review = await keyplane.plan(desired);
    expect(verbs(review.plan)).toEqual(['create b', 'update a']);
    const limits = { low: { percent: 10 }, expiring: 86_400 };
    expect(await keyplane.drift(desired, { limits })).toMatchObject(review);
    expect([locks, liveNames()]).toEqual([[], ['a']]);
  });

  it('narrows a plan to the requested keys, and names globs that match none', async () => {
    const { keyplane } = await openEngine([]);
    const review = await keyplane.plan(state([declare('a'), declare('b')]), { only: ['a*', 'x*'] });
    expect([verbs(review.plan), review.unmatched]).toEqual([['create a'], ['x*']]);
  });

  it('locks, reads, shows the plan, confirms and applies, in this order', async () => {
    const { keyplane, events, locks, liveNames } = await openEngine([]);
    const report = await keyplane.apply(state([declareNew('a')]), {
      confirm: async () => expect([locks, events]).toEqual([['taken'], ['reading', 'read', 'planned']]),
    });
    expect(report.outcomes).toMatchObject([{ state: 'applied' }]);
    expect(events[3]).toBe('applying');
    expect([liveNames(), locks]).toEqual([['a'], ['taken', 'released']]);
  });

  it('asks for no confirmation when nothing is pending', async () => {
    const { keyplane } = await openEngine(['a']);
    const report = await keyplane.apply(state([declare('a')]), { confirm: disagree });
    expect(report.outcomes).toEqual([]);
  });

  it('writes nothing when nobody confirms, and releases the lock', async () => {
    const { keyplane, locks, liveNames } = await openEngine([]);
    const applied = keyplane.apply(state([declareNew('a')]), { confirm: disagree });
    await expect(applied).rejects.toMatchObject({ code: 'guard.unconfirmed' });
    expect([liveNames(), locks]).toEqual([[], ['taken', 'released']]);
  });

  it('refuses an unsafe plan after showing it and before asking', async () => {
    const { keyplane, events, liveNames } = await openEngine(many);
    await expect(keyplane.apply(state([], pruning), { confirm: agree })).rejects.toMatchObject({
      code: 'guard.mass-change',
      detail: { refusals: [{ code: 'guard.mass-change', data: { count: 10 } }, { code: 'guard.last-key' }] },
    });
    expect(events).toEqual(['reading', 'read', 'planned']);
    expect(liveNames()).toHaveLength(10);
  });

  it('applies an unsafe plan within the limits of the request', async () => {
    const { keyplane, liveNames } = await openEngine(many);
    await keyplane.apply(state([], pruning), { confirm: agree, allow: PRUNE_ALL });
    expect(liveNames()).toEqual([]);
  });

  it('destroys keys without reading what they spent, whatever their budgets are', async () => {
    const { store, keyplane, liveNames } = await openEngine(['a', 'b', 'c']);
    const tiny = { usd: decimalOf(0.0000001) };
    const desired = state([
      declare('a', { budget: { kind: 'initial', amount: tiny } }),
      declare('b', { budget: { kind: 'window', amount: tiny, per: 'month' } }),
      declare('c', { rotate: { every: 60, overlap: 10, overlapBudget: tiny } }),
    ]);
    await keyplane.destroy(desired, { confirm: agree, allow: PRUNE_ALL });
    expect([liveNames(), store.calls.usage]).toEqual([[], undefined]);
  });

  it('destroys the keys that the desired state owns', async () => {
    const { keyplane, liveNames } = await openEngine(['a', 'b']);
    await keyplane.destroy(state([declare('a')]), { confirm: agree });
    expect(liveNames()).toEqual(['b']);
  });

  it.each<[string, readonly string[], (keyplane: Engine) => Promise<ApplyReport>]>([
    ['destruction', ['a', 'c'], (keyplane) => keyplane.destroy(owning('*'), { confirm: agree })],
    ['destruction of it alone', [], (keyplane) => keyplane.destroy(owning('b'), { confirm: agree })],
    ['apply that prunes', ['a', 'c'], (keyplane) => keyplane.apply(owning('*'), { confirm: agree, allow: PRUNE_ALL })],
  ])('reports a key that the list before it missed: %s', async (_run, deleted, run) => {
    const { store, keyplane } = await openEngine(['a', 'b', 'c']);
    const walk = store.walk.bind(store);
    // Without a total, nothing shows that the first list lacks a key.
    store.walk = async () => (await walk()).filter(({ name }) => (store.calls.walk ?? 0) > 1 || name !== 'b');
    const report = await run(keyplane);
    expect(report.outcomes.map(({ state, change }) => `${state} ${change.name}`).sort()).toEqual(
      deleted.map((name) => `applied ${name}`),
    );
    expect(verbs(report.after as Plan)).toEqual(['delete b']);
    expect(reportFaults(report)).toMatchObject([{ code: 'apply.not-converged' }]);
  });

  it('checks the keys that it wrote, by name, with their plan', async () => {
    const { keyplane } = await openEngine(['a']);
    const checked: unknown[] = [];
    await keyplane.apply(state([declare('a'), declareNew('b')]), {
      confirm: agree,
      check: async (names, plan) => {
        checked.push([names, verbs(plan)]);
        return undefined;
      },
    });
    expect(checked).toEqual([[['b'], ['create b', 'keep a']]]);
  });

  it.each<[string, (keyplane: Engine) => Promise<unknown>]>([
    ['plan', (keyplane) => keyplane.plan(state([]))],
    ['apply', (keyplane) => keyplane.apply(state([]), { confirm: agree })],
    ['destroy', (keyplane) => keyplane.destroy(state([]), { confirm: agree })],
  ])('neither locks nor reads the account of another user: %s', async (_verb, run) => {
    const store = emptyAccount({ owner: 7 });
    const { keyplane, locks } = await openEngine([], { store });
    await expect(run(keyplane)).rejects.toMatchObject({ code: 'credentials.other-account' });
    expect([locks, store.calls]).toEqual([[], {}]);
  });

  it('reads nothing when another run holds the lock', async () => {
    const locked = new Fault('apply.locked', 'busy');
    const { keyplane, events } = await openEngine([], { lock: { acquire: () => Promise.reject(locked) } });
    await expect(keyplane.apply(state([]), { confirm: agree })).rejects.toBe(locked);
    expect(events).toEqual([]);
  });
});

describe('the claim of a run', () => {
  /** An engine with a claim, and what became of it. */
  async function openClaiming(
    names: readonly string[],
    held: Partial<HeldLock> = {},
    more: Partial<EngineOptions> = {},
  ) {
    const claims: string[] = [];
    const engine = await openEngine(names, { claim: lockIn(claims, 'claim ', held), ...more });
    return { ...engine, claims };
  }

  it('is taken after the account was read, before anybody is asked, and released at the end', async () => {
    const { keyplane, claims } = await openClaiming([]);
    await keyplane.apply(state([declareNew('a')]), { confirm: async () => expect(claims).toEqual(['claim taken']) });
    expect(claims).toEqual(['claim taken', 'claim released']);
  });

  it('is not taken when nothing is pending, or when the plan is refused', async () => {
    const { keyplane, claims } = await openClaiming(many);
    await keyplane.apply(state(many.map((name) => declare(name))), { confirm: disagree });
    await expect(keyplane.apply(state([], pruning), { confirm: agree })).rejects.toMatchObject({
      code: 'guard.mass-change',
    });
    expect(claims).toEqual([]);
  });

  it('is taken before the account is read when an earlier run left creates unanswered', async () => {
    const memory = journalMemory();
    await openMemoryJournal(memory, () => NOW).record([{ name: 'a', digest: 'sha256:0', enabled: true }], 0);
    const late = { journal: openMemoryJournal(memory, () => NOW), settle: 0, wait: async () => {} };
    const { store, keyplane, claims } = await openClaiming(['a'], {}, { late });
    store.hook = () => expect(claims).toEqual(['claim taken']);
    await keyplane.apply(state([declare('a')]), { confirm: disagree });
    expect(claims).toEqual(['claim taken', 'claim released']);
  });

  it('is left when an interruption ends the run before it knows what became of its creates', async () => {
    const memory = journalMemory();
    const late = { journal: openMemoryJournal(memory, () => NOW), settle: 120, wait: async () => {} };
    for (const isLost of [true, false]) {
      const controller = new AbortController();
      const leave = (): void => void claims.push('claim left');
      const { store, keyplane, claims } = await openClaiming([], { leave }, { late, signal: controller.signal });
      store.hook = (operation) => {
        if (operation !== 'create') return;
        controller.abort();
        if (isLost) throw new Fault('gateway.timeout', 'on purpose');
      };
      await keyplane.apply(state([declareNew(isLost ? 'lost' : 'made')]), { confirm: agree });
      expect(claims).toEqual(['claim taken', isLost ? 'claim left' : 'claim released']);
      await late.journal.forget(['lost']);
    }
  });

  it('is released after an interruption when only creates of an earlier run are recorded that can no longer take effect', async () => {
    const memory = journalMemory();
    await openMemoryJournal(memory, () => NOW - 3600).record([{ name: 'old', digest: 'sha256:0', enabled: true }], 0);
    const controller = new AbortController();
    const leave = (): void => void claims.push('claim left');
    const late = { journal: openMemoryJournal(memory, () => NOW), settle: 120, wait: async () => {} };
    const { store, keyplane, claims } = await openClaiming(['old'], { leave }, { late, signal: controller.signal });
    store.hook = (operation) => {
      if (operation === 'create') controller.abort();
    };
    await keyplane.apply(state([declare('old'), declareNew('made')]), { confirm: agree });
    expect(claims).toEqual(['claim taken', 'claim released']);
  });

  it.each([
    ['997 keys', 997, {}, ['claim taken', 'claim released'], 0],
    ['998 keys', 998, {}, [], 1],
    [
      '998 keys, and an earlier run that left creates unanswered',
      998,
      { late: true },
      ['claim taken', 'claim released'],
      1,
    ],
    ['1,000 keys, so that the limit must be another', 1000, {}, ['claim taken', 'claim released'], 0],
  ])(
    'leaves the last places of an account to the new key: %s',
    async (_, count, { late }: { late?: boolean }, taken, warned) => {
      const memory = journalMemory();
      const journal = openMemoryJournal(memory, () => NOW);
      if (late) await journal.record([{ name: 'old-1', digest: 'sha256:0', enabled: true }], 0);
      let warnings = 0;
      const onNoRoom = (): void => {
        warnings += 1;
      };
      const names = Array.from({ length: count }, (_each, i) => `old-${i}`);
      const { keyplane, claims, liveNames, store } = await openClaiming(
        names,
        {},
        { onNoRoom, ...(late && { late: { journal, settle: 0, wait: async () => {} } }) },
      );
      store.hook = (operation) => {
        if (operation === 'create' && warned) expect(claims.at(-1)).not.toBe('claim taken');
      };
      await keyplane.apply(state([declareNew('new')]), { confirm: agree });
      expect(liveNames()).toContain('new');
      expect([claims, warnings]).toEqual([taken, warned]);
    },
  );

  it('makes the run read and plan again when another run held it', async () => {
    const { store, keyplane, claims, events } = await openClaiming(['a'], { waitedSeconds: 1 });
    const desired = state([declare('a', { group: 'vip' })]);
    let walks = 0;
    store.hook = (operation) => {
      if (operation !== 'walk') return;
      walks += 1;
      // The other run has made the change meanwhile.
      if (walks === 2) for (const record of store.records.values()) record.group = 'vip';
    };
    const report = await keyplane.apply(desired, { confirm: disagree });
    expect(report.outcomes).toEqual([]);
    expect(events).toEqual(['reading', 'read', 'reading', 'read', 'planned', 'applying']);
    expect(claims).toEqual(['claim taken', 'claim released']);
  });

  it('makes the run resume a saved plan again when another run held it', async () => {
    const { store, keyplane } = await openClaiming(['a'], { waitedSeconds: 1 });
    const desired = state([declare('a', { group: 'vip' })]);
    const { plan: saved } = await keyplane.plan(desired);
    store.calls.walk = 0;
    store.hook = () => {
      if (store.calls.walk === 2) for (const record of store.records.values()) record.group = 'other';
    };
    await expect(keyplane.apply(desired, { saved, confirm: agree })).rejects.toMatchObject({ code: 'plan.stale' });
    expect([...store.records.values()]).toMatchObject([{ group: 'other' }]);
  });

  it.each(['lock', 'claim'] as const)(
    'apply.lock-lost: ends the run where its %s is lost, and the report contains it',
    async (which) => {
      let writes = 0;
      const ensureHeld = async (): Promise<void> => {
        if (writes >= 2) throw new Fault('apply.lock-lost', 'gone');
      };
      const more = { concurrency: 1, [which]: lockIn([], '', { ensureHeld }) };
      const { store, keyplane, liveNames } = await openClaiming([], {}, more);
      store.hook = (operation) => {
        if (operation === 'create') writes += 1;
      };
      const report = await keyplane.apply(state(many.map((name) => declareNew(name))), { confirm: agree });
      expect(liveNames()).toEqual(['k0', 'k1']);
      expect(report.fatal).toMatchObject({ code: 'apply.lock-lost' });
      expect(reportFaults(report).map(({ code }) => code)).toEqual(['apply.incomplete', 'apply.lock-lost']);
      expect(report.outcomes.filter(({ state: outcome }) => outcome === 'skipped')).toHaveLength(8);
    },
  );
});

describe('a saved plan', () => {
  const desired = state([declare('a', { group: 'vip' })]);

  const manifest = { digest: 'sha256:1', commit: '0123456789abcdef' };

  it('is applied with the desired state that it was made from', async () => {
    const { store, keyplane } = await openEngine(['a']);
    const { plan: saved } = await keyplane.plan(desired, { manifest });
    const report = await keyplane.apply(desired, { saved, manifest, confirm: agree });
    expect(report.outcomes.map(({ change }) => change.name)).toEqual(['a']);
    expect([...store.records.values()]).toMatchObject([{ name: 'a', group: 'vip' }]);
  });

  it('plan.other-manifest: is refused with another manifest', async () => {
    const { store, keyplane } = await openEngine(['a']);
    const { plan: saved } = await keyplane.plan(desired, { manifest });
    const other = { saved, manifest: { digest: 'sha256:2' }, confirm: agree };
    await expect(keyplane.apply(desired, other)).rejects.toMatchObject({
      code: 'plan.other-manifest',
      message: 'The manifest is not the one that the saved plan was made from (commit 0123456789ab).',
      detail: { planned: 'sha256:1', found: 'sha256:2' },
    });
    expect([...store.records.values()]).toMatchObject([{ group: 'default' }]);
  });

  it('is stale when the desired state is another, whatever its manifest', async () => {
    const { keyplane } = await openEngine(['a']);
    const { plan: saved } = await keyplane.plan(desired);
    for (const other of [state([declare('other')]), state([declare('a', { group: 'default' })]), state([])]) {
      await expect(keyplane.apply(other, { saved, confirm: agree })).rejects.toMatchObject({ code: 'plan.stale' });
    }
  });

  it('plan.foreign: is refused for another account', async () => {
    const { keyplane } = await openEngine(['a']);
    const { plan } = await keyplane.plan(desired);
    const saved = { ...plan, account: { ...plan.account, userId: plan.account.userId + 1 } };
    await expect(keyplane.apply(desired, { saved, confirm: agree })).rejects.toMatchObject({ code: 'plan.foreign' });
  });

  it('plan.stale: is refused when a key has changed since', async () => {
    const { store, keyplane } = await openEngine(['a']);
    const { plan: saved } = await keyplane.plan(desired);
    for (const record of store.records.values()) record.group = 'other';
    await expect(keyplane.apply(desired, { saved, confirm: agree })).rejects.toMatchObject({
      code: 'plan.stale',
      detail: { moved: [{ name: 'a' }] },
    });
  });

  it('plan.stale and plan.foreign: keep every name and address on its own line of the message', async () => {
    const hostile = 'a\nerror: forged\u001b[31m';
    const { store, keyplane } = await openEngine([hostile]);
    const prunes = state([], pruning);
    const { plan: saved } = await keyplane.plan(prunes);
    for (const record of store.records.values()) record.group = 'other';
    const stale: Fault = await keyplane.apply(prunes, { saved, confirm: agree }).catch((thrown) => thrown);
    expect(stale.message.split('\n')).toEqual([
      expect.any(String),
      expect.stringContaining('- a\\u{a}error: forged\\u{1b}'),
    ]);
    const foreign = { ...saved, account: { ...saved.account, url: `https://elsewhere.example\nforged` } };
    const refused: Fault = await keyplane.apply(prunes, { saved: foreign, confirm: agree }).catch((thrown) => thrown);
    expect(refused.code).toBe('plan.foreign');
    expect(refused.message).not.toContain('\n');
  });
});

describe('a key that an earlier run created and could not disable', () => {
  /** A manifest that disables two of three keys: by the guard, one may end. */
  const desired = state([
    declare('on'),
    declare('due', { enabled: false }),
    declareNew('born-off', { enabled: false }),
  ]);

  const engineOf = (store: MemoryStore, journals = journalMemory()) => {
    const late = { journal: openMemoryJournal(journals, () => NOW), settle: 0, wait: agree };
    return createEngine({ store, now: () => NOW, concurrency: 4, late });
  };

  /** Applies with every disable refused, then opens the engine of the next run. */
  async function leave() {
    const store = emptyAccount({ reportsUse: true });
    const journals = journalMemory();
    for (const name of ['on', 'due']) store.seed(live(name));
    store.hook = (operation) => {
      if (operation === 'setEnabled') throw new Fault('gateway.refused', 'no');
    };
    const { outcomes } = await engineOf(store, journals).apply(desired, { confirm: agree });
    expect(outcomes.map(({ state, change }) => `${change.name} ${state}`)).toContain('born-off left-enabled');
    store.hook = () => {};
    return { store, keyplane: engineOf(store, journals) };
  }

  it('is disabled by the next run, and does not count among the keys that end', async () => {
    const { store, keyplane } = await leave();
    expect(await keyplane.plan(desired)).toMatchObject({ refusals: [] });
    await keyplane.apply(desired, { confirm: agree });
    expect([...store.records.values()].map(({ name, status }) => `${name} ${status}`)).toEqual([
      'on 1',
      'due 2',
      'born-off 2',
    ]);
  });

  it('counts if nothing shows which run created it', async () => {
    const { store } = await leave();
    const { refusals } = await engineOf(store).plan(desired);
    expect(refusals).toMatchObject([{ code: 'guard.mass-change', data: { count: 2 } }]);
  });

  it('counts once somebody uses it', async () => {
    const { store, keyplane } = await leave();
    const born = [...store.records.values()].find(({ name }) => name === 'born-off');
    if (born) born.used_quota = 1;
    expect((await keyplane.plan(desired)).refusals).toMatchObject([{ data: { count: 2 } }]);
  });
});
