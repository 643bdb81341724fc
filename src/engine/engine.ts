import type { DesiredState } from '../domain/index.ts';
import { outlookOf } from '../reconcile/index.ts';
import type { DriftReview, DriftRun, Engine, EngineOptions } from './options.ts';
import { read, selectionOfRequest, trustOf } from './read.ts';
import { type Review, type RunRequest, reviewNew } from './review.ts';

/** Creates the engine for one account. */
export const createEngine = (options: EngineOptions): Engine => ({
  plan: (desired, request) => compare(options, desired, request),
  drift: (desired, request) => findDrift(options, desired, request),
  // Loaded on use: a run that only reads needs no writes, which are half of the engine.
  apply: async (desired, request) => (await import('./write.ts')).applyKeys(options, desired, request),
  destroy: async (desired, request) => (await import('./write.ts')).destroyKeys(options, desired, request),
});

async function compare(options: EngineOptions, desired: DesiredState, request: RunRequest = {}): Promise<Review> {
  const reading = await read(options, desired, { ...trustOf(request), selection: selectionOfRequest(request) });
  return reviewNew(reading, request);
}

async function findDrift(options: EngineOptions, desired: DesiredState, request: DriftRun): Promise<DriftReview> {
  const reading = await read(options, desired, {
    mayLeaveUnverified: true,
    ...trustOf(request),
    selection: selectionOfRequest(request),
  });
  const reviewed = reviewNew(reading, request);
  return { ...reviewed, outlook: outlookOf(reviewed.plan, reading, request.limits) };
}
