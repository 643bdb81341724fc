import { describe, expect, it } from 'vitest';
import {
  type Budget,
  type DesiredState,
  decimalOf,
  Fault,
  type FaultCode,
  keyName,
  quota,
} from '../../src/domain/index.ts';
import { execute, type LiveChange } from '../../src/reconcile/apply/execute.ts';
import { batchesIn } from '../../src/reconcile/apply/write-batches.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { plainKey } from '../plain-key.ts';
import { applied, declare, emptyAccount, live, planOf, state } from './account.ts';
import { failing, losing, states } from './going-wrong.ts';

const lifetime = (units: number): Budget => ({ kind: 'lifetime', amount: { quota: quota(units) } });
const CONTEXT = { rate: decimalOf(500_000), isDisabled: false };
const isLive = (change: { verb: string }): change is LiveChange =>
  ['rename', 'update', 'enable', 'disable'].includes(change.verb);

/** Executes the one change that key 1, `a` with 1,000 units, needs. */
async function executed(
  declared: Parameters<typeof declare>[1],
  arrange: (store: MemoryStore) => void = () => {},
  { reportsUse = false, status = 1, name = 'a' } = {},
) {
  const store = emptyAccount({ reportsUse });
  store.seed(live('a', { remain: quota(1000) }), { status });
  const [change] = (await planOf(store, state([declare(name, declared)]), { allowEnable: [name] })).changes;
  if (!change || !isLive(change)) throw new Error('a change of a live key was expected');
  arrange(store);
  return { store, change, made: await execute(change, store, CONTEXT) };
}

const vip = { group: 'vip' };
const spendingAt = (operation: string) => (store: MemoryStore) => {
  store.hook = (entered) => {
    if (entered !== operation) return;
    store.hook = () => {};
    store.spend(1 as never, 70);
  };
};

describe('one change', () => {
  it.each<[string, Parameters<typeof executed>, object]>([
    ['an update', [vip], { outcome: { state: 'applied', id: 1 }, step: 0 }],
    [
      'a rename',
      [{ renamedFrom: keyName('a') }, undefined, { name: 'b' }],
      { outcome: { state: 'applied', id: 1 }, step: 0 },
    ],
    ['a raise', [{ budget: lifetime(1500) }], { outcome: { state: 'applied', id: 1 }, step: 500 }],
    ['a disable', [{ enabled: false }], { outcome: { state: 'applied', id: 1 } }],
    ['an enable', [{}, undefined, { status: 2 }], { outcome: { state: 'applied', id: 1 } }],
    [
      'an update of a key that spends meanwhile, where its record shows it',
      [vip, spendingAt('update'), { reportsUse: true }],
      { outcome: { state: 'applied', id: 1 }, correction: { id: 1, name: 'a', units: 70, takenBack: true } },
    ],
    [
      'an update that cannot be read back',
      [
        vip,
        (s) => Object.assign(s, { hook: failing('tryRead', 'gateway.timeout', (n) => n === 2) }),
        { reportsUse: true },
      ],
      {
        outcome: {
          state: 'applied',
          id: 1,
          remark: 'the key could not be read back; its budget may be too high by what it spent during the write',
        },
        isUnverified: true,
      },
    ],
    [
      'an update whose key is gone afterwards',
      [
        vip,
        (s) => Object.assign(s, { hook: (o: string) => o === 'tryRead' && s.calls.update && s.records.delete(1) }),
        { reportsUse: true },
      ],
      { outcome: { state: 'failed', fault: expect.objectContaining({ code: 'gateway.not-found' }) } },
    ],
    [
      'a refused update',
      [vip, (s) => Object.assign(s, { hook: failing('update', 'gateway.refused') })],
      { outcome: { state: 'failed', fault: expect.objectContaining({ code: 'gateway.refused' }) } },
    ],
  ])('is executed: %s', async (_, args, expected) => {
    const { made, change } = await executed(...args);
    expect(made).toEqual({
      ...expected,
      outcome: { ...('outcome' in expected && (expected.outcome as object)), change },
    });
  });

  it.each<[string, Parameters<typeof failing>, string, object]>([
    ['whose key cannot be read', ['tryRead', 'gateway.timeout'], 'failed', { tryRead: 1 }],
    ['that is rejected for sure', ['update', 'gateway.rate-limited'], 'failed', { tryRead: 1, update: 1 }],
    ['that is refused', ['update', 'gateway.refused'], 'failed', { tryRead: 2, update: 1 }],
  ])('is not looked up without need: an update %s', async (_, trouble, expected, calls) => {
    const { store, made } = await executed(vip, (s) => Object.assign(s, { hook: failing(...trouble), calls: {} }));
    expect([made.outcome.state, store.calls]).toEqual([expected, calls]);
  });

  it('is not looked up without need: a disable that is rejected for sure', async () => {
    const trouble = (s: MemoryStore) =>
      Object.assign(s, { hook: failing('setEnabled', 'gateway.rate-limited'), calls: {} });
    const { store, made } = await executed({ enabled: false }, trouble);
    expect([made.outcome.state, store.calls]).toEqual(['failed', { setEnabled: 1 }]);
  });

  it.each<[string, string, FaultCode]>([
    ['cannot be prepared', 'tryRead', 'credentials.refused'],
    ['is refused', 'update', 'gateway.refused'],
    ['is rejected for sure', 'update', 'gateway.rate-limited'],
  ])('stays undecided when its answer was lost and the second attempt %s', async (_, operation, code) => {
    const { made } = await executed(vip, (s) => {
      s.hook = (called) => {
        if (called === 'update' && s.calls.update === 1) throw new Fault('gateway.timeout', 'no answer');
        if (called !== operation || s.calls.update === undefined) return;
        if (s.calls.update > 1 || s.calls.tryRead === 3) throw new Fault(code, 'no');
      };
    });
    expect(made.outcome).toMatchObject({ state: 'indeterminate', fault: { code: 'gateway.timeout' } });
  });

  it('that somebody else had made counts as made, although its answer was lost', async () => {
    const { store, made } = await executed(
      vip,
      (s) => {
        Object.assign(s.records.get(1) ?? {}, { group: 'vip' });
        losing(s, 'update');
      },
      { reportsUse: true },
    );
    expect([made.outcome.state, store.calls.update]).toEqual(['applied', 1]);
  });

  it.each([
    ['begins', false],
    ['ceases', true],
  ])('is looked up by the remainder where the gateway %s to report the use', async (_, reportsUse) => {
    const arrange = (store: MemoryStore): void => {
      const [read, update] = [store.tryRead.bind(store), store.update.bind(store)];
      store.update = async (...args) => {
        await update(...args);
        store.tryRead = async (id) => {
          const { used: _used, ...key } = (await read(id)) ?? plainKey(id);
          return reportsUse ? key : { ...key, used: quota(0) };
        };
        throw new Fault('gateway.timeout', 'no answer');
      };
    };
    const { store, made } = await executed({ budget: lifetime(1500) }, arrange, { reportsUse });
    expect([made.outcome.state, store.calls.update]).toEqual(['applied', 1]);
  });

  it('that cuts a budget is not made twice when somebody else has cut it', async () => {
    const cut = (s: MemoryStore) => void Object.assign(s.records.get(1) ?? {}, { remain_quota: 900 });
    const { store, made } = await executed({ budget: lifetime(900) }, cut, { reportsUse: true });
    expect([made.outcome.state, store.records.get(1)?.remain_quota]).toEqual(['applied', 900]);
  });

  it('of a key without a limit leaves its remainder alone, however little it is', async () => {
    const store = emptyAccount();
    store.seed(live('a', { unlimited: true, remain: quota(-5) }));
    await applied(store, state([declare('a', vip)]));
    expect(store.records.get(1)).toMatchObject({ remain_quota: -5, group: 'vip' });
  });
});

describe('a change that an interruption kept from being sent', () => {
  const interruptedAt =
    (operation: string, sent?: 'no') =>
    (store: MemoryStore): void => {
      store.hook = (entered) => {
        const detail = sent ? { sent } : {};
        if (entered === operation) throw new Fault('gateway.interrupted', 'cancelled', { detail });
      };
    };
  const skipped = { state: 'skipped', code: 'gateway.interrupted', reason: 'interrupted before it was sent' };

  it.each<[string, Parameters<typeof executed>]>([
    ['an update', [vip, interruptedAt('update', 'no')]],
    ['an update whose key was being read', [vip, interruptedAt('tryRead')]],
    ['a rename', [{ renamedFrom: keyName('a') }, interruptedAt('update', 'no'), { name: 'b' }]],
    ['a disable', [{ enabled: false }, interruptedAt('setEnabled', 'no')]],
    ['an enable', [{}, interruptedAt('setEnabled', 'no'), { status: 2 }]],
  ])('is skipped, and its outcome is known: %s', async (_, args) => {
    const { made } = await executed(...args);
    expect(made.outcome).toMatchObject(skipped);
  });

  it('is skipped, and its outcome is known: a delete', async () => {
    const store = emptyAccount();
    for (const name of ['a', 'other']) store.seed(live(name));
    interruptedAt('delete', 'no')(store);
    const report = await applied(store, state([], { scope: ['a'], prune: 'delete' }));
    expect(report.outcomes).toMatchObject([skipped]);
  });

  it('stays undecided when it was sent', async () => {
    const { made } = await executed(vip, interruptedAt('update'));
    expect(made.outcome.state).toBe('indeterminate');
  });
});

describe('a change that waited', () => {
  const moving = (operation: string, fields: object) => (store: MemoryStore) => {
    store.waits = true;
    store.hook = (entered) => {
      if (entered === operation) Object.assign(store.records.get(1) ?? {}, fields);
    };
  };
  const OWNED = { scope: ['a', 'b'], prune: 'delete' } as const;
  it.each<[string, DesiredState, Parameters<typeof moving>, string[], number]>([
    ['disable', state([declare('a', { enabled: false })]), ['setEnabled', { name: 'mine' }], ['disable a: skipped'], 1],
    ['delete', state([], OWNED), ['delete', { name: 'mine' }], ['delete a: skipped', 'delete b: applied'], 1],
    [
      'delete of a key that spent',
      state([], OWNED),
      ['delete', { remain_quota: 3 }],
      ['delete a: applied', 'delete b: applied'],
      0,
    ],
  ])('looks at its key again before it is made: %s', async (_, desired, change, expected, left) => {
    const store = emptyAccount();
    for (const name of ['a', 'b', 'other']) store.seed(live(name));
    moving(...change)(store);
    const report = await applied(store, desired);
    expect(states(report).sort()).toEqual(expected);
    expect([...store.records.values()].filter(({ id, status }) => id === 1 && status === 1)).toHaveLength(left);
  });

  it('deletes those first that the account lists last', async () => {
    const store = emptyAccount();
    for (const name of ['c', 'a', 'e', 'b', 'd']) store.seed(live(name));
    const asked: unknown[] = [];
    const real = store.delete.bind(store);
    store.delete = async (ids) => {
      asked.push(ids);
      return real(ids);
    };
    await applied(store, state([], { scope: ['*'], prune: 'delete' }));
    expect(asked).toEqual([[5, 4, 3, 2, 1]]);
  });
});

describe('what fails before', () => {
  it('keeps a name taken: a disabled key whose rename failed still has its old one', async () => {
    const store = emptyAccount();
    for (const name of ['a', 'c']) store.seed(live(name));
    store.hook = failing('update', 'gateway.refused', (n) => n === 1);
    const keys = [
      declare('b', { renamedFrom: keyName('a'), enabled: false }),
      declare('a', { renamedFrom: keyName('c') }),
    ];
    const report = await applied(store, state(keys), { concurrency: 1 });
    expect(states(report)).toEqual(['disable b: applied', 'rename b: failed', 'rename a: skipped']);
    expect([...store.records.values()].map(({ name }) => name)).toEqual(['a', 'c']);
  });

  it('does not excuse a status: a key that the run failed to disable, and somebody disables, has moved', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.hook = (operation) => {
      if (operation === 'setEnabled') throw new Fault('gateway.rate-limited', 'later');
      if (operation === 'tryRead' && store.calls.setEnabled) Object.assign(store.records.get(1) ?? {}, { status: 2 });
    };
    const report = await applied(store, state([declare('a', { enabled: false, group: 'vip' })]));
    expect(states(report)).toEqual(['disable a: failed', 'update a: skipped']);
  });
});

it('writes changes in batches of 100, each once', () => {
  const changes = Array.from({ length: 250 }, (_, n) => n);
  const batches = batchesIn(changes);
  expect([batches.map(({ length }) => length), batches.flat()]).toEqual([[100, 100, 50], changes]);
});
