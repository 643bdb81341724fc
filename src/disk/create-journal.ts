import { appendFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AccountRef, type KeyId, keyId, parseShallowJson, type UnixSeconds } from '../domain/index.ts';
import type { KeptJournal, LeftCreate, RecordedCreate } from '../reconcile/index.ts';
import { readRegularFile } from '../source/index.ts';
import { hasEnded, type ProcessRef, processRef } from './process-life.ts';
import { accountHash, type StateEnvironment, stateFolder, stateFolders } from './state-folder.ts';
import { writePrivately } from './write-file.ts';

interface JournalEntry extends RecordedCreate {
  readonly newestBefore: number;
  readonly at: number;
  /** Present once the run found its key. */
  readonly id?: number;
}

/** The journal of one run. Nobody else writes to its file while it lives. */
interface StoredJournal {
  readonly version: 1;
  readonly process: ProcessRef;
  /** Names the place that stores the IDs of the created keys; null: the run stores none. */
  readonly keeper: string | null;
  readonly entries: readonly JournalEntry[];
}

export interface FileJournalOptions {
  readonly env: StateEnvironment;
  readonly account: AccountRef;
  readonly pid: number;
  readonly random: () => number;
  readonly now: () => UnixSeconds;
  /** Names the place that stores the IDs of created keys. Omitted: none are stored. */
  readonly keeper?: string;
  /** Undefined: unknown. */
  readonly hasEnded?: (process: ProcessRef) => Promise<boolean | undefined>;
}

const MOST_ENTRIES = 10_000;
const MOST_BYTES = 10_000_000;
/** Until then, a create that takes effect late is recognized. */
const LATE_SECONDS = 86_400;
/** Until then, the key of a run that was killed is recognized. */
const KEPT_SECONDS = 30 * LATE_SECONDS;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isEntry = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.name === 'string' &&
  typeof value.digest === 'string' &&
  typeof value.enabled === 'boolean' &&
  Number.isSafeInteger(value.newestBefore) &&
  Number.isSafeInteger(value.at) &&
  (value.id === undefined || (Number.isSafeInteger(value.id) && Number(value.id) > 0));

const isProcess = (value: unknown): boolean =>
  isObject(value) && Number.isSafeInteger(value.pid) && typeof value.host === 'string';

const isStoredJournal = (value: unknown): value is StoredJournal =>
  isObject(value) &&
  value.version === 1 &&
  isProcess(value.process) &&
  (value.keeper === null || typeof value.keeper === 'string') &&
  Array.isArray(value.entries) &&
  value.entries.every(isEntry);

interface JournalFile {
  readonly run: string;
  readonly path: string;
  /** Without what was retired. Undefined: damaged, too large or of another version. Names may have been sent when it was written. */
  readonly stored?: StoredJournal & { readonly all: readonly JournalEntry[] };
  /** The time of its newest entry, by the clock that wrote it, or of the file. */
  readonly writtenAt: UnixSeconds;
}

const RETIRED = '.retired';

/** The file next to a journal that names what was retired from it. */
const retiredPath = (path: string): string => path.replace(/\.json$/, RETIRED);

function tryParseName(line: string): string | undefined {
  try {
    const name: unknown = parseShallowJson(line);
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** One name a line. A line that was cut off retires nothing. */
function readRetired(path: string): ReadonlySet<string> {
  try {
    const text = readRegularFile(retiredPath(path), MOST_BYTES).toString('utf8');
    return new Set(text.split('\n').flatMap((line) => tryParseName(line) ?? []));
  } catch {
    return new Set();
  }
}

async function readJournal(folder: string, file: string, prefix: string): Promise<JournalFile | undefined> {
  const path = join(folder, file);
  const found = await stat(path).catch(() => undefined);
  // Its run has ended meanwhile, and left nothing.
  if (found === undefined) return undefined;
  const run = file.slice(prefix.length, -'.json'.length);
  try {
    const stored: unknown = parseShallowJson(readRegularFile(path, MOST_BYTES).toString('utf8'));
    if (isStoredJournal(stored)) {
      const { entries: all } = stored;
      const retired = readRetired(path);
      const entries = all.filter(({ name }) => !retired.has(name));
      return {
        run,
        path,
        stored: { ...stored, entries, all },
        writtenAt: all.reduce((most, { at }) => Math.max(most, at), 0),
      };
    }
  } catch {
    // Unreadable, as below.
  }
  return { run, path, writtenAt: Math.floor(found.mtimeMs / 1000) };
}

/** Removes what a run that was killed had begun to write. A day later, no run is still writing it. */
async function removeOld(path: string, now: UnixSeconds): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && now - found.mtimeMs / 1000 >= LATE_SECONDS) await rm(path, { force: true }).catch(() => undefined);
}

async function removeJournal(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
  await rm(retiredPath(path), { force: true }).catch(() => undefined);
}

/** Reads the journals of an account. Removes those that are too old to matter, and creates no folder. */
async function readJournals({ env, account, now }: FileJournalOptions): Promise<readonly JournalFile[]> {
  const prefix = `${accountHash(account)}.`;
  const journals: JournalFile[] = [];
  for (const folder of await stateFolders(env, 'creates')) {
    const names: readonly string[] = await readdir(folder).catch(() => []);
    for (const file of names.filter((name) => name.startsWith(prefix))) {
      if (file.endsWith(RETIRED) && names.includes(file.replace(RETIRED, '.json'))) continue;
      if (!file.endsWith('.json')) {
        await removeOld(join(folder, file), now());
        continue;
      }
      const journal = await readJournal(folder, file, prefix);
      if (journal && now() - journal.writtenAt < KEPT_SECONDS) journals.push(journal);
      else if (journal) await removeJournal(journal.path);
    }
  }
  return journals;
}

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
    await appendFile(retiredPath(path), names.map((name) => `${JSON.stringify(name)}\n`).join(''), { mode: 0o600 });
    if (readRetired(path).size < new Set(stored.all.map(({ name }) => name)).size) continue;
    await removeJournal(path);
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
      const entries = journals.flatMap(({ stored }) => stored?.entries ?? []);
      const recent = entries.filter(({ at }) => now() - at < LATE_SECONDS);
      const leftEnabled = recent.flatMap(({ id, enabled }) => (id === undefined || enabled ? [] : [keyId(id)]));
      const unreadable = journals.flatMap(({ stored, writtenAt }) => (stored ? [] : [now() - writtenAt]));
      const creates = recent
        .filter(({ id }) => id === undefined)
        .map(({ name, enabled, newestBefore, at }) => ({ name, enabled, newestBefore, age: now() - at }));
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
