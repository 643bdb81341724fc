/**
 * Verbs: observes the account through a port, compares, plans, guards and applies. Knows no HTTP, no YAML, no colour.
 */
export { apply } from './apply.ts';
export { type AssumedAccount, assumedState } from './assumed.ts';

export {
  type CreateJournal,
  type LateCreates,
  settleEarlierCreates,
  type UnansweredCreate,
  type UnansweredCreates,
  type Waiting,
} from './create-journal.ts';
export { comparable, diff, patchOf, settingsOfNew, snapshotOf } from './diff.ts';
export { type DuplicateKeys, type DuplicateOptions, findDuplicates, type Twin } from './duplicates.ts';
export { type Executed, execute, type LiveChange } from './execute.ts';
export { fingerprint } from './fingerprint.ts';
export { guard, type Limits } from './guard.ts';
export { type AmbiguousName, match } from './match.ts';
export { moved } from './moved.ts';
export { type ObserveOptions, observe } from './observe.ts';
export { type LowThreshold, type Outlook, type OutlookLimits, outlookOf } from './outlook.ts';
export { narrow, plan, planDestroy } from './plan.ts';
export type { KeyStore, Newest } from './ports.ts';
export { type Resumed, resume } from './resume.ts';
export type { ApplyEvent, ApplyOptions, Phase } from './run.ts';
export type { PlanOptions } from './status.ts';
export { DEFAULT_LOG_PAGES, type UsageCache, type UsageMemory } from './usage.ts';
export { reportFaults } from './verdict.ts';
export { isConverged } from './verify.ts';
