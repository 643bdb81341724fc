import { runInNewContext } from 'node:vm';
import type { CheckRecorder } from '../check-module.ts';

/** Ample for any pattern that ends at all, also on a machine that is busy with other things. */
const DEADLINE_MS = 3_000;

/** The engine's error belongs to the other context: it is not an instance of this one's `Error`. */
const isLate = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Evaluates regular expressions that somebody else has written: a pattern like `(a+)+$` could run for years. The engine looks
 * at the deadline while it backtracks, so nothing is left running. Where it does not end, the answer of the model is neither
 * right nor wrong, and the check ends as unprovable.
 *
 * @param what completes “… could not be evaluated”
 */
export function evaluate<T>(recorder: Pick<CheckRecorder, 'unprovable'>, what: string, work: () => T): T {
  try {
    return runInNewContext('work()', { work }, { timeout: DEADLINE_MS }) as T;
  } catch (thrown) {
    if (!isLate(thrown)) throw thrown;
    return recorder.unprovable(`${what} could not be evaluated within ${DEADLINE_MS / 1000} seconds`, {
      hint: 'Write it without repetitions within repetitions, such as `(a+)+`.',
    });
  }
}
