import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccountRef } from '../../../domain/index.ts';
import type { CreateJournal, LateCreates, UnansweredCreates, Waiting } from '../../../reconcile/index.ts';
import { printable } from '../../output/layout/printable.ts';
import type { Context } from '../../program/command.ts';
import { SETTLE } from '../../program/flags.ts';
import { count } from '../../program/option.ts';
import type { Io } from '../io.ts';
import { nowOf } from '../io.ts';
import { accountHash } from '../lock.ts';
import { stateFolder } from './state-folder.ts';
import { unwritable, writePrivately } from './write-file.ts';

interface JournalEntry {
  readonly name: string;
  readonly newestBefore: number;
  readonly at: number;
  /** Identifies the run that wrote it. */
  readonly run: string;
}

interface StoredJournal {
  readonly version: 1;
  readonly entries: readonly JournalEntry[];
}

/** Longer than the time limits of usual proxies and of the gateway’s requests to its database. */
const DEFAULT_SETTLE_SECONDS = 120;
const MOST_ENTRIES = 10_000;
const MOST_BYTES = 4_000_000;
/** Until then, a create that takes effect late is recognized. */
const KEPT_SECONDS = 86_400;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isEntry = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.name === 'string' &&
  typeof value.run === 'string' &&
  Number.isSafeInteger(value.newestBefore) &&
  Number.isSafeInteger(value.at);

const isStoredJournal = (value: unknown): value is StoredJournal =>
  isObject(value) && value.version === 1 && Array.isArray(value.entries) && value.entries.every(isEntry);

type Read = { readonly entries: readonly JournalEntry[] } | { readonly unreadableSince: number };

/** A file that is damaged, too large or of another version is unreadable: names may have been sent when it was written. */
async function readEntries(path: string): Promise<Read> {
  // Where the folder cannot be entered, nothing can be recorded, and so nothing is sent.
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return { entries: [] };
  try {
    const stored: unknown = found.size > MOST_BYTES ? undefined : JSON.parse(await readFile(path, 'utf8'));
    if (isStoredJournal(stored)) return { entries: stored.entries };
  } catch {
    // Unreadable, as below.
  }
  return { unreadableSince: Math.floor(found.mtimeMs / 1000) };
}

/**
 * The journal of an account in a file of the state folder, readable by its owner only. The lock of the account must be held:
 * nobody else writes to the file then. It holds at most 10,000 names, for a day.
 */
export function openCreateJournal(io: Io, account: AccountRef): CreateJournal {
  // Commands that only read create no folder.
  const pathOf = async (): Promise<string> => {
    const folder = await stateFolder(io.env, 'creates').catch((cause) => {
      throw unwritable('the folder for the journal of creates', cause);
    });
    return join(folder, `${accountHash(account)}.json`);
  };
  const run = `${io.pid}-${Math.floor(io.random() * 0xffffffff).toString(16)}`;
  const kept = async (): Promise<readonly JournalEntry[]> => {
    const read = await readEntries(await pathOf());
    return 'entries' in read ? read.entries.filter(({ at }) => nowOf(io) - at < KEPT_SECONDS) : [];
  };
  const save = async (entries: readonly JournalEntry[]): Promise<void> => {
    const stored: StoredJournal = { version: 1, entries: entries.slice(-MOST_ENTRIES) };
    await writePrivately(await pathOf(), `${JSON.stringify(stored)}\n`);
  };
  return {
    async load(): Promise<UnansweredCreates> {
      const now = nowOf(io);
      const read = await readEntries(await pathOf());
      if ('unreadableSince' in read) return { creates: [], unreadableAge: now - read.unreadableSince };
      const creates = (await kept()).map(({ name, newestBefore, at }) => ({ name, newestBefore, age: now - at }));
      return { creates };
    },
    async record(names, newestBefore) {
      const entries = names.map((name): JournalEntry => ({ name, newestBefore, at: nowOf(io), run }));
      await save([...(await kept()), ...entries]);
    },
    async forget(names) {
      const gone = new Set(names);
      const entries = await kept();
      const left = entries.filter((entry) => entry.run !== run || !gone.has(entry.name));
      if (left.length < entries.length) await save(left);
    },
  };
}

/** The protection of a run from creates that take effect late: the journal in a file, and a wait that a person sees. */
export function lateCreatesOf({ io, given, interruption, print }: Context, account: AccountRef): LateCreates {
  return {
    journal: openCreateJournal(io, account),
    settle: count(given, SETTLE.flag) ?? DEFAULT_SETTLE_SECONDS,
    async wait(waiting) {
      print(renderWaiting(waiting));
      await io.pause(waiting.seconds, interruption.signal);
    },
  };
}

const MOST_NAMES = 3;

function renderWaiting({ seconds, names }: Waiting): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => `“${printable(name)}”`);
  const others = names.length - shown.length;
  const which = shown.length === 0 ? 'an earlier run' : `the create of ${shown.join(', ')}`;
  const more = others > 0 ? ` and ${others} more` : '';
  return `Waiting ${Math.ceil(seconds)} s: ${which}${more} may still take effect. --${SETTLE.flag} sets this time.`;
}
