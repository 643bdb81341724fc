import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { CheckRecorder } from '../check-module.ts';

/** Ample for anything that ends at all, also on a machine that is busy with other things. */
const DEADLINE_MS = 3_000;

type Recorder = Pick<CheckRecorder, 'unprovable'>;

function leaveUnproven(recorder: Recorder, what: string, hint: string): never {
  return recorder.unprovable(`${what} could not be evaluated within ${DEADLINE_MS / 1000} seconds`, { hint });
}

/** A pattern of somebody else, in the syntax of JavaScript with the flag `u`, and the text that it may match. */
export interface PatternCase {
  readonly pattern: string;
  readonly text: string;
}

/** A text rather than a file, because the provider is a single file. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.postMessage(workerData.map(({ pattern, text }) => new RegExp(pattern, 'u').test(text)));
`;

/** Resolves with undefined where the patterns do not end. */
function matchInWorker(cases: readonly PatternCase[]): Promise<readonly boolean[] | undefined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { eval: true, workerData: cases, env: {}, execArgv: [] });
    let deadline: NodeJS.Timeout | undefined;
    const end = (settle: () => void) => {
      clearTimeout(deadline);
      void worker.terminate();
      settle();
    };
    worker.once('online', () => {
      deadline = setTimeout(() => end(() => resolve(undefined)), DEADLINE_MS);
    });
    worker.once('message', (matches: readonly boolean[]) => end(() => resolve(matches)));
    worker.once('error', (error) => end(() => reject(error)));
  });
}

/**
 * Matches texts with patterns that somebody else has written. One like `(a+)+$` could run for years: it is ended after a
 * deadline, and runs in a thread of its own, because the other checks measure how long their answers take. A pattern that
 * does not end leaves the check unprovable: the answer of the model is neither right nor wrong.
 *
 * @param what completes “… could not be evaluated”
 * @returns whether the pattern matches, for each case in its order
 */
export async function matchPatterns(
  recorder: Recorder,
  what: string,
  cases: readonly PatternCase[],
): Promise<readonly boolean[]> {
  const hint = 'Write it without repetitions within repetitions, such as `(a+)+`.';
  return (await matchInWorker(cases)) ?? leaveUnproven(recorder, what, hint);
}

/** The engine's error belongs to the other context: it is not an instance of this one's `Error`. */
const isLate = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Evaluates a schema that somebody else has written: alternatives within alternatives may take as long as a pattern. */
export function evaluateSchema<T>(recorder: Recorder, work: () => T): T {
  try {
    return runInNewContext('work()', { work }, { timeout: DEADLINE_MS }) as T;
  } catch (thrown) {
    if (!isLate(thrown)) throw thrown;
    return leaveUnproven(recorder, 'the schema', 'Write it without alternatives within alternatives.');
  }
}
