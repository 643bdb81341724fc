/**
 * The assembled product: the runs of one account with everything that makes them safe, manifests from three sources, results
 * that travel. The command line drives the same object.
 */
export { type ChosenChecks, chooseChecks } from './choose-checks.ts';
export { isKeyplaneError, KeyplaneError } from './error.ts';
export type { KeyplaneEvent, Notice } from './events.ts';
export type * from './gen/manifest.ts';
export type { CommandOutput } from './gen/output.ts';
export { readPlan } from './issued.ts';
export { createKeyplane } from './keyplane.ts';
export { type LockContext, type LockPlace, locksOf } from './locks.ts';
export { openCallbackReceiver, openGateway } from './open-gateway.ts';
export type {
  Allowance,
  ApplyRequest,
  CheckStep,
  CheckStepRequest,
  DateClock,
  DriftRequest,
  FrontEnd,
  Keyplane,
  KeyplaneOptions,
  PlanRequest,
  ProofRequest,
  RunOptions,
  WriteRequest,
} from './options.ts';
export {
  defineManifest,
  loadManifest,
  type ManifestDocument,
  type ManifestOptions,
  parseManifest,
} from './read-manifest.ts';
export { engineRequest } from './request.ts';
export { declaredSinks } from './sinks.ts';
export { fromJSON, type KeyplaneResult, type ResultKind, type Results, toJSON } from './travel.ts';
