import type { DesiredState, KeySelection, ObservedState } from '../domain/index.ts';
import { findUnfinished, type ObserveOptions, observe, observeSinks, undeliveredNames } from '../reconcile/index.ts';
import type { EngineOptions } from './options.ts';
import type { Reading, RunRequest } from './review.ts';
import { untilAborted } from './until-aborted.ts';

export type Trust = Pick<ObserveOptions, 'assumeLogComplete'>;
/** The keys whose sinks are looked at. */
export interface Selecting {
  readonly selection?: KeySelection;
}

export const selectionOfRequest = ({ only = [], owners = [], labels = [] }: RunRequest): KeySelection => ({
  names: only,
  owners,
  labels,
});

export const trustOf = ({ assumeLogComplete = false }: Trust): Trust =>
  assumeLogComplete ? { assumeLogComplete } : {};

/** Reads the account: rate, groups, keys, and as much of the usage log as the declared budgets need. */
export async function read(
  options: EngineOptions,
  desired: DesiredState,
  more: Trust & Selecting & Pick<ObserveOptions, 'mayLeaveUnverified'> = {},
): Promise<Reading> {
  options.onEvent?.({ kind: 'reading' });
  try {
    return await untilAborted(options.signal, readNow(options, desired, more));
  } finally {
    options.onEvent?.({ kind: 'read' });
  }
}

async function readNow(
  options: EngineOptions,
  desired: DesiredState,
  more: Trust & Selecting & Pick<ObserveOptions, 'mayLeaveUnverified'>,
): Promise<Reading> {
  await options.store.verifyAccount();
  // The first answer shows the time of the gateway, by which everything else is judged.
  const quotaPerUnit = await options.store.quotaPerUnit();
  const now = options.now();
  const observed = await observe(options.store, desired, {
    ...options,
    ...more,
    quotaPerUnit,
    now,
    clock: options.now,
  });
  const unfinished = options.late && (await findUnfinished(options.late, observed.keys));
  const sinks = await lookAtSinks(options, desired, observed, more.selection);
  const undelivered = undeliveredNames(desired, sinks);
  return {
    desired,
    observed: { ...observed, ...(undelivered.size > 0 && { undelivered }) },
    now,
    ...(sinks && { sinks }),
    ...(unfinished && { unfinished }),
  };
}

/** Undefined: there are no sinks. */
async function lookAtSinks(
  { sinks, store, concurrency, signal }: EngineOptions,
  desired: DesiredState,
  { keys }: ObservedState,
  selection: KeySelection | undefined,
): Promise<Reading['sinks']> {
  return sinks && (await observeSinks(desired, keys, store, { sinks, selection, concurrency, signal }));
}
