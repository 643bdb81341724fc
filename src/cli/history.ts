import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AccountRef, type CheckReport, Fault, fileTrouble, type Verdict } from '../domain/index.ts';
import { writeWhole } from './write-file.ts';

/** One check of an earlier run: what a comparison needs, and nothing that was said. */
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
  /** Files that hold no run of this account. */
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
export async function writeHistory(folder: string, report: CheckReport): Promise<void> {
  if (report.account === undefined) return;
  const run = pastRunOf(report.account, report);
  const text = `${JSON.stringify(run)}\n`;
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new Fault('file.unwritable', `The history ${folder} can not be written: ${fileTrouble(cause)}.`, { cause });
  });
  await writeWhole(join(folder, fileName(run, text)), text);
}

const isRun = (value: unknown): value is PastRun => {
  const run = value as Partial<PastRun> | null;
  return (
    run?.version === 1 && typeof run.startedAt === 'number' && Array.isArray(run.results) && run.account !== undefined
  );
};

async function tryReadRun(path: string): Promise<PastRun | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isRun(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isSame = (a: AccountRef, b: AccountRef): boolean => a.url === b.url && a.userId === b.userId;

/** The newest runs of an account. What is broken or of another account is passed over; nothing is deleted. */
export async function readHistory(
  folder: string,
  { account, most }: { account: AccountRef; most: number },
): Promise<History> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  const read = await Promise.all(names.slice(-2 * most).map((name) => tryReadRun(join(folder, name))));
  const own = read.flatMap((run) => (run && isSame(run.account, account) ? [run] : []));
  const runs = own.sort((a, b) => a.startedAt - b.startedAt).slice(-most);
  return { runs, passedOver: read.length - own.length };
}
