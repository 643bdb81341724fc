import { appendFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type AccountRef, parseShallowJson, type UnixSeconds } from '../domain/index.ts';
import type { RecordedCreate } from '../reconcile/index.ts';
import { readRegularFile } from '../source/index.ts';
import type { ProcessRef } from './process-life.ts';
import { accountHash, type StateEnvironment, stateFolders } from './state-folder.ts';

export interface JournalEntry extends RecordedCreate {
  readonly newestBefore: number;
  readonly at: number;
  /** Present once the run found its key. */
  readonly id?: number;
}

/** The journal of one run. Nobody else writes to its file while it lives. */
export interface StoredJournal {
  readonly version: 1;
  readonly process: ProcessRef;
  /** Names the place that stores the IDs of the created keys; null: the run stores none. */
  readonly keeper: string | null;
  readonly entries: readonly JournalEntry[];
}

/** The place of an account’s journals, and the time by which they grow old. */
export interface JournalPlace {
  readonly env: StateEnvironment;
  readonly account: AccountRef;
  readonly now: () => UnixSeconds;
}

const MOST_BYTES = 10_000_000;
/** Until then, a create that takes effect late is recognized. */
export const LATE_SECONDS = 86_400;
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

export interface JournalFile {
  readonly run: string;
  readonly path: string;
  /** The names of creates whose outcomes were reported. */
  readonly reported: ReadonlySet<string>;
  /** Without what was retired. Undefined: damaged, too large or of another version. Names may have been sent when it was written. */
  readonly stored?: StoredJournal & { readonly all: readonly JournalEntry[] };
  /** The time of its newest entry, by the clock that wrote it, or of the file. */
  readonly writtenAt: UnixSeconds;
}

/** Files next to a journal: the names of the creates that were retired from it, and of those whose outcomes were reported. */
const NOTES = ['.retired', '.reported'] as const;
type Note = (typeof NOTES)[number];

const notePath = (path: string, note: Note): string => path.replace(/\.json$/, note);

/** The journal that a file is a note of. */
const journalOf = (file: string): string | undefined => {
  const note = NOTES.find((each) => file.endsWith(each));
  return note && file.replace(note, '.json');
};

function tryParseName(line: string): string | undefined {
  try {
    const name: unknown = parseShallowJson(line);
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** One name a line. A line that was cut off names nothing. */
export function readNote(path: string, note: Note): ReadonlySet<string> {
  try {
    const text = readRegularFile(notePath(path, note), MOST_BYTES).toString('utf8');
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
      const retired = readNote(path, '.retired');
      const entries = all.filter(({ name }) => !retired.has(name));
      return {
        run,
        path,
        reported: readNote(path, '.reported'),
        stored: { ...stored, entries, all },
        writtenAt: all.reduce((most, { at }) => Math.max(most, at), 0),
      };
    }
  } catch {
    // Unreadable, as below.
  }
  return { run, path, reported: new Set(), writtenAt: Math.floor(found.mtimeMs / 1000) };
}

/** Removes what a run that was killed had begun to write. A day later, no run is still writing it. */
async function removeOld(path: string, now: UnixSeconds): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && now - found.mtimeMs / 1000 >= LATE_SECONDS) await rm(path, { force: true }).catch(() => undefined);
}

export async function removeJournal(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
  for (const note of NOTES) await rm(notePath(path, note), { force: true }).catch(() => undefined);
}

/** Reads the journals of an account. Removes those that are too old to matter, and creates no folder. */
export async function readJournals({ env, account, now }: JournalPlace): Promise<readonly JournalFile[]> {
  const prefix = `${accountHash(account)}.`;
  const journals: JournalFile[] = [];
  for (const folder of await stateFolders(env, 'creates')) {
    const names: readonly string[] = await readdir(folder).catch(() => []);
    for (const file of names.filter((name) => name.startsWith(prefix))) {
      if (names.includes(journalOf(file) ?? '')) continue;
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

export const addToNote = (path: string, note: Note, names: readonly string[]): Promise<void> =>
  appendFile(notePath(path, note), names.map((name) => `${JSON.stringify(name)}\n`).join(''), { mode: 0o600 });
