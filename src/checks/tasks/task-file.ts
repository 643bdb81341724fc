import { createHash } from 'node:crypto';
import { appendFile, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault, fileTrouble } from '../../domain/index.ts';
import type { Earlier, Submission, TaskIdentity, Tasks } from './ledger.ts';

/** A process: enough to tell whether it is still there. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When it began, where the system tells: process ids are used again. */
  readonly started: string | null;
}

/** One line of the file: a step in the life of one paid task. */
interface Line {
  readonly step: 'submitting' | 'submitted' | 'refused' | 'lost' | 'settled';
  /** Of the task’s identity. */
  readonly task: string;
  /** One submission of it, from `submitting` to its end: every line of a life says which one it means. */
  readonly life: string;
  readonly at: number;
  readonly owner?: Owner;
  readonly taskId?: string;
  /** For people who read the file. */
  readonly about?: string;
}

export interface TaskFileOptions {
  readonly path: string;
  /** Which account: the same key id of another gateway is another key. */
  readonly account: string;
  /** Different for every run. */
  readonly run: string;
  /** This process. */
  readonly owner: Owner;
  readonly isAlive: (owner: Owner) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What is indeterminate is submitted again all the same: somebody has looked. */
  readonly resubmit: boolean;
}

const STEPS: ReadonlySet<unknown> = new Set(['submitting', 'submitted', 'refused', 'lost', 'settled']);

/** A line that a crash tore, or somebody wrote by hand, says nothing. */
function tryReadLine(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line;
    return STEPS.has(line.step) && typeof line.task === 'string' && typeof line.life === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}

const unwritable = (path: string, thrown: unknown): Fault =>
  new Fault('file.unwritable', `The ledger of paid tasks ${path} can not be used: ${fileTrouble(thrown)}.`, {
    hint: 'Without it a crash could make you pay twice, so nothing was submitted.',
    remedy: 'name-task-ledger',
    cause: thrown,
  });

async function readLines(path: string, task: string): Promise<readonly Line[]> {
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return '';
    throw unwritable(path, thrown);
  });
  return text.split('\n').flatMap((each) => {
    const line = tryReadLine(each);
    return line?.task === task ? [line] : [];
  });
}

/** On the disk when it resolves: whoever pays afterwards has it in writing. */
async function append(path: string, line: Line): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'a', 0o600);
    try {
      // A line that a crash tore off ends here, and not in the middle of ours.
      await appendFile(file, `\n${JSON.stringify(line)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw unwritable(path, thrown);
  }
}

const idOf = (account: string, { key, check, model, request }: TaskIdentity): string =>
  createHash('sha256')
    .update(JSON.stringify([account, key, check, model, request]))
    .digest('hex')
    .slice(0, 24);

/** The lines of submissions that have not ended. An end is that of one life: another run may have emptyChoice a new one. */
function underWay(lines: readonly Line[]): readonly Line[] {
  const ended = new Set(lines.flatMap(({ step, life }) => (step === 'settled' || step === 'refused' ? [life] : [])));
  return lines.filter(({ life }) => !ended.has(life));
}

const firstLife = (lines: readonly Line[]): string | undefined => lines.find(({ step }) => step === 'submitting')?.life;

/**
 * Keeps paid tasks in a file of lines that are only ever appended: no lock, no rewriting, nothing to lose in a crash. Of
 * several runs that want to submit the same task, the one whose line stands first does.
 *
 * Holds task ids, names of checks and hashes; no key material. It may be deleted when no task is under way.
 */
export function openTaskFile(options: TaskFileOptions): Tasks {
  const { path, account, run, owner, now } = options;
  let lives = 0;
  const linesOf = async (task: string): Promise<readonly Line[]> => underWay(await readLines(path, task));
  const submissionOf = (task: string, life: string): Submission => {
    const write = (step: Line['step'], more: Partial<Line> = {}): Promise<void> =>
      append(path, { step, task, life, at: Math.floor(now() / 1000), ...more });
    return {
      submitted: (taskId) => write('submitted', { taskId }),
      refused: () => write('refused'),
      lost: () => write('lost'),
      settled: () => write('settled'),
    };
  };
  const begin = async (task: string, { check, key, model }: TaskIdentity): Promise<Earlier> => {
    lives += 1;
    const life = `${run}#${lives}`;
    const about = `${check}, key ${key}, model ${model}`;
    const submission = submissionOf(task, life);
    await append(path, { step: 'submitting', task, life, at: Math.floor(now() / 1000), owner, about });
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
        return { state: 'submitted', taskId, submittedAt: at, submission: submissionOf(task, life) };
      }
      const emptyChoice = lines.filter(({ step }) => step === 'submitting');
      if (await isBusy(options, emptyChoice, lines)) return { state: 'busy' };
      if (emptyChoice[0] !== undefined && !options.resubmit)
        return { state: 'indeterminate', submittedAt: emptyChoice[0].at };
      // Somebody has looked: what nobody saw the answer of ends here.
      for (const { life } of emptyChoice) await submissionOf(task, life).refused();
      return begin(task, identity);
    },
  };
}

/** Is another run submitting it at this moment? One that has lost its answer is not. */
async function isBusy(
  { run, isAlive }: TaskFileOptions,
  emptyChoice: readonly Line[],
  lines: readonly Line[],
): Promise<boolean> {
  const lost = new Set(lines.flatMap(({ step, life }) => (step === 'lost' ? [life] : [])));
  const others = emptyChoice.filter(({ life }) => !lost.has(life) && !life.startsWith(`${run}#`));
  const alive = await Promise.all(others.map(({ owner }) => owner !== undefined && isAlive(owner)));
  return alive.includes(true);
}
