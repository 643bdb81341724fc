import {
  type ApplyReport,
  type DesiredState,
  type Moved,
  type ObservedState,
  type Plan,
  pendingChanges,
  pendingDeliveries,
  selectionOf,
} from '../domain/index.ts';
import {
  apply,
  hasEarlierCreates,
  leavesNoRoom,
  mayArriveLate,
  planDeliveries,
  planDestroy,
  planRemovals,
  resume,
  reviewedDeliveries,
  settleEarlierCreates,
} from '../reconcile/index.ts';
import { type RunLocks, withLocks } from './lock.ts';
import type { ApplyRun, EngineOptions, WriteRun } from './options.ts';
import { read, type Selecting, selectionOfRequest, type Trust, trustOf } from './read.ts';
import { type Reading, type Review, refuse, review, reviewNew } from './review.ts';
import { refuseForeign, refuseOtherManifest, refuseStale } from './saved-plan.ts';

/** Makes the account match the desired keys, or applies a saved plan. See `Engine.apply`. */
export const applyKeys = (options: EngineOptions, desired: DesiredState, request: ApplyRun): Promise<ApplyReport> =>
  writing(options, (reading) => decideApply(reading, desired, request), desired, request);

/** Deletes every key that the desired state owns. See `Engine.destroy`. */
export const destroyKeys = (options: EngineOptions, desired: DesiredState, request: WriteRun): Promise<ApplyReport> =>
  writing(options, (reading) => decideDestroy(options, reading, desired, request), withoutUse(desired), request);

/** The desired state without budgets and rotations, which a deletion does not depend on: the usage log is not read. */
const withoutUse = (desired: DesiredState): DesiredState => ({
  ...desired,
  keys: desired.keys.map(({ budget, rotate, ...key }) => key),
});

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
  signal?.aborted === true && late !== undefined && (await mayArriveLate(late).catch(() => true));

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
