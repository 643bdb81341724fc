import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCreateJournal } from '../../src/cli/session/files/create-journal.ts';
import type { CreateJournal } from '../../src/reconcile/index.ts';
import { openTerminal } from '../cli/terminal.ts';
import { type JournalMemory, journalMemory, openMemoryJournal } from './memory-journal.ts';

const account = { url: 'https://gateway.example.com', userId: 42 };
const START = 1_800_000_000;
let home: string;
let now: number;
let memory: JournalMemory;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'keyplane-journal-'));
  now = START;
  memory = journalMemory();
});
afterEach(() => rm(home, { recursive: true, force: true }));

const inFile = (of = account): CreateJournal =>
  openCreateJournal({ ...openTerminal({ env: { XDG_STATE_HOME: home } }).io, clock: () => now }, of);

describe.each<[string, () => CreateJournal]>([
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
    await journal.record(['a', 'b'], 7);
    now += 30;
    await journal.record(['c'], 9);
    await journal.forget(['a', 'x']);
    expect((await open().load()).creates).toEqual([
      { name: 'b', newestBefore: 7, age: 30 },
      { name: 'c', newestBefore: 9, age: 0 },
    ]);
  });

  it('keeps a name of an earlier run when a later one forgets the same name', async () => {
    await open().record(['a'], 1);
    const later = open();
    await later.record(['a'], 5);
    await later.forget(['a']);
    expect((await open().load()).creates).toEqual([{ name: 'a', newestBefore: 1, age: 0 }]);
  });
});

describe('a journal of creates in a file', () => {
  const folder = () => join(home, 'keyplane', 'creates');
  const path = async () => join(folder(), (await readdir(folder()))[0] ?? '');

  it('is readable by its owner only, and separate for each account', async () => {
    await inFile().record(['a'], 1);
    expect((await stat(await path())).mode & 0o777).toBe(0o600);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
    expect(await inFile({ ...account, userId: 43 }).load()).toEqual({ creates: [] });
  });

  it('holds at most 10,000 names, for a day', async () => {
    const names = Array.from({ length: 10_050 }, (_, n) => `key-${n}`);
    await inFile().record(names, 1);
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
  ])('counts as written with unknown names when it %s, and is replaced', async (_, corrupt) => {
    await inFile().record(['a'], 1);
    await corrupt(await path());
    await utimes(await path(), START, START);
    now = START + 50;
    expect(await inFile().load()).toEqual({ creates: [], unreadableAge: 50 });
    await inFile().record(['b'], 2);
    expect((await inFile().load()).creates).toMatchObject([{ name: 'b' }]);
  });

  it('file.unwritable: reports names that cannot be recorded', async () => {
    await inFile().record(['a'], 1);
    const file = await path();
    await rm(file);
    await mkdir(join(file, 'in-the-way'), { recursive: true });
    await expect(inFile().record(['b'], 1)).rejects.toMatchObject({ code: 'file.unwritable' });
    expect(await inFile().load()).toHaveProperty('unreadableAge');
  });

  it('contains names and no settings', async () => {
    await inFile().record(['a'], 1);
    expect(Object.keys(JSON.parse(await readFile(await path(), 'utf8')).entries[0])).toEqual([
      'name',
      'newestBefore',
      'at',
      'run',
    ]);
  });
});
