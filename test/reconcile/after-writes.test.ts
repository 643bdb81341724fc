import { describe, expect, it } from 'vitest';
import { type DesiredState, Fault, keyId, keyName, pendingChanges, quota } from '../../src/domain/index.ts';
import {
  type ApplyOptions,
  apply,
  isConverged,
  narrow,
  observe,
  plan,
  reportFaults,
  type UsageCache,
  type UsageMemory,
} from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { declare, declareNew, emptyAccount, live, NOW, state, TRUSTED, verbs } from './account.ts';
import { failing, states } from './going-wrong.ts';
import { checksWith } from './report-text.ts';

const lifetime = (units: number) => ({ kind: 'lifetime', amount: { quota: quota(units) } }) as const;
const UPDATED = state([declare('a', { budget: lifetime(1000), group: 'vip' })]);

/** Key 1, `a`, holds 1,000 units; `meanwhile` acts between plan and apply. */
async function run(
  desired: DesiredState,
  {
    meanwhile = () => {},
    arrange = () => {},
    ...more
  }: Partial<ApplyOptions> & { meanwhile?: (store: MemoryStore) => void; arrange?: (store: MemoryStore) => void } = {},
  store = emptyAccount(),
) {
  store.seed(live('a', { remain: quota(1000) }));
  const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
  const made = plan(desired, observed, NOW);
  const before = store.calls.usage ?? 0;
  meanwhile(store);
  arrange(store);
  const report = await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1, ...TRUSTED, ...more });
  return { store, report, pages: (store.calls.usage ?? 0) - before };
}

const during =
  (operation: string, act: (store: MemoryStore) => void) =>
  (store: MemoryStore): void => {
    let done = false;
    store.hook = (entered) => {
      if (entered !== operation || done) return;
      done = true;
      act(store);
    };
  };

const spending = (units: number) => (store: MemoryStore) => store.spend(keyId(1), units);

describe('the usage log', () => {
  it.each<[string, Parameters<typeof run>[1], number]>([
    ['is read around the writes where nothing was spent', {}, 3],
    ['is read again for what was spent since the plan', { meanwhile: spending(7) }, 4],
    ['is read again for what was spent during the write', { arrange: during('update', spending(7)) }, 6],
    ['is read again after checks, which spend', { prove: async () => checksWith(['passed']) }, 4],
  ])('%s', async (_, more, pages) => {
    const made = await run(UPDATED, more);
    expect([made.pages, reportFaults(made.report), verbs(made.report.after ?? { changes: [] })]).toEqual([
      pages,
      [],
      ['keep a'],
    ]);
  });

  it('is read again when somebody grants as much as was spent', async () => {
    const meanwhile = (store: MemoryStore): void => {
      store.spend(keyId(1), 7);
      Object.assign(store.records.get(1) ?? {}, { remain_quota: 1000 });
    };
    const { report } = await run(UPDATED, { meanwhile });
    expect(pendingChanges(report.after ?? { changes: [] })).toMatchObject([
      { name: 'a', edits: [{ field: 'remain', after: 993 }] },
    ]);
  });

  it('ends the run when its credentials are refused', async () => {
    const store = emptyAccount();
    const { report } = await run(
      UPDATED,
      {
        arrange: (s) => {
          s.hook = (operation) => {
            if (operation !== 'usage' || !s.calls.update) return;
            s.hook = () => {};
            throw new Fault('credentials.refused', 'no');
          };
        },
      },
      store,
    );
    expect([report.fatal?.code, report.unverified]).toEqual(['credentials.refused', ['a']]);
  });
});

describe('what the log shows only by name', () => {
  const nameless = (name: string) =>
    during('update', (store) => {
      store.spend(keyId(1), 70);
      store.log[0] = { ...store.log[0], identity: 'x', at: NOW, keyId: undefined, keyName: name, spent: quota(70) };
    });
  it.each<[string, DesiredState, string]>([
    ['an updated key', UPDATED, 'a'],
    ['a renamed key, under its old name', state([declare('b', { renamedFrom: keyName('a') })]), 'a'],
    ['a renamed key, under its new name', state([declare('b', { renamedFrom: keyName('a') })]), 'b'],
  ])('is taken back from %s', async (_, desired, name) => {
    const { store, report } = await run(desired, { arrange: nameless(name) });
    expect(report.corrections).toMatchObject([{ id: 1, units: 70, takenBack: true }]);
    expect(store.records.get(1)?.remain_quota).toBe(930);
  });
});

describe('the use of a key that is reported only when the plan is made', () => {
  it('is taken from its remainder, and its budget is reported as unverified', async () => {
    const reporting = emptyAccount({ reportsUse: true });
    reporting.seed(live('a', { remain: quota(1000) }));
    const desired = state([declare('a', { budget: lifetime(1500) })]);
    const observed = await observe(reporting, desired, { now: NOW, ...TRUSTED });
    const made = plan(desired, observed, NOW);
    const store = emptyAccount();
    store.seed(live('a', { remain: quota(1000) }));
    store.spend(keyId(1), 100);
    const report = await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1, ...TRUSTED });
    expect([store.records.get(1)?.remain_quota, report.unverified]).toEqual([1400, ['a']]);
  });
});

describe('the plan made again', () => {
  const raised = state([declare('a', { budget: lifetime(1500) })]);

  it.each([
    [100, true],
    [600, true],
    [600, false],
  ])('does not take %i units spent at the end for a missing refill (use reported: %s)', async (units, reportsUse) => {
    const { report } = await run(raised, { arrange: during('walk', spending(units)) }, emptyAccount({ reportsUse }));
    expect([verbs(report.after ?? { changes: [] }), reportFaults(report)]).toEqual([['keep a'], []]);
  });

  it('is about the keys of the plan alone', async () => {
    const store = emptyAccount();
    for (const name of ['a', 'b']) store.seed(live(name));
    const desired = state([declare('a', { group: 'vip' }), declare('b', { group: 'vip' }), declareNew('c')]);
    const observed = await observe(store, desired, { now: NOW });
    const made = narrow(plan(desired, observed, NOW), { names: ['a'] });
    const options = { observed, desired, now: () => NOW, concurrency: 1 };
    const report = await apply(made, store, options);
    expect(report.after && verbs(report.after)).toEqual(['keep a']);
    const late = state([declare('a', { group: 'vip', crossGroupRetry: true }), declare('b', { group: 'vip' })]);
    const leftOut = new Set(['update 1']);
    const again = await apply(
      { ...made, changes: plan(desired, await observe(store, desired, { now: NOW }), NOW).changes },
      store,
      { ...options, desired: late, leftOut },
    );
    expect(again.after && verbs(again.after)).toEqual(['keep b']);
  });

  it.each([{}, { models: ['m'] }])('knows the groups and models that the run knew (%o)', async (known) => {
    const store = emptyAccount(known);
    const arrange = () => {
      store.hook = (operation) => {
        if (operation === 'walk') Object.assign(store.records.get(1) ?? {}, { group: 'default', model_limits: '' });
      };
    };
    const desired = state([declare('a', { group: 'vip', models: ['m'] })]);
    const { report } = await run(desired, { arrange }, store);
    expect(report.after && verbs(report.after)).toEqual(['update a']);
    expect(report.after?.notes.map(({ code }) => code)).toEqual('models' in known ? [] : ['models-unverified']);
    expect(reportFaults(report).map(({ code }) => code)).toEqual(['apply.not-kept']);
    expect([store.calls.groups, store.calls.models]).toEqual([1, 1]);
  });

  it('keeps what was unverified before', async () => {
    const store = emptyAccount();
    store.seed(live('a', { remain: quota(1000) }));
    const seen = await observe(store, UPDATED, { now: NOW, ...TRUSTED });
    const observed = { ...seen, unverified: new Map([[keyId(1), 'busy' as const]]) };
    const made = plan(UPDATED, observed, NOW);
    const report = await apply(made, store, { observed, desired: UPDATED, now: () => NOW, concurrency: 1, ...TRUSTED });
    expect(states(report)).toEqual(['update a: applied']);
    expect(reportFaults(report)).toMatchObject([{ code: 'apply.budget-unverified', detail: { names: ['a'] } }]);
    expect(isConverged(report)).toBeNull();
  });

  it('reads no more pages of the log than the run may', async () => {
    const store = emptyAccount();
    const long = (s: MemoryStore) => {
      for (let n = 0; n < 300; n += 1) s.spend(keyId(1), 1);
    };
    const { report } = await run(UPDATED, { meanwhile: long, maxLogPages: 2 }, store);
    expect([states(report), report.fatal?.code]).toEqual([['update a: applied'], 'plan.usage-too-long']);
  });

  it('reports a refill that the gateway drops as not converged', async () => {
    const store = emptyAccount();
    const dropping = () => {
      store.hook = (operation) =>
        operation === 'walk' && Object.assign(store.records.get(1) ?? {}, { remain_quota: 1000 });
    };
    const { report } = await run(raised, { arrange: dropping }, store);
    expect(reportFaults(report).map(({ code }) => code)).toEqual(['apply.not-converged']);
  });

  it('shows what a saved plan still has to do, and nothing that failed', async () => {
    const store = emptyAccount();
    const desired = state([
      declare('a', { group: 'vip' }),
      declareNew('new'),
      declare('b', { enabled: false }),
      declare('c', { group: 'vip' }),
    ]);
    for (const name of ['a', 'b', 'c']) store.seed(live(name));
    const made = plan(desired, await observe(store, desired, { now: NOW }), NOW);
    const observed = await observe(store, state([]), { now: NOW });
    store.hook = failing('update', 'gateway.refused', (n) => n === 1);
    const walk = store.walk.bind(store);
    // The other keys vanish once they were written.
    store.walk = async () => {
      if (store.calls.update === 2) for (const id of [2, 3, 4]) store.records.delete(id);
      return walk();
    };
    const report = await apply(made, store, { observed, now: () => NOW, concurrency: 1 });
    expect(states(report)).toEqual([
      'disable b: applied',
      'create new: applied',
      'update a: failed',
      'update c: applied',
    ]);
    expect(report.after && verbs(report.after)).toEqual(['disable b', 'create new', 'update c']);
  });
});

describe('the cache of the usage', () => {
  it('remembers the raises of a run before they are written', async () => {
    let memory: UsageMemory | undefined;
    const usageCache: UsageCache = {
      load: async () => memory,
      save: async (saved) => {
        memory = saved;
      },
    };
    const window = { kind: 'window', amount: { quota: quota(1500) }, per: 'hour' } as const;
    const desired = state([declare('a', { budget: window, group: 'vip' })]);
    const store = emptyAccount();
    store.seed(live('a', { remain: quota(1000) }));
    const observed = await observe(store, desired, { now: NOW, clock: () => NOW + 5, usageCache, ...TRUSTED });
    expect(memory?.keys.get(keyId(1))?.latest.at).toBe(NOW + 5);
    const remembered = () => memory?.keys.get(keyId(1))?.latest.remain;
    const before = remembered();
    const made = plan(desired, observed, NOW);
    const seen: unknown[] = [];
    store.hook = (operation) => operation === 'update' && seen.push(remembered());
    await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1, usageCache, ...TRUSTED });
    expect([before, seen, pendingChanges(made).length]).toEqual([1000, [1500], 1]);
  });
});
