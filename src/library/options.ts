import type { AlternateRouteOptions, CheckEvent, CustomCheck } from '../checks/index.ts';
import type { GatewayClient } from '../client/index.ts';
import type { Machine } from '../disk/index.ts';
import type { ApplyReport, CheckReport, LabelSelector, ManifestRef, NameGlob, Plan, Secret } from '../domain/index.ts';
import type { DriftReview, Review } from '../engine/index.ts';
import type { CallbackReceiver, Gateway } from '../gateway/index.ts';
import type { Manifest } from '../manifest/index.ts';
import type { ForcedRotation, KeyStore, Lock, LowThreshold, SinkAccess, UsageCache } from '../reconcile/index.ts';
import type { KeyplaneEvent } from './events.ts';
import type { LockPlace, ReleaseAtEnd } from './locks.ts';

/** The time. A date, so that seconds and milliseconds cannot be mistaken for each other. */
export interface DateClock {
  /** The current time. */
  now(): Date;
}

interface CommonOptions {
  /**
   * Keeps other runs from writing to the account. Default: `gateway`, the lock that the command line takes. A lock of one’s own
   * replaces both.
   */
  readonly lock?: LockPlace | Lock;
  /** The longest wait for another run, in milliseconds. Default: ten minutes, which outlast the lock of a killed run; 0: none. */
  readonly lockTimeoutMs?: number;
  /** The time within which a create that nobody answered may still take effect, in milliseconds. Default: two minutes. */
  readonly settleMs?: number;
  /** The sinks of the keys, in place of those that the manifest declares. */
  readonly sinks?: SinkAccess;
  /** Remembers sums of the usage log between runs. */
  readonly usageCache?: UsageCache;
  /** The pages of the usage log that one run reads. Default: 2,000. */
  readonly maxLogPages?: number;
  /** Default: the time of the gateway. */
  readonly clock?: DateClock;
  /** The number of requests at a time. Default: 8. */
  readonly concurrency?: number;
  /** The folder of what a run leaves on this machine, locks and the journal of creates. Default: the one of the command line. */
  readonly stateFolder?: string;
  /** Ends every run: see {@link RunOptions.signal}. */
  readonly signal?: AbortSignal;
  /** Watches every run. What it throws changes nothing. */
  readonly onEvent?: (event: KeyplaneEvent) => void;
}

/** The account, by a client of its gateway or by a store of one’s own. Whoever opened it closes it. */
export type KeyplaneOptions<G = GatewayClient> = CommonOptions &
  ({ readonly gateway: G; readonly store?: never } | { readonly store: KeyStore; readonly gateway?: never });

/** The limits of the guard that one run lifts. */
export interface Allowance {
  /** The number of keys that may be deleted or disabled. Default: 30 % of the owned keys, rounded up. */
  readonly deletes?: number;
  /** Lets a run delete or disable all owned keys, or the last enabled one. */
  readonly lastKey?: boolean;
  /** Names of protected keys that may be disabled, deleted or renamed; true: all. */
  readonly protected?: readonly string[] | true;
  /** Lets keys have groups that the gateway does not list. */
  readonly unknownGroups?: boolean;
  /** Lets keys have models that the gateway does not list. */
  readonly unknownModels?: boolean;
}

/** The options of every run. */
export interface RunOptions {
  /**
   * Ends the run. While it reads, it rejects at once with `gateway.interrupted`, whose cause is the reason of the signal: nothing was
   * written. Once it writes, it begins no further change, lets those under way finish, and reports.
   */
  readonly signal?: AbortSignal;
  /** Watches this run, in addition to the callback of the object. */
  readonly onEvent?: (event: KeyplaneEvent) => void;
  /** Globs of key names. Default: all keys. One that matches no key is an error. */
  readonly only?: readonly NameGlob[];
  /** Owners of keys, and labels that keys must have, as the manifest declares them. Default: all keys. */
  readonly owners?: readonly string[];
  /** Labels that keys must have, as the manifest declares them. Default: all keys. */
  readonly labels?: readonly LabelSelector[];
  /** The limits of the guard that this run lifts. */
  readonly allow?: Allowance;
  /** Somebody vouches for the usage log, so that budgets are raised as far as it asks for. */
  readonly assumeLogComplete?: boolean;
}

export interface PlanRequest extends RunOptions {
  /** The manifest before the change that is planned: what it declares disabled may be enabled. */
  readonly earlier?: Pick<Manifest, 'desired'>;
  /** Exact names of declared keys that may be enabled, although they are disabled at the gateway. */
  readonly enable?: readonly string[];
  /** Names of declared keys that get a successor now, whatever their schedule is, with the end of the old generation. */
  readonly rotate?: ReadonlyMap<string, ForcedRotation>;
  /** Ends old generations whose overlap is over although nothing shows that nobody uses them. */
  readonly endAnyway?: boolean;
  /** The commit that holds the manifest, for the plan. */
  readonly commit?: ManifestRef['commit'];
}

export interface DriftRequest extends PlanRequest {
  /** The remainder from which a key counts as low. Default: 10 % of its budget. */
  readonly low?: LowThreshold;
  /** The time within which an expiry counts as near, in days. Default: 14. */
  readonly expiringDays?: number;
}

/** Checks the keys that were written, by name; undefined when there was nothing to check. */
export type CheckStep = (
  names: readonly string[],
  plan: Plan,
  /** The secrets that were delivered, by name: as their sinks return them, else as they were sent. */
  delivered: ReadonlyMap<string, Secret>,
) => Promise<CheckReport | undefined>;

export interface WriteRequest extends PlanRequest {
  /** Asked once before the first write, and not when there is nothing to write. Rejects to stop the run. */
  readonly confirm?: (plan: Plan) => Promise<void> | void;
}

export interface ApplyRequest extends WriteRequest {
  /** For a plan: the manifest that it must have been made from. Its checks are run; without it none are. */
  readonly manifest?: Manifest;
  /**
   * Runs the free and cheap checks of the keys that were written, before anything is pruned: with these options, or as a function of
   * one’s own. Default: true.
   */
  readonly check?: boolean | CheckStepRequest | CheckStep;
  /** Prunes keys although a create or a rename of the same run did not succeed. */
  readonly pruneAnyway?: boolean;
}

/** The options of every run of checks. */
export interface CheckStepRequest {
  /** Watches the checks. What it throws changes nothing. */
  readonly onEvent?: (event: CheckEvent) => void;
  /** The most that the run may cost, in US dollars. Default: no limit. */
  readonly maxCost?: string | number;
  /**
   * The file that records video tasks, each of which is paid for: a later run continues them. Default: `keyplane.tasks.jsonl` in
   * the folder of the manifest.
   */
  readonly ledger?: string;
}

/** The options of a run of checks. */
export interface ProofRequest extends CheckStepRequest {
  /**
   * Begins no further check; those under way finish, and the report has them. Before the first check, the run rejects with
   * `gateway.interrupted`, whose cause is the reason of the signal.
   */
  readonly signal?: AbortSignal;
  /** Globs of key names. Default: all keys that select checks. One that matches none of them is an error. */
  readonly only?: readonly NameGlob[];
  /** Owners of keys, and labels that keys must have, as the manifest declares them. Default: all keys. */
  readonly owners?: readonly string[];
  /** Labels that keys must have. Default: all keys. */
  readonly labels?: readonly LabelSelector[];
  /** Names of checks, modules, kinds or classes of costs. Default: all that the keys select. */
  readonly select?: readonly string[];
  /** Checks of one’s own, for each key that the run is about. */
  readonly extra?: readonly CustomCheck[];
  /** Also runs costly checks that nothing names. */
  readonly costly?: boolean;
  /** Submits video tasks again that are indeterminate, or whose result could not be read. Each is paid for again. */
  readonly resubmit?: boolean;
  /** Another way to the gateway, from an address that allowlists of addresses must reject. */
  readonly alternateRoute?: AlternateRouteOptions;
  /** Receives the notifications of providers about video tasks. Whoever opened it closes it. */
  readonly receiver?: CallbackReceiver;
}

/**
 * Plans, applies, finds drift in, destroys and checks the keys of one account. What makes Keyplane safe is inside: the account is
 * verified, a plan is guarded and compared with the account again, locks are held, and each create is sent once.
 */
export interface Keyplane extends AsyncDisposable {
  /** Compares the declared with the live keys. Writes nothing. */
  plan(manifest: Manifest, request?: PlanRequest): Promise<Review>;
  /**
   * Makes the account match a manifest, or applies a plan: what it contains, or less. A plan is applied only to its own account,
   * while what it would touch is as it was, and as it is allowed by the guard now.
   *
   * Once it writes it does not reject: the report contains what happened.
   *
   * @throws KeyplaneError `guard.*`, `plan.foreign`, `plan.other-manifest`, `plan.stale`, `plan.unreadable`, `apply.locked`, or what `confirm` rejects with; nothing is written then.
   */
  apply(subject: Plan | Manifest, request?: ApplyRequest): Promise<ApplyReport>;
  /** The same comparison, from the side of the account: what has drifted, what is due, and which keys need attention soon. */
  drift(manifest: Manifest, request?: DriftRequest): Promise<DriftReview>;
  /** Deletes every key that the manifest owns, apart from protected ones. Rejects as `apply` does. */
  destroy(manifest: Manifest, request?: WriteRequest): Promise<ApplyReport>;
  /** Proves by real requests that the keys of a manifest work, and that they are rejected where they must be. */
  check(manifest: Manifest, request?: ProofRequest): Promise<CheckReport>;
}

/** The parts that a front end brings with it, in place of those that the library finds. */
export interface FrontEnd {
  /** The connection that it has opened, in place of the account of the options. */
  readonly gateway?: Gateway;
  readonly machine?: Machine;
  readonly releaseAtEnd?: ReleaseAtEnd;
  /** Judges what a run selects, before anything is refused or written. What it throws ends the run. */
  readonly inspect?: (review: Review) => void;
  /** Plans are only shown as text, and kept nowhere: they do not name their manifest, whose digest takes long where it is large. */
  readonly onlyShows?: boolean;
}
