import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type KeyId, keyId } from '../domain/index.ts';
import type { KeptJournal, LeftCreate } from '../reconcile/index.ts';
import {
  addToNote,
  type JournalEntry,
  type JournalFile,
  type JournalPlace,
  LATE_SECONDS,
  readJournals,
  readNote,
  removeJournal,
  type StoredJournal,
} from './journal-files.ts';
import { hasEnded, type ProcessRef, processRef } from './process-life.ts';
import { accountHash, stateFolder } from './state-folder.ts';
import { writePrivately } from './write-file.ts';

export interface FileJournalOptions extends JournalPlace {
  readonly pid: number;
  readonly random: () => number;
  /** Names the place that stores the IDs of created keys. Omitted: none are stored. */
  readonly keeper?: string;
  /** Undefined: unknown. */
  readonly hasEnded?: (process: ProcessRef) => Promise<boolean | undefined>;
}

const MOST_ENTRIES = 10_000;

/** Runs writes one after another. Those that are requested while one runs are one write. */
function oneByOne(write: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = write();
        return running;
      });
    return next;
  };
}

const save = (path: string, stored: StoredJournal): Promise<void> =>
  stored.entries.length === 0
    ? rm(path, { force: true })
    : writePrivately(path, `${JSON.stringify({ ...stored, entries: stored.entries.slice(-MOST_ENTRIES) })}\n`);

const leftOf = ({ name, digest, enabled, newestBefore, at, id }: JournalEntry, run: string): LeftCreate => ({
  name,
  digest,
  enabled,
  newestBefore,
  at,
  run,
  ...(id === undefined ? {} : { id: keyId(id) }),
});

/** The entries that one run has written, in its own file. */
function openOwnEntries({ env, account, pid, random, keeper }: FileJournalOptions) {
  const run = `${pid}-${Math.floor(random() * 0xffffffff).toString(16)}`;
  let entries: readonly JournalEntry[] = [];
  let process: ProcessRef | undefined;
  const write = oneByOne(async () => {
    const folder = await stateFolder(env, 'creates');
    process ??= await processRef(pid);
    await save(join(folder, `${accountHash(account)}.${run}.json`), {
      version: 1,
      process,
      keeper: keeper ?? null,
      entries,
    });
  });
  return {
    run,
    async add(more: readonly JournalEntry[]): Promise<void> {
      entries = [...entries, ...more];
      await write().catch((thrown: unknown) => {
        entries = entries.filter((entry) => !more.includes(entry));
        throw thrown;
      });
    },
    async keepOnly(isKept: (entry: JournalEntry) => boolean): Promise<void> {
      const left = entries.filter(isKept);
      if (left.length === entries.length) return;
      entries = left;
      await write();
    },
    save: write,
    /** Written with the next change: until then the name stands for the key. */
    answer(name: string, id: KeyId): void {
      entries = entries.map((entry) => (entry.name === name ? { ...entry, id } : entry));
    },
  };
}

/**
 * Retires creates whose keys are stored, of runs that have ended. Keys are refreshed concurrently, by several processes too, and an
 * entry that came back would later pass a stored key off as one that a killed run left. So nothing is rewritten: names are appended.
 */
async function retireEntries(creates: readonly LeftCreate[], options: FileJournalOptions): Promise<void> {
  for (const { run, path, stored } of await readJournals(options)) {
    const names = creates.filter((create) => create.run === run).map(({ name }) => name);
    const left = stored?.entries.filter(({ name }) => !names.includes(name));
    if (stored === undefined || left === undefined || left.length === stored.entries.length) continue;
    await addToNote(path, '.retired', names);
    if (readNote(path, '.retired').size < new Set(stored.all.map(({ name }) => name)).size) continue;
    await removeJournal(path);
  }
}

/** Notes which outcomes were reported, next to each journal that has these creates. */
async function noteReported(names: ReadonlySet<string>, options: FileJournalOptions): Promise<void> {
  for (const { path, stored, reported } of await readJournals(options)) {
    const more = (stored?.entries ?? [])
      .map(({ name }) => name)
      .filter((name) => names.has(name) && !reported.has(name));
    if (more.length > 0) await addToNote(path, '.reported', more);
  }
}

/** A process of another machine counts as ended once its journal is old. */
async function isLeft({ stored, writtenAt }: JournalFile, options: FileJournalOptions): Promise<boolean> {
  if (stored === undefined || options.keeper === undefined || stored.keeper !== options.keeper) return false;
  const ended = await (options.hasEnded ?? hasEnded)(stored.process);
  return ended ?? options.now() - writtenAt >= LATE_SECONDS;
}

/**
 * The journal of an account in files of the state folder, readable by their owner only. Each run writes a file of its own, so
 * runs need no lock, and the file disappears with its last entry.
 */
export function openFileJournal(options: FileJournalOptions): KeptJournal {
  const { now } = options;
  const own = openOwnEntries(options);
  return {
    async load() {
      const journals = await readJournals(options);
      const entries = journals.flatMap(({ stored, reported }) =>
        (stored?.entries ?? []).map((entry) => ({ ...entry, isReported: reported.has(entry.name) })),
      );
      const recent = entries.filter(({ at }) => now() - at < LATE_SECONDS);
      const leftEnabled = recent.flatMap(({ id, enabled }) => (id === undefined || enabled ? [] : [keyId(id)]));
      const unreadable = journals.flatMap(({ stored, writtenAt }) => (stored ? [] : [now() - writtenAt]));
      const creates = recent
        .filter(({ id }) => id === undefined)
        .map(({ name, enabled, newestBefore, at, isReported }) => ({
          ...{ name, enabled, newestBefore, age: now() - at },
          ...(isReported && { isReported }),
        }));
      return {
        creates,
        ...(leftEnabled.length > 0 ? { leftEnabled } : {}),
        ...(unreadable.length > 0 ? { unreadableAge: Math.min(...unreadable) } : {}),
      };
    },
    record: (creates, newestBefore) => own.add(creates.map((create) => ({ ...create, newestBefore, at: now() }))),
    forget(names) {
      const forgotten = new Set(names);
      return own.keepOnly(({ name }) => !forgotten.has(name));
    },
    reported: (names) => noteReported(new Set(names), options),
    answered: own.answer,
    async leftEnabled(keys) {
      for (const { name, id } of keys) own.answer(name, id);
      await own.save();
    },
    async left() {
      const journals = await readJournals(options);
      const isEach = await Promise.all(journals.map((journal) => isLeft(journal, options)));
      return journals.flatMap(({ stored, run }, index) =>
        isEach[index] ? (stored?.entries ?? []).map((entry) => leftOf(entry, run)) : [],
      );
    },
    retire: (creates) => retireEntries(creates, options),
    close: () => own.keepOnly(({ id }) => id === undefined),
  };
}
