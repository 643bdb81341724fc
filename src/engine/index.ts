/**
 * The engine: plans, applies, finds drift and destroys for one account, with lock, guard and checks. Knows no command
 * line: limits, confirmation and progress come in as options.
 */
export { createEngine } from './engine.ts';
export {
  type CreateNotes,
  type DeclaredWrite,
  type KeyWriter,
  type KeyWriterOptions,
  openKeyWriter,
  type Removal,
} from './key-writer.ts';
export { type Locks, type RunLocks, withLocks } from './lock.ts';
export type { ApplyRun, DriftReview, Engine, EngineEvent, EngineOptions, WriteRun } from './options.ts';
export { planOffline, type Review, type RunRequest } from './review.ts';
export { type ClaimTerms, type ClaimWorld, openSharedClaim, type SharedClaim } from './shared-claim.ts';
export { untilAborted } from './until-aborted.ts';
