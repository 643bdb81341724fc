import { describe, expect, it } from 'vitest';
import { Fault, type KeyId, keyId, quota } from '../../../src/domain/index.ts';
import { reportFaults } from '../../../src/reconcile/index.ts';
import { isExact } from '../../../src/reconcile/usage/spent-since.ts';
import { readStart, type Suspect, takeBackByLog } from '../../../src/reconcile/usage/take-back-by-log.ts';
import type { MemoryStore } from '../../contract/memory-store.ts';
import { applied, declare, emptyAccount, live, state } from '../account.ts';

const ID = keyId(1);
const NAMES: ReadonlyMap<string, KeyId> = new Map();

/** Key 1 with 1000 units; `on` acts before the call of an operation with this number. */
function openKey() {
  const store = emptyAccount();
  store.seed(live('a', { remain: quota(1000) }));
  const on = (operation: 'readMany' | 'update', nth: readonly number[], act: (store: MemoryStore) => void): void => {
    const others = store.hook;
    store.hook = (entered, id) => {
      others(entered, id);
      if (entered === operation && nth.includes(store.calls[operation] ?? 0)) act(store);
    };
  };
  return { store, on };
}

const spend = (units: number) => (store: MemoryStore) => store.spend(ID, units);
/** Gives units back without an entry, as an update does that writes what it read before. */
const giveBack = (units: number) => (store: MemoryStore) => {
  const record = store.records.get(ID);
  if (record) record.remain_quota += units;
};
const refuse = (): never => {
  throw new Fault('gateway.refused', 'on purpose');
};
const ALWAYS = Array.from({ length: 20 }, (_, n) => n + 1);

describe('the keys before the writes', () => {
  it.each<[string, readonly number[], number, boolean]>([
    ['once where nothing is spent', [], 1, true],
    ['again where one spends while they are read', [1], 2, true],
    ['up to three times', ALWAYS, 3, false],
  ])('are read %s', async (_, spending, reads, exact) => {
    const { store } = openKey();
    const readMany = store.readMany.bind(store);
    store.readMany = async (ids) => {
      const keys = await readMany(ids);
      if (spending.includes(store.calls.readMany ?? 0)) store.spend(ID, 1);
      return keys;
    };
    const { readings } = await readStart(store, [ID, keyId(2)], NAMES);
    expect([...readings.values()].map(isExact)).toEqual([exact]);
    expect(store.calls.readMany).toBe(reads);
  });
});

describe('units that an update gave back, by the log', () => {
  type Opened = ReturnType<typeof openKey>;
  interface Scene {
    /** Acts before the start is read. */
    readonly before?: (opened: Opened) => void;
    /** Acts before the units are taken back. */
    readonly meanwhile: (opened: Opened) => void;
    readonly step?: number;
    readonly mayWrite?: () => Promise<boolean>;
  }

  async function run({ before, meanwhile, step = 0, ...more }: Scene) {
    const opened = openKey();
    const { store } = opened;
    store.spend(ID, 1);
    before?.(opened);
    const start = await readStart(store, [ID], NAMES);
    store.hook = () => {};
    for (const call of ['readMany', 'update', 'usage'] as const) store.calls[call] = 0;
    meanwhile(opened);
    const suspect: Suspect = { id: ID, name: 'a', step };
    const { corrections, isWhole, quiet } = await takeBackByLog(store, [suspect], { start, ...more });
    const { readMany: reads, update: writes } = store.calls;
    const record = store.records.get(ID);
    return { corrections, isWhole, quiet, remain: record?.remain_quota, calls: { reads, writes } };
  }
  const report = (units: number, takenBack: boolean) => ({ id: 1, name: 'a', units, takenBack });
  const spentAndGivenBack = ({ store }: Opened): void => {
    spend(70)(store);
    giveBack(70)(store);
  };

  it.each<[string, Scene, object]>([
    [
      'nothing where nothing was spent',
      { meanwhile: () => {} },
      { corrections: [], quiet: true, remain: 999, calls: { reads: 0, writes: 0 } },
    ],
    [
      'nothing where it was spent and not given back',
      { meanwhile: ({ store }) => spend(70)(store) },
      { corrections: [], quiet: false, remain: 929, calls: { reads: 1, writes: 0 } },
    ],
    [
      'all of it, proven by another reading',
      { meanwhile: spentAndGivenBack },
      { corrections: [report(70, true)], quiet: false, remain: 929, calls: { reads: 2, writes: 1 } },
    ],
    [
      'all of it where the update was meant to raise the key',
      {
        step: 100,
        meanwhile: (opened) => {
          spentAndGivenBack(opened);
          giveBack(100)(opened.store);
        },
      },
      { corrections: [report(70, true)], remain: 1029 },
    ],
    [
      'not what was spent while the start was read',
      { before: ({ on }) => on('readMany', [1], spend(7)), meanwhile: spentAndGivenBack },
      { corrections: [report(70, true)], remain: 922 },
    ],
    [
      'as much as is certain, and the rest once it is',
      {
        meanwhile: (opened) => {
          spentAndGivenBack(opened);
          const { store } = opened;
          const readMany = store.readMany.bind(store);
          store.readMany = async (ids) => {
            const keys = await readMany(ids);
            if (store.calls.readMany === 1) store.spend(ID, 5);
            return keys;
          };
        },
      },
      { corrections: [report(70, true)], remain: 924 },
    ],
    [
      'nothing of a key that has no limit any more',
      {
        meanwhile: (opened) => {
          spentAndGivenBack(opened);
          Object.assign(opened.store.records.get(ID) ?? {}, { unlimited_quota: true });
        },
      },
      { corrections: [], remain: 999, calls: { reads: 1, writes: 0 } },
    ],
    [
      'nothing of a key that is gone',
      {
        meanwhile: (opened) => {
          spentAndGivenBack(opened);
          opened.store.records.clear();
        },
      },
      { corrections: [], calls: { reads: 1, writes: 0 } },
    ],
    [
      'all of it of a key that is gone afterwards',
      {
        meanwhile: (opened) => {
          spentAndGivenBack(opened);
          opened.on('readMany', [2], ({ records }) => records.clear());
        },
      },
      { corrections: [report(70, true)], calls: { reads: 2, writes: 1 } },
    ],
    [
      'nothing that must not be written, which is reported',
      { meanwhile: spentAndGivenBack, mayWrite: async () => false },
      { corrections: [report(70, false)], remain: 999, calls: { reads: 1, writes: 0 } },
    ],
    [
      'nothing of a key that cannot be read, which is reported',
      {
        meanwhile: (opened) => {
          spentAndGivenBack(opened);
          opened.on('readMany', ALWAYS, refuse);
        },
      },
      { corrections: [report(70, false)], remain: 999, calls: { reads: 1, writes: 0 } },
    ],
    [
      'nothing of a key that was not there at the start, which is reported',
      {
        before: ({ store }) => store.records.clear(),
        meanwhile: (opened) => {
          opened.store.records.set(ID, openKey().store.records.get(ID) as never);
          spentAndGivenBack(opened);
        },
      },
      { corrections: [report(70, false)], remain: 1000, calls: { reads: 1, writes: 0 } },
    ],
    [
      'nothing of a key that cannot be written, which is tried once and reported',
      {
        meanwhile: (opened) => {
          spentAndGivenBack(opened);
          opened.on('update', ALWAYS, refuse);
        },
      },
      { corrections: [report(70, false)], remain: 999, calls: { reads: 1, writes: 1 } },
    ],
    [
      'as far as four readings show it: the rest is reported',
      {
        meanwhile: (opened) => {
          spentAndGivenBack(opened);
          opened.on('readMany', [2, 3], (store) => {
            spend(5)(store);
            giveBack(5)(store);
          });
        },
      },
      { corrections: [report(5, false)], remain: 924, calls: { reads: 4, writes: 2 } },
    ],
    [
      'nothing more once the log was deleted, which is reported',
      {
        meanwhile: (opened) => {
          spentAndGivenBack(opened);
          opened.on('readMany', [2], ({ log }) => log.splice(0));
        },
      },
      { corrections: [report(70, false)], isWhole: true, remain: 929, calls: { reads: 2, writes: 1 } },
    ],
    [
      'nothing where the log was deleted before, which makes every suspect unverified',
      {
        meanwhile: (opened) => {
          spentAndGivenBack(opened);
          opened.store.log.splice(1);
        },
      },
      {
        corrections: [report(70, false)],
        isWhole: false,
        quiet: false,
        remain: 999,
        calls: { reads: 0, writes: 0 },
      },
    ],
  ])('are taken back: %s', async (_, scene, expected) => {
    expect(await run(scene)).toMatchObject(expected);
  });

  it.each([
    ['while the key is written', 'update', 1, 1, 999],
    ['after it was read again', 'readMany', 2, 1, 999],
    ['after it was read again, and was empty before', 'readMany', 2, 0, 1000],
    ['after the correction', 'readMany', 3, 1, 929],
  ] as const)(
    'are reported, and no more is taken, where the log is deleted %s',
    async (_, moment, nth, older, remain) => {
      const { store } = openKey();
      if (older > 0) store.spend(ID, older);
      store.hook = (operation) => {
        if (operation === 'update' && store.calls.update === 1) store.spend(ID, 70);
        if (operation === moment && store.calls[moment] === nth) store.log.length = 0;
      };
      const report = await applied(store, state([declare('a', { group: 'vip' })]));
      expect(store.records.get(ID)?.remain_quota).toBe(remain);
      expect(reportFaults(report)).toMatchObject([{ code: 'apply.budget-unverified', detail: { names: ['a'] } }]);
    },
  );

  it.each([
    ['is deleted, and was empty before', 0, 0],
    ['is deleted, was empty before, and then records another request', 0, 5],
    ['no longer records consumption', 1, 0],
  ] as const)('are reported where only the balance of the account shows them: the log %s', async (_, older, later) => {
    const store = emptyAccount({ wallet: quota(9_000) });
    store.seed(live('a', { remain: quota(1000) }));
    const other = store.seed(live('b', { remain: quota(1000) }));
    if (older > 0) store.spend(ID, older);
    store.hook = (operation, id) => {
      if (operation !== 'update' || id !== ID) return;
      store.spend(ID, 70);
      store.log.shift();
      if (later > 0) store.spend(other, later);
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(reportFaults(report)).toMatchObject([{ code: 'apply.budget-unverified', detail: { names: ['a'] } }]);
  });

  it('are not doubted where the log shows all that the balance of the account lost', async () => {
    const store = emptyAccount({ wallet: quota(9_000) });
    store.seed(live('a', { remain: quota(1000) }));
    const other = store.seed(live('b', { remain: quota(1000) }));
    store.hook = () => store.spend(other, 3);
    expect(reportFaults(await applied(store, state([declare('a', { group: 'vip' })])))).toEqual([]);
  });
});
