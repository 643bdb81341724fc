import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFileJournal } from '../../src/disk/index.ts';
import { keyId } from '../../src/domain/index.ts';
import type { KeptJournal } from '../../src/reconcile/index.ts';
import { endRuns, type JournalMemory, journalMemory, openMemoryJournal, recorded } from './memory-journal.ts';

const account = { url: 'https://gateway.example.com', userId: 42 };
const START = 1_800_000_000;
let home: string;
let now: number;
let memory: JournalMemory;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'keyplane-journal-'));
  now = START;
  memory = journalMemory();
  hasEnded = false;
});
afterEach(() => rm(home, { recursive: true, force: true }));

let hasEnded: boolean | undefined;

const inFile = (of = account, keeper = '/stack'): KeptJournal =>
  openFileJournal({
    env: { XDG_STATE_HOME: home },
    account: of,
    pid: process.pid,
    random: Math.random,
    now: () => now,
    keeper,
    hasEnded: async () => hasEnded,
  });

const endAll = (): void => {
  endRuns(memory);
  hasEnded = true;
};

describe.each<[string, () => KeptJournal]>([
  ['in memory', () => openMemoryJournal(memory, () => now)],
  ['in a file', () => inFile()],
])('a journal of creates %s', (_, open) => {
  it('is empty at first', async () => {
    expect(await open().load()).toEqual({ creates: [] });
    await open().forget(['a']);
    expect(await open().load()).toEqual({ creates: [] });
  });

  it('shows a later run the names that were recorded and not forgotten, with their age', async () => {
    const journal = open();
    await journal.record([recorded('a'), recorded('b')], 7);
    now += 30;
    await journal.record([recorded('c')], 9);
    await journal.forget(['a', 'x']);
    expect((await open().load()).creates).toEqual([
      { name: 'b', newestBefore: 7, age: 30, enabled: true },
      { name: 'c', newestBefore: 9, age: 0, enabled: true },
    ]);
  });

  it('keeps a name of an earlier run when a later one forgets the same name', async () => {
    await open().record([recorded('a')], 1);
    const later = open();
    await later.record([recorded('a')], 5);
    await later.forget(['a']);
    expect((await open().load()).creates).toEqual([{ name: 'a', newestBefore: 1, age: 0, enabled: true }]);
  });

  it('shows later runs whose outcomes were reported, and not those of creates of the same name that were recorded since', async () => {
    await open().record([recorded('a'), recorded('b')], 7);
    await open().reported?.(['a', 'x']);
    await open().record([recorded('a')], 9);
    const { creates } = await open().load();
    expect(creates.map((create) => [create.name, create.newestBefore, create.isReported]).sort()).toEqual([
      ['a', 7, true],
      ['a', 9, undefined],
      ['b', 7, undefined],
    ]);
  });

  it('shows what a killed run left, answered or not, and nothing of a run that goes on', async () => {
    const journal = open();
    await journal.record([recorded('a'), recorded('b')], 7);
    journal.answered('a', keyId(8));
    await journal.record([recorded('c')], 8);
    expect(await open().left()).toEqual([]);
    endAll();
    const left = await open().left();
    expect(left).toMatchObject([
      { ...recorded('a'), newestBefore: 7, at: START, id: 8 },
      { ...recorded('b'), newestBefore: 7, at: START },
      { ...recorded('c'), newestBefore: 8, at: START },
    ]);
    expect((await open().load()).creates.map(({ name }) => name)).toEqual(['b', 'c']);
    await open().retire(left.slice(0, 2));
    expect((await open().left()).map(({ name }) => name)).toEqual(['c']);
  });

  it('retires every create when many are retired concurrently, by one process and by several', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `key-${n}`);
    await open().record(names.map(recorded), 7);
    endAll();
    const left = await open().left();
    const [one, other] = [open(), open()];
    await Promise.all(left.map((create, n) => (n % 3 === 0 ? other : one).retire([create])));
    expect(await open().left()).toEqual([]);
  });

  it('shows a later run for a day which keys are to be disabled and are not', async () => {
    const journal = open();
    await journal.record([{ ...recorded('off'), enabled: false }, recorded('on')], 7);
    await journal.leftEnabled([{ name: 'off', id: keyId(8) }]);
    await journal.forget(['on']);
    expect(await open().load()).toEqual({ creates: [], leftEnabled: [8] });
    now += 86_400;
    expect(await open().load()).toEqual({ creates: [] });
  });

  it('leaves only what was not answered when the run ends properly', async () => {
    const journal = open();
    await journal.record([recorded('a'), recorded('b')], 7);
    journal.answered('a', keyId(8));
    await journal.close();
    endAll();
    expect((await open().left()).map(({ name }) => name)).toEqual(['b']);
  });
});

describe('a journal of creates in a file', () => {
  const folder = () => join(home, 'keyplane', 'creates');
  const path = async () => join(folder(), (await readdir(folder()))[0] ?? '');

  it('is readable by its owner only, and separate for each account', async () => {
    await inFile().record([recorded('a')], 1);
    expect((await stat(await path())).mode & 0o777).toBe(0o600);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
    expect(await inFile({ ...account, userId: 43 }).load()).toEqual({ creates: [] });
  });

  it('holds at most 10,000 names, for a day', async () => {
    const names = Array.from({ length: 10_050 }, (_, n) => `key-${n}`);
    await inFile().record(names.map(recorded), 1);
    expect((await inFile().load()).creates).toHaveLength(10_000);
    now += 86_400;
    expect(await inFile().load()).toEqual({ creates: [] });
  });

  it.each<[string, (file: string) => Promise<unknown>]>([
    ['is cut off', (file) => truncate(file, 20)],
    ['is empty', (file) => truncate(file, 0)],
    ['has another version', (file) => writeFile(file, '{"version":2,"entries":[]}')],
    ['has entries of another form', (file) => writeFile(file, '{"version":1,"entries":[{"name":7}]}')],
    ['is too large', (file) => writeFile(file, ' '.repeat(4_000_001))],
  ])('counts as written with unknown names when it %s, and hides no other', async (_, corrupt) => {
    await inFile().record([recorded('a')], 1);
    await corrupt(await path());
    await utimes(await path(), START, START);
    now = START + 50;
    expect(await inFile().load()).toEqual({ creates: [], unreadableAge: 50 });
    await inFile().record([recorded('b')], 2);
    expect((await inFile().load()).creates).toMatchObject([{ name: 'b' }]);
  });

  it('file.unwritable: reports names that cannot be recorded', async () => {
    const journal = inFile();
    await journal.record([recorded('a')], 1);
    const file = await path();
    await rm(file);
    await mkdir(join(file, 'in-the-way'), { recursive: true });
    await utimes(file, START, START);
    await expect(journal.record([recorded('b')], 1)).rejects.toMatchObject({ code: 'file.unwritable' });
    expect(await inFile().load()).toHaveProperty('unreadableAge');
    await rm(file, { recursive: true });
    await journal.record([recorded('c')], 1);
    expect((await inFile().load()).creates.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  it('contains names and a digest of the settings', async () => {
    await inFile().record([recorded('a')], 1);
    const { entries } = JSON.parse(await readFile(await path(), 'utf8'));
    expect(Object.keys(entries[0])).toEqual(['name', 'digest', 'enabled', 'newestBefore', 'at']);
  });

  it('disappears with its last name, and a month after its run was killed', async () => {
    const journal = inFile();
    await journal.record([recorded('a')], 1);
    await journal.forget(['a']);
    expect(await readdir(folder())).toEqual([]);
    await journal.record([recorded('b')], 1);
    await inFile().reported?.(['b']);
    now += 30 * 86_400;
    expect(await inFile().left()).toEqual([]);
    expect(await readdir(folder())).toEqual([]);
  });

  it('removes what a killed run had begun to write, after a day', async () => {
    await inFile().record([recorded('a')], 1);
    const begun = `${await path()}.1850123`;
    await writeFile(begun, '{"version":1,"ent');
    await utimes(begun, START, START);
    now = START + 86_399;
    await inFile().load();
    expect(await readdir(folder())).toHaveLength(2);
    now += 1;
    expect((await inFile().load()).creates).toEqual([]);
    expect(await readdir(folder())).toHaveLength(1);
  });

  it.each([
    ['with another place of IDs', '/other', 42, 0],
    ['of another account', '/stack', 43, 0],
    ['with the same place', '/stack', 42, 1],
  ])('is shown as left to a run %s or not', async (_, keeper, userId, count) => {
    await inFile().record([recorded('a')], 1);
    hasEnded = true;
    expect(await inFile({ ...account, userId }, keeper).left()).toHaveLength(count);
  });

  it('of another machine counts as left after a day', async () => {
    await inFile().record([recorded('a')], 1);
    hasEnded = undefined;
    expect(await inFile().left()).toEqual([]);
    now += 86_400;
    expect(await inFile().left()).toHaveLength(1);
  });

  it('is made by nobody who only reads', async () => {
    expect([await inFile().load(), await inFile().left()]).toEqual([{ creates: [] }, []]);
    await expect(readdir(join(home, 'keyplane'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
