import type { ApplyReport, CheckReport, DesiredState, Plan, Secret, UnixSeconds } from '../domain/index.ts';
import type {
  ApplyEvent,
  KeyStore,
  LateCreates,
  Outlook,
  OutlookLimits,
  ProveSecrets,
  SinkAccess,
  UsageCache,
} from '../reconcile/index.ts';
import type { Locks } from './lock.ts';
import type { Review, RunRequest } from './review.ts';

/** Progress of a run. `read` follows every `reading`; `planned` comes before anything is refused, confirmed or written. */
export type EngineEvent =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read' }
  | ({ readonly kind: 'planned' } & Review)
  | { readonly kind: 'applying'; readonly plan: Plan }
  | ApplyEvent;

export interface EngineOptions extends Locks {
  readonly store: KeyStore;
  /** The time of the account’s gateway; first asked after an answer of the store. */
  readonly now: () => UnixSeconds;
  /** The time of this machine: what waits for its deletion waits by both clocks. Omitted: only that of the gateway counts. */
  readonly machineNow?: () => UnixSeconds;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Once aborted, an apply begins no further change and reports. */
  readonly signal?: AbortSignal;
  readonly maxLogPages?: number;
  readonly usageCache?: UsageCache;
  /** Waits until the readers of sinks have what is in them, before an old generation ends. */
  readonly waitForReaders?: (seconds: number) => Promise<void>;
  /** The sinks of the declared keys. Omitted: secrets are not delivered. */
  readonly sinks?: SinkAccess;
  /** Protects from creates that take effect after their sender gave up. */
  readonly late?: LateCreates;
  readonly onEvent?: (event: EngineEvent) => void;
}

export interface WriteRun extends RunRequest {
  /** Called with the plan before anything is refused, confirmed or written. What it throws ends the run. */
  readonly inspect?: (review: Review) => void;
  /** Asked once before the first write, and not when there is nothing to write. Rejects to stop the run. */
  readonly confirm: (plan: Plan) => Promise<void>;
}

export interface DriftRun extends RunRequest {
  readonly limits: OutlookLimits;
}

export interface DriftReview extends Review {
  /** The keys that need attention soon: expiring, exhausted or due. */
  readonly outlook: Outlook;
}

export interface ApplyRun extends WriteRun {
  /** Applied instead of a new plan, made from the same desired state: what it contains, or less, or nothing. */
  readonly saved?: Plan;
  /** Prunes keys although a create or a rename of the same run did not succeed. */
  readonly pruneAnyway?: boolean;
  /** Proves the secrets of successors, without which no old generation ends. */
  readonly proveSecrets?: ProveSecrets;
  /** Checks the keys that were written, by name; no key is pruned after a check has failed. */
  readonly check?: (
    names: readonly string[],
    plan: Plan,
    /** The secrets that were delivered, by name: as the sinks return them, else as they were sent. */
    delivered: ReadonlyMap<string, Secret>,
  ) => Promise<CheckReport | undefined>;
}

/** Plans, applies, finds drift in and destroys the keys of one account. */
export interface Engine {
  /** Compares the desired with the observed keys. Writes nothing. */
  plan(desired: DesiredState, request?: RunRequest): Promise<Review>;
  /** The same comparison, from the side of the account: what a plan would change is what has drifted. */
  drift(desired: DesiredState, request: DriftRun): Promise<DriftReview>;
  /**
   * Makes the account match the desired keys, or applies a saved plan.
   *
   * @throws Fault `guard.*`, `gateway.unsupported`, `plan.foreign`, `plan.other-manifest`, `plan.stale`, `plan.not-held`, or what the lock or `confirm` throws; nothing is written then.
   */
  apply(desired: DesiredState, request: ApplyRun): Promise<ApplyReport>;
  /** Deletes every key that the desired state owns, apart from protected ones. Throws as `apply` does. */
  destroy(desired: DesiredState, request: WriteRun): Promise<ApplyReport>;
}
