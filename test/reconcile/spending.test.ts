import { describe, expect, it } from 'vitest';
import { type Budget, Fault, keyId, keyName, pendingChanges, quota } from '../../src/domain/index.ts';
import { apply, observe, plan, reportFaults } from '../../src/reconcile/index.ts';
import { applied, declare, emptyAccount, live, NOW, state, TRUSTED } from './account.ts';

describe('what a key spends while it is updated', () => {
  const racing = (reportsUse: boolean, used = 0) => {
    const store = emptyAccount({ reportsUse });
    const id = store.seed(live('a', { remain: quota(1000) }), { used });
    return { store, id };
  };

  it.each([true, false])('between plan and read is not given back (use reported: %s)', async (reportsUse) => {
    const { store, id } = racing(reportsUse);
    const desired = state([declare('a', { budget: { kind: 'lifetime', amount: { quota: quota(1500) } } })]);
    const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
    const made = plan(desired, observed, NOW);
    store.spend(id, 100);
    await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1, ...TRUSTED });
    expect(store.records.get(id)?.remain_quota).toBe(1400);
  });

  it.each([
    [true, 0],
    [true, 300],
    [false, 0],
  ])(
    'between read and write is taken back immediately and reported (use reported: %s, before: %i)',
    async (reportsUse, used) => {
      const { store, id } = racing(reportsUse, used);
      store.hook = (operation) => {
        if (operation === 'update' && store.calls.update === 1) store.spend(id, 70);
      };
      const report = await applied(store, state([declare('a', { group: 'vip' })]));
      expect(report.corrections).toEqual([{ id, name: 'a', units: 70, takenBack: true }]);
      expect(store.records.get(id)).toMatchObject({ remain_quota: 930, group: 'vip' });
    },
  );

  it.each([
    ['before the writes', 1],
    ['after them', 2],
  ])('is reported when the log cannot be read %s', async (_, reading) => {
    const { store, id } = racing(false);
    let readings = 0;
    store.hook = (operation) => {
      if (operation === 'update') store.spend(id, 70);
      if (operation === 'usage') readings += 1;
      if (operation === 'usage' && readings === reading) throw new Fault('gateway.unavailable', 'on purpose');
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.outcomes).toMatchObject([{ state: 'applied' }]);
    expect(reportFaults(report)).toMatchObject([{ code: 'apply.budget-unverified', detail: { names: ['a'] } }]);
  });

  it('between plan and read differs from a grant by the use, and the grant is kept', async () => {
    const { store, id } = racing(true);
    const desired = state([declare('a', { budget: { kind: 'lifetime', amount: { quota: quota(1500) } } })]);
    const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
    const made = plan(desired, observed, NOW);
    store.spend(id, 100);
    Object.assign(store.records.get(id) ?? {}, { remain_quota: 950 });
    const report = await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1, ...TRUSTED });
    expect(report.outcomes).toMatchObject([{ state: 'skipped', code: 'plan.stale' }]);
    expect(store.records.get(id)?.remain_quota).toBe(950);
  });

  it.each([0, 300])('between write and read-back was never given back (used before: %i)', async (used) => {
    const { store, id } = racing(true, used);
    store.hook = (operation) => operation === 'readMany' && store.spend(id, 70);
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toEqual([]);
    expect(store.records.get(id)?.remain_quota).toBe(930);
  });

  it.each([true, false])('is taken back from a key that is renamed (use reported: %s)', async (reportsUse) => {
    const { store, id } = racing(reportsUse);
    store.hook = (operation) => operation === 'update' && store.calls.update === 1 && store.spend(id, 70);
    const report = await applied(store, state([declare('b', { renamedFrom: keyName('a') })]));
    expect(report.corrections).toEqual([{ id, name: 'b', units: 70, takenBack: true }]);
  });

  it('is taken back from a key that just got its limit', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a', { unlimited: true, remain: quota(0) }));
    store.hook = (operation) => operation === 'update' && store.calls.update === 1 && store.spend(id, 70);
    const budget = { kind: 'lifetime', amount: { quota: quota(1000) } } as const;
    const report = await applied(store, state([declare('a', { budget })]));
    expect(report.corrections).toEqual([{ id, name: 'a', units: 70, takenBack: true }]);
    expect(store.records.get(id)?.remain_quota).toBe(930);
  });

  it('is nobody’s concern for a key without a limit', async () => {
    const store = emptyAccount({ reportsUse: true });
    const id = store.seed(live('a', { unlimited: true, remain: quota(1000) }));
    store.hook = (operation) => operation === 'update' && store.spend(id, 70);
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toEqual([]);
    expect(store.calls.update).toBe(1);
  });

  it('again while it is taken back: the rounds go on', async () => {
    const { store, id } = racing(true);
    store.hook = (operation) => {
      if (operation === 'update' && (store.calls.update ?? 0) <= 2) store.spend(id, 10);
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toMatchObject([{ takenBack: true }]);
    expect(store.records.get(id)?.remain_quota).toBe(980);
  });

  it('with every write: after three rounds the rest is reported', async () => {
    const { store, id } = racing(true);
    store.hook = (operation) => operation === 'update' && store.spend(id, 10);
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toMatchObject([{ id, units: 10, takenBack: false }]);
    expect(store.calls.update).toBe(1 + 3);
  });

  it('and the key vanishes while it is taken back: that is reported', async () => {
    const { store, id } = racing(true);
    store.hook = (operation) => {
      if (operation === 'update' && store.calls.update === 1) store.spend(id, 70);
      if (operation === 'tryRead' && store.calls.update === 2) store.records.delete(id);
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toEqual([{ id, name: 'a', units: 70, takenBack: false }]);
  });

  it.each([
    [4_999, true],
    [5_000, false],
  ])('is taken back by up to 50 pages of the log, and reported beyond (%i entries)', async (entries, takenBack) => {
    const { store, id } = racing(false);
    Object.assign(store.records.get(id) ?? {}, { remain_quota: 10_000 });
    store.spend(id, 1);
    store.hook = (operation) => {
      if (operation === 'update' && store.calls.update === 1) for (let n = 0; n < entries; n += 1) store.spend(id, 1);
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toEqual([{ id, name: 'a', units: entries, takenBack }]);
  });

  it('does not cause a read of the log for a key without a limit, and only before the write where nothing was written', async () => {
    const store = emptyAccount();
    store.seed(live('a', { unlimited: true }));
    store.seed(live('b'));
    await applied(store, state([declare('a', { group: 'vip' }), declare('b', { budget: { kind: 'unlimited' } })]));
    expect(store.calls.usage).toBeUndefined();
    store.seed(live('c'));
    store.hook = (operation) => {
      if (operation === 'update') throw new Fault('gateway.refused', 'on purpose');
    };
    await applied(store, state([declare('c', { group: 'vip' })]));
    expect(store.calls.usage).toBe(2);
  });

  it('does not keep a key from being updated where the log cannot be read', async () => {
    const { store } = racing(false);
    store.hook = (operation) => {
      if (operation === 'usage') throw new Fault('gateway.unavailable', 'on purpose');
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.outcomes).toMatchObject([{ state: 'applied' }]);
    expect(reportFaults(report).map(({ code }) => code)).toEqual(['apply.budget-unverified']);
    expect(store.calls.usage).toBe(1);
  });

  it('between plan and read is not given back, although the gateway reports the use only since then', async () => {
    const [then, now] = [racing(false), racing(true)];
    const desired = state([declare('a', { budget: { kind: 'lifetime', amount: { quota: quota(1500) } } })]);
    const observed = await observe(then.store, desired, { now: NOW, ...TRUSTED });
    now.store.spend(now.id, 100);
    const made = plan(desired, observed, NOW);
    await apply(made, now.store, { observed, desired, now: () => NOW, concurrency: 1, ...TRUSTED });
    expect(now.store.records.get(now.id)?.remain_quota).toBe(1400);
  });

  it('that cannot be taken back is reported', async () => {
    const { store, id } = racing(true);
    store.hook = (operation) => {
      if (operation !== 'update') return;
      if (store.calls.update === 1) store.spend(id, 70);
      else throw new Fault('gateway.refused', 'no');
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toEqual([{ id, name: 'a', units: 70, takenBack: false }]);
  });

  it('a grant that someone else made meanwhile is left alone where only the log shows the use', async () => {
    const { store, id } = racing(false);
    store.hook = (operation) => {
      const record = store.records.get(id);
      if (operation === 'update' && store.calls.update === 1 && record) store.spend(id, 5);
      if (operation === 'usage' && store.calls.update === 1 && record) record.remain_quota = 9000;
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toMatchObject([{ units: 5 }]);
  });

  it.each([0, 5])(
    'a grant that someone else made meanwhile is left alone where the use is reported (spent: %i)',
    async (spent) => {
      const { store, id } = racing(true);
      store.hook = (operation) => {
        const record = store.records.get(id);
        if (operation === 'update' && store.calls.update === 1 && spent > 0) store.spend(id, spent);
        if (operation === 'readMany' && record) record.remain_quota += 9000;
      };
      const report = await applied(store, state([declare('a', { group: 'vip' })]));
      expect(report.corrections.map(({ units }) => units)).toEqual(spent > 0 ? [spent] : []);
      expect(store.records.get(id)?.remain_quota).toBe(10_000 - spent);
    },
  );

  it('an overdrawn limited key is written with 0, because less would be refused', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a', { remain: quota(-5) }));
    expect(reportFaults(await applied(store, state([declare('a', { group: 'vip' })])))[0]).toBeUndefined();
    expect(store.records.get(id)).toMatchObject({ remain_quota: 0, group: 'vip' });
  });
});

describe('what moves between a write and its verification', () => {
  const amount = { quota: quota(1000) };
  const HOURLY: Budget = { kind: 'window', amount, per: 'hour' };
  const TOP_UP: Budget = { kind: 'top-up', amount, below: { quota: quota(900) } };
  const LIFETIME: Budget = { kind: 'lifetime', amount };
  type Store = ReturnType<typeof emptyAccount>;

  /** Key `a` is updated, key `b` is as declared; `disturb` acts before the walk that verifies the writes. */
  async function disturbed(
    budget: Budget,
    reportsUse: boolean,
    disturb: (store: Store, now: (at: number) => void) => void,
  ) {
    let now = NOW + 1800;
    const store = emptyAccount({ reportsUse, now: () => now });
    for (const name of ['a', 'b']) {
      store.seed(live(name, { remain: quota(1000) }));
    }
    const desired = state([declare('a', { budget, group: 'vip' }), declare('b', { budget })]);
    const observed = await observe(store, desired, { now, ...TRUSTED });
    const made = plan(desired, observed, now);
    store.hook = (operation) => {
      if (operation !== 'walk') return;
      store.hook = () => {};
      disturb(store, (at) => {
        now = at;
      });
    };
    const report = await apply(made, store, { observed, desired, now: () => now, concurrency: 1, ...TRUSTED });
    expect(report.outcomes).toMatchObject([{ state: 'applied', change: { name: 'a' } }]);
    return { report, pending: pendingChanges(report.after ?? { changes: [] }), faults: reportFaults(report) };
  }

  const spendBoth = (units: number) => (store: Store) => {
    for (const id of store.records.keys()) store.spend(keyId(id), units);
  };

  it.each([
    ['a key falls below its threshold', TOP_UP, spendBoth(101)],
    ['a key spends of its lifetime budget', LIFETIME, spendBoth(70)],
    ['a key spends of its window', HOURLY, spendBoth(70)],
    [
      'the next window begins',
      HOURLY,
      (store, at) => {
        spendBoth(70)(store);
        at(NOW + 3600);
      },
    ],
  ] as [string, Budget, Parameters<typeof disturbed>[2]][])('is not left to do: %s', async (_, budget, disturb) => {
    for (const reportsUse of [true, false]) {
      expect(await disturbed(budget, reportsUse, disturb)).toMatchObject({ pending: [], faults: [] });
    }
  });

  it.each([
    ['somebody takes from a key', LIFETIME, 400],
    ['somebody takes from a key below its threshold', TOP_UP, 400],
    ['somebody grants a key more', LIFETIME, 4000],
    ['somebody grants a key more than its window', HOURLY, 4000],
  ] as const)('is reported: %s', async (_, budget, remain) => {
    const { pending, faults } = await disturbed(budget, true, (store) => {
      Object.assign([...store.records.values()][1] ?? {}, { remain_quota: remain });
    });
    expect(pending).toMatchObject([{ verb: 'update', name: 'b', edits: [{ field: 'remain', before: remain }] }]);
    expect(faults).toMatchObject([{ code: 'apply.not-converged' }]);
  });

  it.each([true, false])('is reported: the gateway drops a refill (use reported: %s)', async (reportsUse) => {
    const store = emptyAccount({ reportsUse });
    const id = store.seed(live('a', { remain: quota(100) }), { used: 900 });
    store.hook = (operation) =>
      operation === 'walk' && Object.assign(store.records.get(id) ?? {}, { remain_quota: 100 });
    const report = await applied(store, state([declare('a', { budget: TOP_UP })]));
    expect(pendingChanges(report.after ?? { changes: [] })).toMatchObject([{ verb: 'update', name: 'a' }]);
  });
});
