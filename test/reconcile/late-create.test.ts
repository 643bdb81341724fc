import { expect, it } from 'vitest';
import { Fault } from '../../src/domain/index.ts';
import { type CreateJournal, type LateCreates, settleEarlierCreates, type Waiting } from '../../src/reconcile/index.ts';
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
  await expect(settled).rejects.toMatchObject({ code: 'gateway.interrupted' });
});

it('without a time to settle, a create whose answer was lost is looked for once', async () => {
  const { waits, open } = openLate(0);
  const store = emptyAccount();
  store.hook = failing('create', 'gateway.timeout');
  expect(states(await applied(store, wanted(1), { late: open() }))).toEqual(['create key-0: indeterminate']);
  expect(waits).toEqual([]);
});
