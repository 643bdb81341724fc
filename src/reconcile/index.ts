/**
 * Verbs: observes the account through a port, compares, plans, guards and applies. Knows no HTTP, no YAML, no colour.
 */
export { apply } from './apply/apply.ts';
export type { ApplyEvent, ApplyOptions, Phase, ProveSecrets } from './apply/run.ts';
export { isConverged, reportFaults } from './apply/verdict.ts';
export {
  type CreatedKey,
  type CreateJournal,
  createDigest,
  createRemainder,
  DEFAULT_SETTLE_SECONDS,
  findUnfinished,
  hasEarlierCreates,
  type KeptJournal,
  type LateCreates,
  type LeftCreate,
  mayArriveLate,
  type RecordedCreate,
  type ResolvedCreate,
  settleEarlierCreates,
  type UnansweredCreate,
  type UnansweredCreates,
  type Waiting,
} from './create/create-journal.ts';
export { type Recognized, recognizeCreate } from './create/recognize-create.ts';
export { settleTwins } from './create/settle-twins.ts';
export { type Delivered, type DeliverOptions, deliverSecret } from './deliver/deliver-secret.ts';
export { type ObservedSink, observeSinks, undeliveredNames } from './deliver/observe-sinks.ts';
export { planDeliveries, planRemovals, reviewedDeliveries } from './deliver/plan-deliveries.ts';
export type { SecretSink, SinkAccess, SinkHolder, SinkMatch, SinkMetadata, SinkOperations } from './deliver/port.ts';
export { claimLock } from './lock/claim-lock.ts';
export type { Claim, ClaimNote, ClaimStore } from './lock/claims.ts';
export { defaultLockTimeout } from './lock/default-timeout.ts';
export { type ClockReading, LEASE_MS, readClocks, sinceMs } from './lock/keep-claim.ts';
export { holderText, lockedFault, lockLostFault } from './lock/locked-fault.ts';
export { nonceOf } from './lock/nonce.ts';
export type { HeldLock, Lock, LockHolder, LockRequest, LockTime, LockWait } from './lock/port.ts';
export type { AmbiguousName } from './observe/ambiguous.ts';
export { type DuplicateKeys, type DuplicateOptions, findDuplicates, type Twin } from './observe/duplicates.ts';
export { fingerprint } from './observe/fingerprint.ts';
export { match } from './observe/match.ts';
export { type ObserveOptions, observe } from './observe/observe.ts';
export { type AssumedAccount, assumedState } from './plan/assumed.ts';
export { comparable, diff, patchOf, settingsOfNew } from './plan/diff.ts';
export { guard, type Limits } from './plan/guard.ts';
export { type UnkeptField, unkeptFields } from './plan/lacking.ts';
export { moved } from './plan/moved.ts';
export { driftOf, type LowThreshold, type Outlook, type OutlookLimits, outlookOf } from './plan/outlook.ts';
export { narrow, type Preview, plan, preview } from './plan/plan.ts';
export { type KeyEdit, planCreate, planEdit } from './plan/plan-edit.ts';
export { leavesNoRoom } from './plan/plan-notes.ts';
export { planDestroy, planNamed } from './plan/requested.ts';
export { type Resumed, resume } from './plan/resume.ts';
export type { PlanOptions } from './plan/status.ts';
export type { KeyStore, Newest, UsageSpan } from './ports.ts';
export { generationsByStem, underDeclaredNames } from './rotate/lineage.ts';
export { proveSecretsWith } from './rotate/prove-secrets.ts';
export type { ForcedRotation } from './rotate/succession.ts';
export { type Grouping, type GroupSpending, spendingByGroup, unitsByDay } from './spending/group-spending.ts';
export {
  type BurnRate,
  exhaustionOf,
  type KeySpending,
  type LogEvidence,
  spendingByKey,
} from './spending/key-spending.ts';
export { type LogTally, type Sums, sumOf, type TallyCell, tallyUsage } from './spending/tally.ts';
export { type Anchor, mostUsed, safeUse } from './usage/coverage.ts';
export { DEFAULT_LOG_PAGES } from './usage/log-use.ts';
export type { RememberedKey, UsageCache, UsageMemory } from './usage/memory.ts';
