import { describe, expect, it } from 'vitest';
import { Fault, type KeySettings, quota } from '../../src/domain/index.ts';
import { settleTwins } from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { applied, declareNew, emptyAccount, live, NOW, state } from './account.ts';
import { failing, states } from './going-wrong.ts';

type Seed = Partial<KeySettings> & { readonly status?: number; readonly used?: number };

/** Keys `a` from ID 1 on; those of one name are settled as one group. */
async function settled(
  seeds: readonly Seed[],
  arrange: (store: MemoryStore) => void = () => {},
  { reportsUse = true, ...options }: Partial<Parameters<typeof settleTwins>[2]> & { reportsUse?: boolean } = {},
) {
  const store = emptyAccount({ reportsUse });
  for (const { status = 1, used = 0, ...settings } of seeds) store.seed(live('a', settings), { status, used });
  const keys = await store.walk();
  arrange(store);
  const removed = await settleTwins(store, [[...keys].reverse()], { since: NOW - 60, disabled: new Set(), ...options });
  return { store, removed: [...removed].sort(), left: [...store.records.keys()] };
}

const limited = (units: number): Seed => ({ remain: quota(units) });
const unlimited = (units: number): Seed => ({ unlimited: true, remain: quota(units) });
const edit =
  (operation: string, id: number, fields: object) =>
  (store: MemoryStore): void => {
    store.hook = (entered) => entered === operation && Object.assign(store.records.get(id) ?? {}, fields);
  };

const goneAt =
  (id: number) =>
  (store: MemoryStore): void => {
    store.hook = (entered) => entered === 'readMany' && store.records.delete(id);
  };
const unreadable = async (): Promise<never> => Promise.reject(new Fault('gateway.timeout', 'no answer'));

describe('the twins of a new key', () => {
  it.each<[string, Parameters<typeof settled>, readonly number[]]>([
    ['all but the smallest ID go', [[limited(10), limited(10), limited(10)]], [2, 3]],
    ['one with another amount stays', [[limited(10), limited(11)]], []],
    ['one with the grant of a key that has spent goes', [[{ ...limited(7), used: 3 }, limited(10)]], [2]],
    ['one with the remainder of a key that has spent stays', [[{ ...limited(7), used: 3 }, limited(7)]], []],
    ['one without a limit goes, whatever it holds', [[unlimited(10), unlimited(11)]], [2]],
    ['one in another group stays', [[limited(10), { ...limited(10), group: 'vip' }]], []],
    ['a disabled one stays', [[limited(10), { ...limited(10), status: 2 }]], []],
    [
      'a disabled one goes where the key is declared disabled',
      [[limited(10), { ...limited(10), status: 2 }], () => {}, { disabled: new Set(['a']) }],
      [2],
    ],
    ['a used one stays', [[limited(10), { ...limited(10), used: 1 }]], []],
  ])('%s', async (_, args, expected) => {
    const { removed, left } = await settled(...args);
    expect(removed).toEqual(expected);
    expect(left).toEqual(args[0].map((_seed, n) => n + 1).filter((id) => !expected.includes(id)));
  });

  const two = [limited(10), limited(10)];
  it.each<[string, (store: MemoryStore) => void, readonly number[], readonly number[]]>([
    ['stay when they cannot be read again', (s) => void Object.assign(s, { readMany: unreadable }), [], [1, 2]],
    ['count as deleted when somebody deleted them', goneAt(2), [2], [1]],
    ['stay when somebody edited them', edit('readMany', 2, { group: 'vip' }), [], [1, 2]],
    ['stay when they got more', edit('readMany', 2, { remain_quota: 99 }), [], [1, 2]],
    ['stay when they were used', edit('readMany', 2, { used_quota: 1 }), [], [1, 2]],
    ['stay when the key that is kept was edited', edit('readMany', 1, { group: 'vip' }), [], [1, 2]],
    ['stay when the key that is kept is gone', goneAt(1), [], [2]],
    ['stay when they were edited while the delete waited', edit('delete', 2, { group: 'vip' }), [], [1, 2]],
    ['stay when they were used while the delete waited', edit('delete', 2, { used_quota: 1 }), [], [1, 2]],
    [
      'stay when the delete fails',
      (s) => void Object.assign(s, { hook: failing('delete', 'gateway.refused') }),
      [],
      [1, 2],
    ],
    [
      'count as deleted when only the answer was lost',
      (s) => {
        s.delete = async () => {
          s.records.delete(2);
          throw new Fault('gateway.timeout', 'no answer');
        };
      },
      [2],
      [1],
    ],
    [
      'count as not deleted when nothing shows it',
      (s) => {
        s.delete = async () => {
          s.records.delete(2);
          s.readMany = unreadable;
          return false;
        };
      },
      [],
      [1],
    ],
  ])('%s', async (_, arrange, expected, left) => {
    const made = await settled(two, (store) => {
      store.waits = true;
      arrange(store);
    });
    expect([made.removed, made.left]).toEqual([expected, left]);
  });

  it.each<[string, Parameters<typeof settled>, object]>([
    ['nothing for no group', [[]], { walk: 1 }],
    ['nothing where records show a difference', [[limited(10), limited(11)]], { walk: 1 }],
    ['a read and a delete', [two], { walk: 1, readMany: 1, delete: 1 }],
    ['a read for one that is gone', [two, goneAt(2)], { walk: 1, readMany: 1 }],
    [
      'the log where no record shows the use',
      [two, undefined, { reportsUse: false }],
      { walk: 1, usage: 1, readMany: 1, delete: 1 },
    ],
  ])('cost %s', async (_, args, expected) => {
    expect((await settled(...args)).store.calls).toEqual(expected);
  });

  it.each([
    [1, []],
    [2, [2]],
    [undefined, [2]],
  ])('stay where the log is longer than %s pages', async (maxLogPages, expected) => {
    const long = (store: MemoryStore): void => {
      for (let n = 0; n < 150; n += 1) store.spend(store.seed(live('b')), 1);
    };
    expect((await settled(two, long, { reportsUse: false, maxLogPages })).removed).toEqual(expected);
  });
});

describe('an older key that gets the name of a new one meanwhile', () => {
  const renaming = (store: MemoryStore, nth: number): void => {
    store.hook = (operation) => {
      if (operation === 'create' && store.calls.create === nth)
        Object.assign(store.records.get(1) ?? {}, { name: 'a' });
    };
  };
  const wanted = (...names: readonly string[]) =>
    state(
      names.map((name) =>
        declareNew(name, { budget: { kind: 'initial', amount: { quota: quota(5_000_000) } }, group: 'default' }),
      ),
    );

  it.each([['a'], ['a', 'b', 'c']])('is neither its twin nor a reason to stop: %s %s %s', async (...names) => {
    const store = emptyAccount();
    store.seed(live('old'));
    renaming(store, 1);
    const report = await applied(store, wanted(...names.filter(Boolean)), { concurrency: 1 });
    expect(report.outcomes.map((outcome) => [outcome.state, 'id' in outcome && outcome.id])).toEqual(
      names.filter(Boolean).map((_, n) => ['applied', n + 2]),
    );
    expect(store.calls.delete).toBeUndefined();
  });

  it('is not taken for one whose answer was lost: the run waits for it', async () => {
    const store = emptyAccount();
    store.seed(live('old'));
    store.create = async () => {
      Object.assign(store.records.get(1) ?? {}, { name: 'a' });
      throw new Fault('gateway.timeout', 'no answer');
    };
    const waits: unknown[] = [];
    const journal = {
      load: async () => ({ creates: [] }),
      record: async () => {},
      forget: async () => {},
      leftEnabled: async () => {},
    };
    const late = { journal, settle: 120, wait: async (waiting: object) => void waits.push(waiting) };
    const report = await applied(store, wanted('a'), { late });
    expect([states(report), waits]).toEqual([['create a: indeterminate'], [{ seconds: 120, names: ['a'] }]]);
  });
});

describe('a create whose answer was lost', () => {
  const lossy = (lost: readonly string[], swallowed: readonly string[]) => {
    const store = emptyAccount();
    const create = store.create.bind(store);
    store.create = async (settings) => {
      if (!swallowed.includes(settings.name)) await create(settings);
      if (lost.includes(settings.name)) throw new Fault('gateway.timeout', 'no answer');
    };
    return store;
  };
  it.each<[string, readonly string[], readonly unknown[]]>([
    ['is not waited for where its key is listed', [], []],
    ['is waited for where its key is missing', ['b'], [{ seconds: 120, names: ['b'] }]],
  ])('%s', async (_, swallowed, expected) => {
    const waits: unknown[] = [];
    const journal = {
      load: async () => ({ creates: [] }),
      record: async () => {},
      forget: async () => {},
      leftEnabled: async () => {},
    };
    const late = { journal, settle: 120, wait: async (waiting: object) => void waits.push(waiting) };
    await applied(lossy(['a', 'b'], swallowed), state(['a', 'b', 'c'].map((name) => declareNew(name))), { late });
    expect(waits).toEqual(expected);
  });
});
