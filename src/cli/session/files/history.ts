import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writePrivately } from '../../../disk/index.ts';
import {
  type AccountRef,
  type CheckReport,
  Fault,
  fileTrouble,
  parseShallowJson,
  VERDICTS,
  type Verdict,
} from '../../../domain/index.ts';
import { MOST_BYTES, readBoundedText } from '../../../source/index.ts';

/** One check of an earlier run: the data of a comparison, without requests and answers. */
export interface PastResult {
  readonly key: string;
  readonly check: string;
  readonly verdict: Verdict;
  readonly attempts: number;
  readonly durationMs?: number;
  readonly firstByteMs?: number;
  /** Quota units. */
  readonly charged?: number;
}

export interface PastRun {
  readonly version: 1;
  readonly account: AccountRef;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly results: readonly PastResult[];
}

export interface History {
  /** The newest last. */
  readonly runs: readonly PastRun[];
  /** The number of files without a run of this account. */
  readonly passedOver: number;
}

function pastRunOf(account: AccountRef, { startedAt, durationMs, results }: CheckReport): PastRun {
  return {
    version: 1,
    account,
    startedAt,
    durationMs,
    results: results.map((result) => ({
      key: result.key,
      check: result.check,
      verdict: result.verdict,
      attempts: result.attempts,
      ...(result.durationMs === undefined ? {} : { durationMs: result.durationMs }),
      ...(result.firstByteMs === undefined ? {} : { firstByteMs: result.firstByteMs }),
      ...(result.cost.charged === undefined ? {} : { charged: result.cost.charged }),
    })),
  };
}

/** Sorted by name is sorted by time; two runs of one moment do not meet. */
function fileName(run: PastRun, text: string): string {
  const time = new Date(run.startedAt).toISOString().replace(/[:.]/g, '-');
  return `${time}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.json`;
}

/** Keeps what a run found out, in a file of its own. A run that reached no gateway leaves none. @throws Fault `file.unwritable` */
export async function writeHistory(
  folder: string,
  report: CheckReport,
  mask: (text: string) => string = (text) => text,
): Promise<void> {
  if (report.account === undefined) return;
  const run = pastRunOf(report.account, report);
  const text = mask(`${JSON.stringify(run)}\n`);
  await makeFolder(folder, 0o700).catch((cause: unknown) => {
    throw new Fault('file.unwritable', `The history ${folder} cannot be written: ${fileTrouble(cause)}.`, { cause });
  });
  await writePrivately(join(folder, fileName(run, text)), text);
}

type StoredFields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is StoredFields => typeof value === 'object' && value !== null;
const isText = (value: unknown): boolean => typeof value === 'string';
const isAmount = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isAmountIfThere = (value: unknown): boolean => value === undefined || isAmount(value);
/** The last moment that a date can represent. */
const isMoment = (value: unknown): boolean => isAmount(value) && (value as number) <= 8.64e15;

const isResult = (value: unknown): boolean =>
  isObject(value) &&
  isText(value.key) &&
  isText(value.check) &&
  VERDICTS.some((verdict) => verdict === value.verdict) &&
  isAmount(value.attempts) &&
  [value.durationMs, value.firstByteMs, value.charged].every(isAmountIfThere);

/** Files of this form, whoever put them there: what is on a page is made from them. */
const isRun = (value: unknown): boolean =>
  isObject(value) &&
  value.version === 1 &&
  isObject(value.account) &&
  isMoment(value.startedAt) &&
  isAmount(value.durationMs) &&
  Array.isArray(value.results) &&
  value.results.every(isResult);

async function tryReadRun(path: string): Promise<PastRun | undefined> {
  try {
    const value: unknown = parseShallowJson(await readBoundedText(path, MOST_BYTES.record));
    return isRun(value) ? (value as PastRun) : undefined;
  } catch {
    return undefined;
  }
}

const isSame = (a: AccountRef, b: AccountRef): boolean => a.url === b.url && a.userId === b.userId;

interface Wanted {
  readonly account: AccountRef;
  readonly most: number;
}

/** The newest runs of an account. What is broken or of another account is passed over; nothing is deleted. */
export async function readHistory(folder: string, { account, most }: Wanted): Promise<History> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  const own: PastRun[] = [];
  let passedOver = 0;
  // From the newest on: a folder that is kept for years is not read to its end.
  for (let end = names.length; end > 0 && own.length < most; end -= most) {
    const some = names.slice(Math.max(0, end - most), end);
    const read = await Promise.all(some.map((name) => tryReadRun(join(folder, name))));
    const found = read.flatMap((run) => (run && isSame(run.account, account) ? [run] : []));
    own.push(...found);
    passedOver += read.length - found.length;
  }
  const runs = own.sort((a, b) => a.startedAt - b.startedAt).slice(-most);
  return { runs, passedOver };
}
