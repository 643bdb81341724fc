import { expect, it } from 'vitest';
import { Fault, keyId } from '../../src/domain/index.ts';
import { recordFault } from '../../src/reconcile/create/create-journal.ts';
import {
  type CreateJournal,
  createRemainder,
  hasEarlierCreates,
  type LateCreates,
  settleEarlierCreates,
  type UnansweredCreate,
  type Waiting,
} from '../../src/reconcile/index.ts';
import { journalMemory, openMemoryJournal, recorded } from '../contract/memory-journal.ts';
import { applied, declareNew, emptyAccount, live, NOW, state } from './account.ts';
import { failing, states } from './going-wrong.ts';

function openLate(settle = 120) {
  const memory = journalMemory();
  const waits: Waiting[] = [];
  const clock = { now: NOW };
  const open = (more: Partial<CreateJournal> = {}): LateCreates => ({
    journal: { ...openMemoryJournal(memory, () => clock.now), ...more },
    settle,
    async wait(waiting) {
      waits.push(waiting);
      clock.now += waiting.seconds;
    },
  });
  return { memory, waits, clock, open };
}

const wanted = (n: number) => state(Array.from({ length: n }, (_, i) => declareNew(`key-${i}`)));

it('a create is not sent when its name cannot be recorded', async () => {
  const store = emptyAccount();
  const full = async () => {
    throw new Fault('file.unwritable', 'the disk is full');
  };
  const report = await applied(store, wanted(3), { late: openLate().open({ record: full }) });
  expect([report.fatal?.code, store.calls.create]).toEqual(['file.unwritable', undefined]);
  expect(states(report)).toEqual(['create key-0: skipped', 'create key-1: skipped', 'create key-2: skipped']);
});

it('every name is recorded before its create is sent, in one record for each batch, and none is left', async () => {
  const { memory, waits, open } = openLate();
  const store = emptyAccount();
  let records = 0;
  const late = open();
  const { record } = late.journal;
  const create = store.create.bind(store);
  store.create = async (settings) => {
    expect(memory.entries.map(({ name }) => name)).toContain(settings.name);
    await create(settings);
  };
  const counting: CreateJournal = {
    ...late.journal,
    async record(...all) {
      records += 1;
      await record(...all);
    },
  };
  await applied(store, wanted(200), { late: { ...late, journal: counting } });
  expect([store.records.size, records, memory.entries, waits]).toEqual([200, 4, [], []]);
});

it('creates that an interrupted run does not send are not recorded', async () => {
  const { open } = openLate();
  const [store, ending] = [emptyAccount(), new AbortController()];
  store.hook = (operation) => operation === 'create' && ending.abort();
  const late = open();
  const names: string[] = [];
  const record: CreateJournal['record'] = async (creates) => void names.push(...creates.map(({ name }) => name));
  await applied(store, wanted(3), { late: { ...late, journal: { ...late.journal, record } }, signal: ending.signal });
  expect([names, store.records.size]).toEqual([['key-0'], 1]);
});

it('a create that an interruption kept from being sent is skipped and forgotten, one that may have been sent is neither', async () => {
  for (const sent of ['no', 'maybe']) {
    const { memory, open } = openLate();
    const [store, ending] = [emptyAccount(), new AbortController()];
    store.hook = (operation) => {
      if (operation !== 'create') return;
      ending.abort();
      throw new Fault('gateway.interrupted', 'on purpose', { detail: { sent } });
    };
    const report = await applied(store, wanted(1), { late: open(), signal: ending.signal });
    const isSent = sent === 'maybe';
    expect(states(report)).toEqual([`create key-0: ${isSent ? 'indeterminate' : 'skipped'}`]);
    expect(memory.entries.map(({ name }) => name)).toEqual(isSent ? ['key-0'] : []);
  }
});

it('creates that were refused are forgotten, those that may take effect are not', async () => {
  const { memory, waits, open } = openLate();
  const store = emptyAccount();
  store.hook = (operation) => {
    const n = store.calls.create ?? 0;
    if (operation !== 'create' || n > 2) return;
    throw new Fault(n === 1 ? 'gateway.refused' : 'gateway.timeout', 'on purpose');
  };
  const report = await applied(store, wanted(3), { late: open(), concurrency: 1 });
  expect(states(report).sort()).toEqual([
    'create key-0: failed',
    'create key-1: indeterminate',
    'create key-2: applied',
  ]);
  expect(memory.entries.map(({ name }) => name)).toEqual(['key-1']);
  expect(waits).toEqual([{ seconds: 120, names: ['key-1'] }]);
});

it('creates with an unknown outcome are reported by the next run, and by no later one: accepted, or without effect', async () => {
  const { clock, open } = openLate();
  const store = emptyAccount();
  const older = store.seed(live('older'));
  await open().journal.record(['accepted', 'lost', 'older'].map(recorded), older);
  const accepted = store.seed(live('accepted'));
  clock.now += 500;
  const resolved: unknown[] = [];
  const late = { ...open(), onResolved: (all: unknown) => void resolved.push(all) };
  for (let run = 0; run < 2; run += 1) await settleEarlierCreates({ store, late, now: () => clock.now });
  expect(resolved).toEqual([
    [
      { name: 'accepted', id: accepted },
      { name: 'lost', id: undefined },
      { name: 'older', id: undefined },
    ],
  ]);
});

it('creates before the access token was replaced are unknown, and reported as accepted by the next run', async () => {
  const { memory, clock, open } = openLate();
  const store = emptyAccount();
  store.hook = (operation) => {
    if ((store.calls.create ?? 0) > (operation === 'create' ? 2 : 1)) throw new Fault('credentials.refused', 'rotated');
  };
  const report = await applied(store, wanted(3), { late: open(), concurrency: 1 });
  expect(states(report).filter((text) => text.endsWith('indeterminate'))).toHaveLength(2);
  store.hook = () => undefined;
  clock.now += 500;
  const resolved: unknown[] = [];
  const late = { ...open(), onResolved: (all: readonly unknown[]) => void resolved.push(...all) };
  await settleEarlierCreates({ store, late, now: () => clock.now });
  expect(resolved).toEqual(memory.entries.map(({ name }) => ({ name, id: expect.any(Number) })));
  expect(resolved).toHaveLength(2);
});

it('many unanswered creates cost one walk, and a second one after a wait', async () => {
  const { waits, clock, open } = openLate();
  const store = emptyAccount();
  const names = Array.from({ length: 300 }, (_, i) => `key-${i}`);
  await open().journal.record(names.map(recorded), 0);
  clock.now += 50;
  await settleEarlierCreates({ store, late: open(), now: () => clock.now });
  expect([store.calls, waits.map(({ seconds }) => seconds)]).toEqual([{ walk: 2 }, [70]]);
  await settleEarlierCreates({ store, late: open(), now: () => clock.now });
  expect([store.calls, waits.length]).toEqual([{ walk: 3 }, 1]);
});

it('a key that a create made is found next to an earlier one of the same name', async () => {
  const { waits, open } = openLate();
  const store = emptyAccount();
  const id = store.seed(live('key-0'));
  await open().journal.record([recorded('key-0')], id);
  const made = store.seed(live('key-0'));
  const resolved: unknown[] = [];
  const late = { ...open(), onResolved: (all: readonly unknown[]) => void resolved.push(...all) };
  await settleEarlierCreates({ store, late, now: () => NOW });
  expect([waits, resolved]).toEqual([[], [{ name: 'key-0', id: made }]]);
});

it('an earlier key of the same name does not answer for a create', async () => {
  const { waits, open } = openLate();
  const store = emptyAccount();
  const id = store.seed(live('key-0'));
  await open().journal.record([recorded('key-0')], id);
  await settleEarlierCreates({ store, late: open(), now: () => NOW });
  expect(waits).toEqual([{ seconds: 120, names: ['key-0'] }]);
});

it.each([
  [10, [{ seconds: 110, names: [] }]],
  [-5000, [{ seconds: 120, names: [] }]],
  [120, []],
])('a journal that cannot be read, written %i s ago, is waited for, and costs no request', async (age, expected) => {
  const { waits, open } = openLate();
  const store = emptyAccount();
  const load = async () => ({ creates: [], unreadableAge: age });
  await settleEarlierCreates({ store, late: open({ load }), now: () => NOW });
  expect([waits, store.calls]).toEqual([expected, {}]);
});

it('gateway.interrupted: an interrupted wait is not a wait', async () => {
  const late = openLate().open({ load: async () => ({ creates: [], unreadableAge: 0 }) });
  const settled = settleEarlierCreates({ store: emptyAccount(), late, now: () => NOW, signal: AbortSignal.abort() });
  await expect(settled).rejects.toMatchObject({
    code: 'gateway.interrupted',
    message: 'Interrupted while waiting for earlier creates.',
  });
});

it('without a time to settle, a create whose answer was lost is looked for once', async () => {
  const { waits, open } = openLate(0);
  const store = emptyAccount();
  store.hook = failing('create', 'gateway.timeout');
  expect(states(await applied(store, wanted(1), { late: open() }))).toEqual(['create key-0: indeterminate']);
  expect(waits).toEqual([]);
});

it.each([
  ['no create', [], 0],
  ['a create of some time ago', [{ ago: 50 }], 70],
  ['the latest of several creates', [{ ago: 100 }, { ago: 20 }, { ago: 60 }], 100],
  ['a create whose key was found', [{ ago: 50, id: keyId(7) }], 0],
  ['a create that is older than the time to settle', [{ ago: 130 }], 0],
  ['a create by a clock that was set back', [{ ago: -30 }], 120],
])('creates of ended runs may take effect for a while: %s', (_, creates, seconds) => {
  const left = creates.map(({ ago, ...more }) => {
    return { name: 'a', digest: '', enabled: true, newestBefore: 0, run: 'r', at: NOW - ago, ...more };
  });
  expect(createRemainder(left, { settle: 120, now: NOW })).toBe(seconds);
});

it('creates of earlier runs are those that the journal has, or may have', async () => {
  const { open } = openLate();
  const create = { name: 'a', newestBefore: 0, age: 0, enabled: true };
  const has = (creates: UnansweredCreate[], unreadable = {}): Promise<boolean> =>
    hasEarlierCreates(open({ load: async () => ({ creates, ...unreadable }) }));
  expect([await has([]), await has([create]), await has([], { unreadableAge: 0 })]).toEqual([false, true, true]);
});

it('a run without creates, earlier or its own, asks and records nothing', async () => {
  const { waits, open } = openLate();
  const store = emptyAccount();
  const onResolved = (): never => {
    throw new Error('nothing was to be resolved');
  };
  await settleEarlierCreates({ store, late: { ...open(), onResolved }, now: () => NOW });
  expect([waits, store.calls]).toEqual([[], {}]);
  const record = async (): Promise<never> => {
    throw new Fault('file.unwritable', 'the disk is full');
  };
  expect((await applied(store, wanted(0), { late: open({ record }) })).fatal).toBeUndefined();
  expect(await recordFault(open({ record }), [], 0)).toBeUndefined();
});

it('a twin of an earlier create stays when the lock was lost while its use was read', async () => {
  const { clock, open } = openLate();
  const store = emptyAccount();
  await open().journal.record([recorded('a')], 0);
  for (let twin = 0; twin < 2; twin += 1) store.seed(live('a'));
  clock.now += 200;
  const ensureHeld = async (): Promise<void> => {
    if ((store.calls.readMany ?? 0) > 0) throw new Fault('apply.lock-lost', 'gone');
  };
  const settled = settleEarlierCreates({ store, late: open(), now: () => clock.now, ensureHeld });
  await expect(settled).rejects.toMatchObject({ code: 'apply.lock-lost' });
  expect([store.calls.delete, store.records.size]).toEqual([undefined, 2]);
});

it('a create whose key is listed is not waited for', async () => {
  const { waits, open } = openLate();
  const store = emptyAccount();
  await open().journal.record([recorded('key-0')], 0);
  store.seed(live('key-0'));
  await settleEarlierCreates({ store, late: open(), now: () => NOW });
  expect([waits, store.calls.walk]).toEqual([[], 1]);
});

/** Two keys of one name, with the IDs 3 and 4, created by two runs 200 s ago. */
function openTwins(enabled = true) {
  const late = openLate();
  const clock = { now: NOW - 200 };
  const store = emptyAccount({ now: () => clock.now });
  const deleted: unknown[] = [];
  for (const name of ['x', 'y', 'key-0', 'key-0']) store.seed(live(name));
  const settle = async (age = 200): Promise<number[]> => {
    const creates = [2, 3].map((newestBefore) => ({ name: 'key-0', age, enabled, newestBefore }));
    const onTwinsDeleted: LateCreates['onTwinsDeleted'] = (twins) => void deleted.push(...twins);
    const opened = { ...late.open({ load: async () => ({ creates }) }), onTwinsDeleted };
    await settleEarlierCreates({ store, late: opened, now: () => NOW });
    return [...store.records.keys()];
  };
  return { store, clock, settle, deleted };
}

it('the unused twin of two creates is deleted and reported, by the earlier of both', async () => {
  const { settle, deleted } = openTwins();
  expect([await settle(), deleted]).toEqual([[1, 2, 3], [{ name: 'key-0', id: 4 }]]);
});

it('a twin that was used since the oldest create stays, however much was logged since', async () => {
  const { store, clock, settle } = openTwins();
  const spendOthers = (at: number, times: number): void => {
    clock.now = at;
    for (let n = 0; n < times; n += 1) store.spend(keyId(1), 1);
  };
  spendOthers(NOW - 1000, 250);
  clock.now = NOW - 450;
  store.spend(keyId(4), 1);
  // Only the log shows the use: somebody has given the unit back.
  Object.assign(store.records.get(4) ?? {}, { remain_quota: store.records.get(3)?.remain_quota });
  spendOthers(NOW - 400, 150);
  expect(await settle(500)).toEqual([1, 2, 3, 4]);
  expect(store.calls.usage).toBe(2);
});

it.each([
  [false, [1, 2, 3]],
  [true, [1, 2, 3, 4]],
])(
  'a twin that differs in its status is deleted only where the key is declared disabled (enabled: %s)',
  async (enabled, left) => {
    const { store, settle } = openTwins(enabled);
    Object.assign(store.records.get(3) ?? {}, { status: 2 });
    expect(await settle()).toEqual(left);
  },
);
