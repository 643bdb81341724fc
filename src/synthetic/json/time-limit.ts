import { createContext, Script } from 'node:vm';
import { UnsatisfiableSchema } from './unsatisfiable-schema.ts';

/** Runs work that does not wait for anything, and ends it when it takes too long. */
export type RunLimited = <T>(work: () => T) => T;

const isTimeout = (thrown: unknown): boolean =>
  // An error of another context is not an instance of this one's Error.
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Limits the time of each piece of work. Only the engine can end a regular expression that backtracks without end.
 *
 * @returns a function that throws UnsatisfiableSchema when the work takes longer. The work cannot catch that.
 */
export function limitTime(mostMs: number): RunLimited {
  const script = new Script('work()');
  const place: { work?: () => unknown } = {};
  createContext(place);
  return (work) => {
    try {
      place.work = work;
      return script.runInContext(place, { timeout: mostMs });
    } catch (thrown) {
      if (!isTimeout(thrown)) throw thrown;
      throw new UnsatisfiableSchema('The schema requires too much: no value was found in time', { cause: thrown });
    }
  };
}
