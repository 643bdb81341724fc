import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTaskFile } from '../../src/checks/tasks/task-file.ts';
import { readHistory } from '../../src/cli/session/files/history.ts';
import { accountHash, openFileJournal, usageCacheAt } from '../../src/disk/index.ts';
import { Fault, quota } from '../../src/domain/index.ts';
import { readEvents, valuesIn } from '../../src/gateway/inference/sse.ts';
import { tryParseJson } from '../../src/gateway/response-fault.ts';
import { decodePlan } from '../../src/manifest/index.ts';
import { type WindowReading, withReading } from '../../src/reconcile/usage/memory.ts';
import * as wire from '../../src/wire/index.ts';
import { readFiles } from '../manifest/scratch.ts';

/** Reads a text. Throws only for an input that it must not throw for. */
type Read = (text: string) => unknown;

const ACCOUNT = { url: 'https://gateway.example', userId: 42 };

/** Reads a file of the text that an earlier run left, in a folder of its own. */
const readsFile =
  (read: (path: string, folder: string) => Promise<unknown>): Read =>
  async (text) => {
    const folder = mkdtempSync(join(tmpdir(), 'keyplane-fuzz-'));
    try {
      const path = join(folder, 'run.json');
      writeFileSync(path, text);
      await read(path, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

/** A fault is an answer, unless it is our own defect; any other error is not. */
function allow(thrown: unknown): void {
  if (!(thrown instanceof Fault) || thrown.code === 'tool.defect') throw thrown;
}

/** A manifest is there, or an error that explains its absence, and every diagnostic has its place. */
async function readsManifest(name: string, text: string): Promise<void> {
  const { manifest, diagnostics } = await readFiles({ [name]: text });
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
  if ((manifest === undefined) !== hasErrors) throw new Error('neither a manifest nor an error');
  if (diagnostics.some(({ place }) => place === undefined)) throw new Error('a diagnostic without a place');
}

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 61) yield bytes.subarray(at, at + size);
}

async function readsEvents(text: string): Promise<void> {
  for await (const { data } of readEvents(inChunks(new TextEncoder().encode(text)))) {
    try {
      valuesIn(data);
    } catch (thrown) {
      if (!(thrown instanceof SyntaxError)) throw thrown;
    }
  }
}

interface Schema {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: unknown };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'safeParse' in value && typeof value.safeParse === 'function';

/** Every schema that the room of the gateway's language exports, and the pages made of them. */
const EXPORTED: readonly unknown[] = Object.values(wire);
const SCHEMAS: readonly Schema[] = [
  ...EXPORTED.filter(isSchema),
  wire.pageOf(wire.KeyRecord),
  wire.pageOf(wire.LogEntry),
];

function readsAnswers(text: string): void {
  const body = tryParseJson(text);
  for (const schema of SCHEMAS) schema.safeParse(body);
  for (const value of [body, ...(Array.isArray(body) ? body : [])]) {
    const record = wire.KeyRecord.safeParse(value);
    if (record.success) wire.keyFromWire(record.data, value as Record<string, unknown>);
    const entry = wire.LogEntry.safeParse(value);
    if (entry.success) wire.usageFromWire(entry.data);
  }
  wire.tryReadErrorBody(body);
}

function readsPlan(text: string): void {
  try {
    decodePlan(text);
  } catch (thrown) {
    allow(thrown);
  }
}

const TASK = { key: 7, check: 'film', model: 'epsilon-video-1', request: {} };

const NOW = 1_800_000_000;

async function readsLedger(path: string): Promise<void> {
  const tasks = openTaskFile({
    path,
    account: ACCOUNT,
    usage: async function* () {},
    run: 'fuzz',
    owner: { pid: 1, host: 'here', started: null },
    hasEnded: async () => true,
    now: () => NOW * 1000,
    resubmit: false,
  });
  await tasks.isUnderWay(TASK);
  await tasks.claim(TASK).catch(allow);
}

const READING: WindowReading = {
  at: NOW,
  since: NOW - 60,
  remain: quota(1),
  least: quota(0),
  most: quota(1),
  granted: quota(2),
  ceiling: quota(2),
};

async function readsUsage(path: string): Promise<void> {
  const memory = await usageCacheAt(path, ACCOUNT).load();
  for (const known of memory?.keys.values() ?? []) withReading(known, READING);
}

/** The state folder is the one that holds this file. */
async function readsJournal(path: string, home: string): Promise<void> {
  const folder = join(home, 'keyplane', 'creates');
  mkdirSync(folder, { recursive: true });
  copyFileSync(path, join(folder, `${accountHash(ACCOUNT)}.1-2.json`));
  const journal = openFileJournal({
    env: { XDG_STATE_HOME: home },
    account: ACCOUNT,
    pid: 1,
    random: () => 0.5,
    now: () => NOW,
    keeper: 'terraform.tfstate',
    hasEnded: async () => true,
  });
  await journal.load();
  await journal.retire(await journal.left());
}

/** Every reader of texts from outside, by the folder of its seeds. */
export const READERS: Readonly<Record<string, Read>> = {
  yaml: (text) => readsManifest('keyplane.yaml', text),
  'terraform-json': (text) => readsManifest('main.tf.json', text),
  events: readsEvents,
  answers: readsAnswers,
  'saved-plan': readsPlan,
  ledger: readsFile(readsLedger),
  journal: readsFile(readsJournal),
  history: readsFile((_path, folder) => readHistory(folder, { account: ACCOUNT, most: 5 })),
  'usage-cache': readsFile(readsUsage),
};
