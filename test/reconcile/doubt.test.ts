import { describe, expect, it } from 'vitest';
import { type Budget, Fault, type FaultCode, quota } from '../../src/domain/index.ts';
import { reportFaults } from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { applied, declare, declareNew, emptyAccount, live, planOf, state } from './account.ts';

const lifetime = (units: number): { budget: Budget } => ({
  budget: { kind: 'lifetime', amount: { quota: quota(units) } },
});

/** The first write throws before it takes effect: nothing of it happens. */
function swallowing(store: MemoryStore, times: number): void {
  store.hook = (operation) => {
    if (operation === 'update' && (store.calls.update ?? 0) <= times) throw new Fault('gateway.timeout', 'on purpose');
  };
}

const remain = (store: MemoryStore, id: number): number | undefined => store.records.get(id)?.remain_quota;

describe('a budget whose write was not answered', () => {
  it.each([
    [true, 1500, 300],
    [true, 400, 0],
    [false, 1500, 0],
    [false, 400, 0],
  ])(
    'is written once more when it did not take effect (use reported: %s, wanted: %i)',
    async (reportsUse, units, used) => {
      const store = emptyAccount({ reportsUse });
      const id = store.seed(live('a', { remain: quota(1000) }), { used });
      swallowing(store, 1);
      const report = await applied(store, state([declare('a', lifetime(units + used))]));
      expect(report.outcomes.map((o) => o.state)).toEqual(['applied']);
      expect(report.corrections).toEqual([]);
      expect(remain(store, id)).toBe(units);
      expect(reportFaults(report)[0]).toBeUndefined();
    },
  );

  it('is written once more when the key only spent meanwhile and nothing reports its use', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a', { remain: quota(1000) }));
    store.hook = (operation) => {
      if (operation !== 'update' || store.calls.update !== 1) return;
      store.spend(id, 50);
      throw new Fault('gateway.timeout', 'on purpose');
    };
    const report = await applied(store, state([declare('a', lifetime(400))]));
    expect(report.outcomes.map((o) => o.state)).toEqual(['applied']);
    expect(remain(store, id)).toBe(350);
  });

  it('is written once more when the key spent more than the cut would have taken', async () => {
    const store = emptyAccount({ reportsUse: true });
    const id = store.seed(live('a', { remain: quota(1000) }));
    store.hook = (operation) => {
      if (operation !== 'update' || store.calls.update !== 1) return;
      store.spend(id, 700);
      throw new Fault('gateway.timeout', 'on purpose');
    };
    const report = await applied(store, state([declare('a', lifetime(800))]));
    expect(report.outcomes.map((o) => o.state)).toEqual(['applied']);
    expect([store.calls.update, remain(store, id)]).toEqual([2, 100]);
    expect(report.corrections).toEqual([]);
  });

  it('is found to be there by another setting of the same write, however much the key spent', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a', { remain: quota(1000) }));
    const real = store.update.bind(store);
    store.update = async (base, patch) => {
      await real(base, patch);
      store.spend(id, 600);
      throw new Fault('gateway.connection-lost', 'on purpose');
    };
    const report = await applied(store, state([declare('a', { ...lifetime(1500), group: 'vip' })]));
    expect(report.outcomes.map((o) => o.state)).toEqual(['applied']);
    expect([store.calls.update, remain(store, id)]).toEqual([1, 900]);
  });

  it.each([true, false])(
    'is never reported as applied when it never takes effect (use reported: %s)',
    async (reportsUse) => {
      const store = emptyAccount({ reportsUse });
      const id = store.seed(live('a', { remain: quota(1000) }));
      swallowing(store, 9);
      const report = await applied(store, state([declare('a', lifetime(1500))]));
      expect(report.outcomes.map((o) => o.state)).toEqual(['indeterminate']);
      expect(remain(store, id)).toBe(1000);
    },
  );

  it.each([
    [true, 1500, 10],
    [true, 400, 10],
    [false, 1500, 10],
    [false, 400, 10],
    [false, 400, 0],
  ])(
    'is found to be there when only the answer was lost (use reported: %s, %i, spent: %i)',
    async (reportsUse, units, n) => {
      const store = emptyAccount({ reportsUse });
      const id = store.seed(live('a', { remain: quota(1000) }));
      const real = store.update.bind(store);
      store.update = async (base, patch) => {
        await real(base, patch);
        store.spend(id, n);
        throw new Fault('gateway.connection-lost', 'on purpose');
      };
      const report = await applied(store, state([declare('a', lifetime(units))]));
      expect(report.outcomes.map((o) => o.state)).toEqual(['applied']);
      expect(store.calls.update).toBe(1);
      expect(remain(store, id)).toBe(units - n);
    },
  );
});

describe('a write that was answered', () => {
  it.each<FaultCode>(['gateway.rate-limited', 'gateway.timeout'])(
    'is applied though its read-back met %s',
    async (code) => {
      const store = emptyAccount({ reportsUse: true });
      const id = store.seed(live('a', { remain: quota(1000) }));
      store.hook = (operation) => {
        if (operation === 'readMany') throw new Fault(code, 'on purpose');
      };
      const report = await applied(store, state([declare('a', lifetime(1500))]));
      expect(report.outcomes).toMatchObject([{ state: 'applied', remark: expect.stringContaining('read back') }]);
      expect(reportFaults(report)).toMatchObject([{ code: 'apply.budget-unverified', detail: { names: ['a'] } }]);
      expect(store.calls.update).toBe(1);
      expect(remain(store, id)).toBe(1500);
    },
  );

  it('is gateway.not-found when the key is gone right after it', async () => {
    const store = emptyAccount({ reportsUse: true });
    const id = store.seed(live('a'));
    store.hook = (operation) => operation === 'readMany' && store.records.delete(id);
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.outcomes).toMatchObject([{ state: 'failed', fault: { code: 'gateway.not-found' } }]);
  });

  it('to a key that spent nothing is not looked at again where only the log shows it', async () => {
    const store = emptyAccount();
    const [, b] = [store.seed(live('a')), store.seed(live('b'))];
    store.hook = (operation) => operation === 'update' && store.calls.update === 1 && store.spend(b, 5);
    await applied(store, state([declare('a', { group: 'vip' })]));
    expect(store.calls.tryRead).toBe(1);
  });

  it('of a key that vanished after it does not hide the corrections of others', async () => {
    const store = emptyAccount();
    const [a, b] = [store.seed(live('a')), store.seed(live('b'))];
    store.hook = (operation, id) => {
      if (operation === 'update' && id !== undefined && (store.calls.update ?? 0) <= 2) store.spend(id, 70);
      if (operation === 'usage' && store.calls.update === 2) store.records.delete(a);
    };
    const desired = state([declare('a', { group: 'vip' }), declare('b', { group: 'vip' })]);
    const report = await applied(store, desired, { concurrency: 1 });
    expect(report.corrections).toEqual([{ id: b, name: 'b', units: 70, takenBack: true }]);
  });

  it('keeps the corrections before a read that fails, and reports what was not corrected', async () => {
    const store = emptyAccount();
    const [a, b] = [store.seed(live('a', { remain: quota(1000) })), store.seed(live('b', { remain: quota(1000) }))];
    store.hook = (operation, id) => {
      if (operation === 'update' && id !== undefined && (store.calls.update ?? 0) <= 2) store.spend(id, 70);
      if (operation === 'tryRead' && id === b && (store.calls.tryRead ?? 0) > 2) throw new Fault('gateway.timeout', '');
    };
    const desired = state([declare('a', { group: 'vip' }), declare('b', { group: 'vip' })]);
    const report = await applied(store, desired, { concurrency: 1 });
    expect(report.corrections).toEqual([
      { id: a, name: 'a', units: 70, takenBack: true },
      { id: b, name: 'b', units: 70, takenBack: false },
    ]);
    expect(reportFaults(report).filter(({ code }) => code === 'apply.budget-unverified')).toMatchObject([
      { detail: { names: ['b'] } },
    ]);
  });
});

it('an update without a response that cannot be looked up either is indeterminate', async () => {
  const store = emptyAccount();
  store.seed(live('a'));
  store.hook = (operation) => {
    const looks = operation === 'tryRead' && store.calls.update === 1;
    if (looks || operation === 'update') throw new Fault('gateway.timeout', 'on purpose');
  };
  const report = await applied(store, state([declare('a', { group: 'vip' })]));
  expect(report.outcomes).toMatchObject([{ state: 'indeterminate', fault: { code: 'gateway.timeout' } }]);
  expect(store.calls.update).toBe(1);
});

it('gateway.not-found: an update that was not answered, of a key that is gone', async () => {
  const store = emptyAccount();
  const id = store.seed(live('a'));
  store.hook = (operation) => {
    if (operation !== 'update') return;
    store.records.delete(id);
    throw new Fault('gateway.timeout', 'on purpose');
  };
  const report = await applied(store, state([declare('a', { group: 'vip' })]));
  expect(report.outcomes).toMatchObject([{ state: 'failed', fault: { code: 'gateway.not-found' } }]);
});

it.each<[string, number, FaultCode]>([
  ['is not to be found', 0, 'gateway.indeterminate'],
  ['is there twice', 2, 'apply.duplicate'],
])('a new key that must be disabled and %s leaves every status alone', async (_, made, code) => {
  const store = emptyAccount();
  store.create = async (settings) => {
    for (let n = 0; n < made; n += 1) store.seed({ ...settings, group: n === 0 ? settings.group : 'vip' });
  };
  const report = await applied(store, state([declare('a', { budget: { kind: 'unlimited' }, enabled: false })]));
  expect(report.outcomes).toMatchObject([{ fault: { code } }]);
  expect(store.calls.setEnabled).toBeUndefined();
});

describe('an account that is full', () => {
  const full = () => {
    const store = emptyAccount();
    for (let n = 0; n < 1000; n += 1) store.seed(live(`k${n}`));
    return store;
  };
  const declared = state(['a', 'b', 'c'].map((name) => declareNew(name)));

  it('key-limit: is noted by the plan', async () => {
    expect((await planOf(full(), declared)).notes).toMatchObject([
      { code: 'key-limit', message: expect.stringContaining('1003 keys') },
    ]);
    expect((await planOf(full(), state([declare('k1', { group: 'vip' })]))).notes).toEqual([]);
  });

  it('gateway.key-limit: is reported once, and no further create is sent', async () => {
    const store = full();
    store.hook = (operation) => {
      if (operation === 'create' && (store.calls.create ?? 0) > 1)
        throw new Fault('gateway.refused', '令牌数量已达上限');
    };
    const report = await applied(store, declared);
    expect(report.outcomes.map(({ state }) => state).sort()).toEqual(['applied', 'failed', 'skipped']);
    expect(report.outcomes.find(({ state }) => state === 'failed')).toMatchObject({
      fault: { code: 'gateway.key-limit', message: expect.stringMatching(/^The account has 1001 keys.*令牌/) },
    });
    expect(store.calls.create).toBe(2);
  });

  it('is not blamed for a refusal of a small one', async () => {
    const store = emptyAccount();
    store.hook = (operation) => {
      if (operation === 'create') throw new Fault('gateway.refused', 'name');
    };
    const report = await applied(store, declared);
    expect(report.outcomes).toMatchObject(Array(3).fill({ state: 'failed', fault: { code: 'gateway.refused' } }));
  });
});
