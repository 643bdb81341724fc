/**
 * Keyplane as a library: one object that plans, applies, finds drift, destroys and checks, with everything that makes it safe
 * inside; manifests from files, text or objects; a client of the gateway.
 *
 * Other doors: `keyplane/checks`, `keyplane/store`, `keyplane/reference`, `keyplane/constructs/cdktf` and `…/cdktn`,
 * `keyplane/schema.json`. `keyplane/internals` is excluded from semantic versioning.
 */
export type {
  ApplyReport,
  Change,
  CheckReport,
  CheckResult,
  Diagnostic,
  Edit,
  FaultCode,
  Moved,
  Outcome,
  Pending,
  Place,
  Plan,
  PlanNote,
  SpendCorrection,
  Verdict,
} from './domain/index.ts';
export { hasDrift, pendingChanges, Secret } from './domain/index.ts';
export type { DriftReview, Review } from './engine/index.ts';
export * from './gateway/index.ts';
export type {
  Allowance,
  ApplyRequest,
  CheckStep,
  DateClock,
  DriftRequest,
  Keyplane,
  KeyplaneEvent,
  KeyplaneManifest,
  KeyplaneOptions,
  LockPlace,
  ManifestBudget,
  ManifestCheck,
  ManifestDefaults,
  ManifestDocument,
  ManifestExpect,
  ManifestGateway,
  ManifestKey,
  ManifestOptions,
  ManifestOwnership,
  ManifestRotation,
  ManifestSink,
  ManifestSmartRouting,
  Notice,
  PlanRequest,
  ProofRequest,
  RunOptions,
  WriteRequest,
} from './library/index.ts';
export { createKeyplane, defineManifest, loadManifest, parseManifest } from './library/index.ts';
export type { Manifest } from './manifest/index.ts';
