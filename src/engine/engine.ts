import {
  type ApplyReport,
  type CheckReport,
  type DesiredState,
  type KeySelection,
  type Moved,
  type ObservedState,
  type Plan,
  pendingChanges,
  pendingDeliveries,
  type Secret,
  selectionOf,
  type UnixSeconds,
} from '../domain/index.ts';
import {
  type ApplyEvent,
  apply,
  findUnfinished,
  hasEarlierCreates,
  type KeyStore,
  type LateCreates,
  leavesNoRoom,
  type ObserveOptions,
  type Outlook,
  type OutlookLimits,
  observe,
  observeSinks,
  outlookOf,
  type ProveSecrets,
  planDeliveries,
  planDestroy,
  planRemovals,
  resume,
  reviewedDeliveries,
  type SinkAccess,
  settleEarlierCreates,
  type UsageCache,
  undeliveredNames,
} from '../reconcile/index.ts';
import { type Locks, type RunLocks, withLocks } from './lock.ts';
import { type Reading, type Review, type RunRequest, refuse, review, reviewNew } from './review.ts';
import { refuseForeign, refuseOtherManifest, refuseStale } from './saved-plan.ts';
import { untilAborted } from './until-aborted.ts';

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

/** Creates the engine for one account. */
export const createEngine = (options: EngineOptions): Engine => ({
  plan: (desired, request) => compare(options, desired, request),
  drift: (desired, request) => findDrift(options, desired, request),
  apply: (desired, request) => writing(options, (reading) => decideApply(reading, desired, request), desired, request),
  destroy: (desired, request) =>
    writing(options, (reading) => decideDestroy(options, reading, desired, request), desired, request),
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

/** Decides on what was read, and on nothing else: after a wait for another run it is called again. */
type Decide = (reading: Reading) => Decided;

function decideApply(reading: Reading, desired: DesiredState, request: ApplyRun): Decided {
  const { saved } = request;
  if (saved === undefined) return { reading, reviewed: reviewNew(reading, request), desired };
  refuseForeign(saved, reading.observed.account);
  refuseOtherManifest(saved, request.manifest);
  const { plan: resumed, stale, ...since } = resume(saved, reading);
  const deliveries = reviewedDeliveries(saved, planDeliveries(resumed, reading.sinks ?? []));
  const reviewed = review({ ...resumed, deliveries }, reading, request);
  refuseStale(stale);
  return { reading, reviewed, desired, ...since };
}

function decideDestroy({ sinks }: EngineOptions, reading: Reading, desired: DesiredState, request: WriteRun): Decided {
  const reviewOf = (at: Reading): Review => {
    const planned = planDestroy(desired, at.observed, at.now);
    return review({ ...planned, deliveries: sinks ? planRemovals(planned, sinks) : [] }, at, request);
  };
  const destroyAgain = (observed: ObservedState): Plan => reviewOf({ ...reading, observed }).plan;
  return { reading, reviewed: reviewOf(reading), destroyAgain };
}

/** Locks, reads, decides, claims, and writes. */
function writing(
  engine: EngineOptions,
  decide: Decide,
  desired: DesiredState,
  request: ApplyRun,
): Promise<ApplyReport> {
  const { assumeLogComplete, saved } = request;
  // Whoever reviewed a saved plan has seen what it trusts.
  const options = {
    ...engine,
    ...trustOf({ assumeLogComplete: assumeLogComplete || saved?.assumesLogComplete === true }),
    selection: saved ? selectionOf(saved) : selectionOfRequest(request),
  };
  const work = async (locks: RunLocks): Promise<ApplyReport> => {
    let decided = decide(await readSettled(options, desired, locks));
    // If it waits, another run has written since the account was read.
    if (claims(decided) && (await locks.takeClaim())) decided = decide(await readSettled(options, desired, locks));
    if (mayWrite(decided) && !claims(decided)) await locks.forgoClaim();
    return await write({ ...options, ensureHeld: locks.ensureHeld }, decided, request);
  };
  return withLocks(options, work, () => isUnsettled(options));
}

const mayWrite = ({ reviewed: { plan, refusals } }: Decided): boolean =>
  (pendingChanges(plan).length > 0 || pendingDeliveries(plan).length > 0) && refusals.length === 0;

/** The last places of an account are for its keys. */
const claims = (decided: Decided): boolean =>
  mayWrite(decided) && !leavesNoRoom(decided.reviewed.plan.changes, decided.reading.observed);

/** Was the run interrupted before it knew what became of its creates? Otherwise it has waited for them. */
const isUnsettled = async ({ signal, late }: EngineOptions): Promise<boolean> =>
  signal?.aborted === true && late !== undefined && (await hasEarlierCreates(late).catch(() => true));

type Trust = Pick<ObserveOptions, 'assumeLogComplete'>;
/** The keys whose sinks are looked at. */
interface Selecting {
  readonly selection?: KeySelection;
}

const selectionOfRequest = ({ only = [], owners = [], labels = [] }: RunRequest): KeySelection => ({
  names: only,
  owners,
  labels,
});

const trustOf = ({ assumeLogComplete = false }: Trust): Trust => (assumeLogComplete ? { assumeLogComplete } : {});

/** Reads the account: rate, groups, keys, and as much of the usage log as the declared budgets need. */
async function read(
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

/**
 * Reads the account to write to it: what earlier runs sent must have arrived, or never will. To settle that may take deletes,
 * so it is done with the claim.
 */
async function readSettled(
  options: EngineOptions & Trust & Selecting,
  desired: DesiredState,
  locks: RunLocks,
): Promise<Reading> {
  const { late } = options;
  if (late !== undefined && (await hasEarlierCreates(late))) {
    await locks.takeClaim();
    await settleEarlierCreates({ ...options, late, ensureHeld: locks.ensureHeld });
  }
  const { selection = {} } = options;
  return read(options, desired, { ...trustOf(options), selection });
}

interface Decided {
  readonly reading: Reading;
  readonly reviewed: Review;
  /** The origin of the plan, to plan again after the writes; absent for a destruction. */
  readonly desired?: DesiredState;
  readonly destroyAgain?: (observed: ObservedState) => Plan;
  /** For a saved plan: see `resume`. */
  readonly leftOut?: ReadonlySet<string>;
  readonly harmless?: readonly Moved[];
}

/** Guards, confirms and applies a plan, checks the keys that were written, and reports. */
async function write(
  options: EngineOptions & Trust & Pick<RunLocks, 'ensureHeld'>,
  decided: Decided,
  request: ApplyRun,
): Promise<ApplyReport> {
  const { reading, reviewed, desired, destroyAgain, leftOut, harmless } = decided;
  const { confirm, check, proveSecrets, inspect, pruneAnyway = false } = request;
  options.onEvent?.({ kind: 'planned', ...reviewed });
  inspect?.(reviewed);
  refuse(reviewed.refusals);
  if (pendingChanges(reviewed.plan).length > 0) await options.store.verifyWritable();
  if (mayWrite(decided)) await confirm(reviewed.plan);
  options.onEvent?.({ kind: 'applying', plan: reviewed.plan });
  const report = await apply(reviewed.plan, options.store, {
    ...options,
    observed: reading.observed,
    pruneAnyway,
    ...(desired ? { desired } : {}),
    ...(destroyAgain ? { destroyAgain } : {}),
    ...(leftOut ? { leftOut } : {}),
    ...(proveSecrets ? { proveSecrets } : {}),
    ...(check ? { prove: (names, delivered) => check(names, reviewed.plan, delivered) } : {}),
  });
  return harmless ? { ...report, moved: harmless } : report;
}
