import { type Review, type RunRequest, untilAborted, type WriteRun } from '../engine/index.ts';
import type { PlanRequest, WriteRequest } from './options.ts';

/** The request of the engine, without its manifest. */
export function engineRequest(request: PlanRequest): RunRequest {
  const { only = [], owners = [], labels = [], enable = [], earlier, assumeLogComplete = false, allow = {} } = request;
  const { rotate, endAnyway = false } = request;
  return {
    ...(rotate && { rotate }),
    endAnyway,
    only,
    owners,
    labels,
    allowEnable: enable,
    assumeLogComplete,
    ...(earlier ? { basis: earlier.desired } : {}),
    allow: {
      ...(allow.deletes === undefined ? {} : { maxDeletes: allow.deletes }),
      allowLastKey: allow.lastKey === true,
      allowProtected: allow.protected ?? false,
      allowUnknownGroups: allow.unknownGroups === true,
      allowUnknownModels: allow.unknownModels === true,
    },
  };
}

/**
 * The parts of a request that are called before anything is written.
 *
 * @param signal ends the wait for an answer; undefined for a front end, which ends its own question
 */
export const beforeWrites = (
  { confirm }: WriteRequest,
  inspect: (review: Review) => void,
  signal: AbortSignal | undefined,
): Pick<WriteRun, 'confirm' | 'inspect'> => ({
  confirm: async (plan) => {
    const answer = confirm?.(plan);
    // Nobody may answer any more, and the run holds its lock.
    if (answer) await untilAborted(signal, answer);
  },
  inspect,
});
