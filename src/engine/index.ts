/**
 * The engine: plans, applies, finds drift and destroys for one account, with lock, guard and checks. Knows no command
 * line: limits, confirmation and progress come in as options.
 */
export {
  type ApplyRun,
  createEngine,
  type DriftReview,
  type Engine,
  type EngineEvent,
  type EngineOptions,
  type WriteRun,
} from './engine.ts';
export { type Locks, type RunLocks, withLocks } from './lock.ts';
export { planOffline, type Review, type RunRequest } from './review.ts';
