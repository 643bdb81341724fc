import type { RunRequest } from '../engine/index.ts';
import type { PlanRequest } from './options.ts';

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
