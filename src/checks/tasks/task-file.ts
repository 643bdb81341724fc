import { createHash } from 'node:crypto';
import { appendFile, lstat, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ProcessRef } from '../../disk/index.ts';
import { type AccountRef, type Advice, accountName, Fault, fileTrouble, parseShallowJson } from '../../domain/index.ts';
import { MOST_BYTES, readBoundedText, refuseStrayLinks } from '../../source/index.ts';
import type { ReadLog } from '../cost/usage-log.ts';
import { tryFindCharges } from './find-charges.ts';
import type { ClaimedTask, Submission, TaskIdentity, TaskLedger } from './ledger.ts';

/** One line of the file: a step of one paid task. */
interface Line {
  readonly step: 'submitting' | 'submitted' | 'refused' | 'lost' | 'unread' | 'settled';
  /** Hash of the identity of the task. */
  readonly task: string;
  /** Identifies one submission, from `submitting` to its end. */
  readonly life: string;
  readonly at: number;
  readonly owner?: ProcessRef;
  readonly taskId?: string;
  /** A description for people who read the file. */
  readonly about?: string;
}

export interface TaskFileOptions {
  readonly path: string;
  /** The account. Another gateway may use the same key id. */
  readonly account: AccountRef;
  /** The usage log, in which a task is looked up before it could be submitted again. */
  readonly usage: ReadLog;
  /** Different for every run. */
  readonly run: string;
  /** This process. */
  readonly owner: ProcessRef;
  /** Undefined: unknown, as for a process of another machine. */
  readonly hasEnded: (owner: ProcessRef) => Promise<boolean | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Submits tasks again that are indeterminate, or whose result could not be read. */
  readonly resubmit: boolean;
}

const STEPS: ReadonlySet<unknown> = new Set(['submitting', 'submitted', 'refused', 'lost', 'unread', 'settled']);

/** Parses a line; undefined for one that a crash has cut off, or that somebody has edited. */
function tryReadLine(text: string): Line | undefined {
  try {
    const parsed: unknown = parseShallowJson(text);
    const line = parsed as Line;
    return STEPS.has(line.step) && typeof line.task === 'string' && typeof line.life === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}

const UNSUBMITTED: Advice = {
  hint: 'Nothing was submitted: without the ledger, a crash could make you pay twice.',
  remedy: 'name-task-ledger',
};

/** Another ledger would not know of the task, and pay for it again. */
const MAYBE_SUBMITTED: Advice = {
  hint: 'A video may have been submitted and paid for. Make this file writable and run the check again with it: it looks the task up, and pays for nothing twice.',
};

const unwritable = (path: string, thrown: unknown, advice = UNSUBMITTED): Fault =>
  new Fault('file.unwritable', `The ledger of paid tasks ${path} cannot be used: ${fileTrouble(thrown)}.`, {
    ...advice,
    cause: thrown,
  });

/** The lines that begin an object, one by one: a damaged file may have millions of others. */
function* objectLines(text: string): Generator<string> {
  for (let at = 0, brace = -1; at < text.length; ) {
    if (brace < at) brace = text.indexOf('{', at);
    if (brace < 0) return;
    const start = text.lastIndexOf('\n', brace) + 1;
    const newline = text.indexOf('\n', brace);
    const end = newline < 0 ? text.length : newline;
    if (text.slice(start, brace).trim() === '') yield text.slice(start, end);
    at = end + 1;
  }
}

async function readLines(path: string): Promise<readonly Line[]> {
  const text = await readBoundedText(path, MOST_BYTES.record).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return '';
    throw unwritable(path, thrown);
  });
  return [...objectLines(text)].flatMap((each) => tryReadLine(each) ?? []);
}

/** The ledger is next to the manifest by default, and a link there may come from a stranger. Links within its folder are fine. */
async function refuseLinkAway(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) refuseStrayLinks(dirname(path), path);
}

/** Appends a line. It is on disk when this resolves. */
async function append(path: string, line: Line): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await refuseLinkAway(path);
    const file = await open(path, 'a', 0o600);
    try {
      await file.chmod(0o600);
      // Ends a line that a crash has cut off.
      await appendFile(file, `\n${JSON.stringify(line)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw unwritable(path, thrown, line.step === 'submitting' ? UNSUBMITTED : MAYBE_SUBMITTED);
  }
}

const idOf = (account: AccountRef, { key, check, model, request }: TaskIdentity): string =>
  createHash('sha256')
    .update(JSON.stringify([accountName(account), key, check, model, request]))
    .digest('hex')
    .slice(0, 24);

/** The lines of submissions that have not ended. Another run may have begun a new submission of the same task. */
function underWay(lines: readonly Line[]): readonly Line[] {
  const ended = new Set(lines.flatMap(({ step, life }) => (step === 'settled' || step === 'refused' ? [life] : [])));
  return lines.filter(({ life }) => !ended.has(life));
}

const firstLife = (lines: readonly Line[]): string | undefined => lines.find(({ step }) => step === 'submitting')?.life;

const secondsAt = (now: TaskFileOptions['now']): number => Math.floor(now() / 1000);

/** Appends the steps of a submission. */
function submissionOf({ path, now }: TaskFileOptions, task: string, life: string): Submission {
  const write = (step: Line['step'], more: Partial<Line> = {}): Promise<void> =>
    append(path, { step, task, life, at: secondsAt(now), ...more });
  return {
    submitted: (taskId) => write('submitted', { taskId }),
    refused: () => write('refused'),
    lost: () => write('lost'),
    unread: () => write('unread'),
    settled: () => write('settled'),
  };
}

/**
 * Keeps paid tasks in an append-only file: no lock, no rewriting, nothing to lose in a crash. Of several runs that want
 * to submit the same task, the one with the first line does.
 *
 * Holds task ids, names of checks and hashes; no key material. It may be deleted when no task is under way.
 */
export function openTaskFile(options: TaskFileOptions): TaskLedger {
  const { path, account, run, owner, now } = options;
  let lives = 0;
  const linesOf = async (task: string): Promise<readonly Line[]> =>
    underWay((await readLines(path)).filter((line) => line.task === task));
  const begin = async (task: string, { check, key, model }: TaskIdentity): Promise<ClaimedTask> => {
    lives += 1;
    const life = `${run}#${lives}`;
    const about = `${check}, key ${key}, model ${model}`;
    const submission = submissionOf(options, task, life);
    await append(path, { step: 'submitting', task, life, at: secondsAt(now), owner, about });
    if (firstLife(await linesOf(task)) === life) return { state: 'free', submission };
    await submission.refused();
    return { state: 'busy' };
  };
  return {
    async isUnderWay(identity) {
      const lines = await linesOf(idOf(account, identity));
      return lines.some(({ step }) => step === 'submitted');
    },
    async claim(identity) {
      const task = idOf(account, identity);
      const lines = await linesOf(task);
      const submitted = lines.find(({ step }) => step === 'submitted');
      if (submitted?.taskId !== undefined) {
        const { taskId, at, life } = submitted;
        const submission = submissionOf(options, task, life);
        const isUnread = lines.some((line) => line.step === 'unread' && line.life === life);
        if (!isUnread || !options.resubmit) return { state: 'submitted', taskId, submittedAt: at, submission };
        await submission.settled();
        return begin(task, identity);
      }
      const begun = lines.filter(({ step }) => step === 'submitting');
      if (await isBusy(options, begun, lines)) return { state: 'busy' };
      const [lost] = begun;
      const found = lost && (await lookUp(options, identity, lost));
      if (found?.state === 'submitted' || (found && !options.resubmit)) return found;
      // The user has looked: submissions without an answer end here.
      for (const { life } of begun) await submissionOf(options, task, life).refused();
      return begin(task, identity);
    },
  };
}

/** Looks a lost submission up in the usage log, and records the task that the log names for it. */
async function lookUp(
  options: TaskFileOptions,
  { key, model }: TaskIdentity,
  { task, life, at }: Line,
): Promise<Extract<ClaimedTask, { state: 'submitted' | 'indeterminate' }>> {
  const known = new Set((await readLines(options.path)).flatMap(({ taskId }) => taskId ?? []));
  const charges = await tryFindCharges(options.usage, { key, model, submittedAt: at });
  const own = charges?.filter(({ taskId }) => taskId === undefined || !known.has(taskId));
  const taskId = own?.length === 1 ? own[0]?.taskId : undefined;
  if (taskId === undefined) {
    return { state: 'indeterminate', submittedAt: at, ...(own ? { charges: own.map(({ spent }) => spent) } : {}) };
  }
  const submission = submissionOf(options, task, life);
  await submission.submitted(taskId);
  return { state: 'submitted', taskId, submittedAt: at, submission };
}

/**
 * No submission takes this long. The runner of a pipeline may have ended with its machine, whose clock may have been wrong in either
 * direction; a task that is no longer under way is looked up, and not paid for again.
 */
const MOST_SUBMITTING_SECONDS = 3600;

/** Returns whether another run is submitting the task. A run that has lost its answer is not. */
async function isBusy(
  { run, hasEnded, now }: TaskFileOptions,
  begun: readonly Line[],
  lines: readonly Line[],
): Promise<boolean> {
  const lost = new Set(lines.flatMap(({ step, life }) => (step === 'lost' ? [life] : [])));
  const others = begun.filter(({ life }) => !lost.has(life) && !life.startsWith(`${run}#`));
  const ended = await Promise.all(
    others.map(
      async ({ owner, at }) =>
        owner === undefined || ((await hasEnded(owner)) ?? Math.abs(secondsAt(now) - at) >= MOST_SUBMITTING_SECONDS),
    ),
  );
  return ended.includes(false);
}
