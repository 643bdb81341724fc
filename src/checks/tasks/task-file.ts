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
  /** Tells runs apart: who submits is who wrote first. */
  readonly run: string;
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
    return STEPS.has(line.step) && typeof line.task === 'string' && typeof line.run === 'string' ? line : undefined;
  } catch {
    return undefined;
  }
}

const unwritable = (path: string, thrown: unknown): Fault =>
  new Fault('file.unwritable', `The ledger of paid tasks ${path} can not be used: ${fileTrouble(thrown)}.`, {
    hint: 'Without it a crash could make you pay twice, so nothing was submitted. Give another file with --ledger.',
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

/** The lines after the last end of the task: its life that is under way. */
function underWay(lines: readonly Line[]): readonly Line[] {
  const last = lines.findLastIndex(({ step }) => step === 'settled' || step === 'refused');
  return lines.slice(last + 1);
}

/**
 * Keeps paid tasks in a file of lines that are only ever appended: no lock, no rewriting, nothing to lose in a crash. Of
 * several runs that want to submit the same task, the one whose line stands first does.
 *
 * Holds task ids, names of checks and hashes; no key material. It may be deleted when no task is under way.
 */
export function openTaskFile(options: TaskFileOptions): Tasks {
  const { path, account, run, owner, now } = options;
  return {
    async claim(identity) {
      const task = idOf(account, identity);
      const write = (step: Line['step'], more: Partial<Line> = {}): Promise<void> =>
        append(path, { step, task, run, at: Math.floor(now() / 1000), ...more });
      const submission: Submission = {
        submitted: (taskId) => write('submitted', { taskId }),
        refused: () => write('refused'),
        lost: () => write('lost'),
        settled: () => write('settled'),
      };
      const earlier = await standing(options, underWay(await readLines(path, task)), submission);
      if (earlier.state !== 'free') return earlier;
      const about = `${identity.check}, key ${identity.key}, model ${identity.model}`;
      await write('submitting', { owner, about });
      const [first] = underWay(await readLines(path, task)).filter(({ step }) => step === 'submitting');
      return first?.run === run ? earlier : { state: 'busy' };
    },
  };
}

/** What the lines of a life under way come to. */
async function standing(
  { isAlive, resubmit, run }: TaskFileOptions,
  lines: readonly Line[],
  submission: Submission,
): Promise<Earlier> {
  const submitted = lines.findLast(({ step }) => step === 'submitted');
  if (submitted?.taskId !== undefined) {
    return { state: 'submitted', taskId: submitted.taskId, submittedAt: submitted.at, submission };
  }
  const begun = lines.find(({ step }) => step === 'submitting');
  if (begun === undefined) return { state: 'free', submission };
  const lost = lines.some(({ step }) => step === 'lost');
  if (!lost && begun.run !== run && begun.owner !== undefined && (await isAlive(begun.owner))) {
    return { state: 'busy' };
  }
  if (!resubmit) return { state: 'indeterminate', submittedAt: begun.at };
  await submission.refused();
  return { state: 'free', submission };
}
