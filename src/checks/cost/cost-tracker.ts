import {
  type CheckResult,
  type Decimal,
  type Group,
  kindOfModule,
  mustBeRejected,
  type ObservedKey,
  type Quota,
  quota,
  renderDecimal,
} from '../../domain/index.ts';
import type { Clock } from '../../gateway/index.ts';
import type { PublicPrice } from '../../wire/index.ts';
import { costsNothing } from '../run/fault-verdict.ts';
import { type Job, maxAttemptsOf } from '../run/job.ts';
import { chargesFor, sentCheckOf } from './charges.ts';
import { costLimitOf, withCharge, withUnknownCost, withUnknownModel } from './cost-claims.ts';
import { type AttemptCost, costsMoney, type Estimates, estimatesFrom, pricedRequestOf } from './estimate.ts';
import { saturated } from './upper-price.ts';
import { entriesSince, newestEntries, type ReadLog } from './usage-log.ts';

/** Estimates, limits and looks up the costs of one run. */
export interface CostTracker {
  /** Reads the log, the prices and the usual costs of models. What is in the log by then is not charged to a check of this run. */
  open(): Promise<void>;
  /** Estimates the cost of jobs, as far as it is known. */
  estimate(jobs: readonly Job[]): CostEstimate;
  /** Decides whether a job may run, and reserves its estimated cost; under a cap, the most that it can cost. */
  admit(job: Job): CapDecision;
  /** Decides whether a job may be retried, and reserves its estimated cost again. */
  admitAgain(job: Job): boolean;
  /** Reports that a job has run. */
  sent(job: Job): void;
  /** The cost so far: charged where that is known, else estimated. */
  spent(): Quota;
  /** The part of the charges that exceeds the cap; undefined when they do not. */
  tryFindExcess(): Quota | undefined;
  /** Looks up the charges. Waits a little for a log that is late. */
  settle(when: Settlement): Promise<void>;
}

type Settlement = 'between' | 'finally';

/**
 * `over`: the job might exceed the cap. `full`: only together with the running jobs. `unknown`: its price is not known, and `unbounded`: its
 * request does not limit what it is charged for, so the cap could not be kept. `unsettled`: an earlier job has cost an unknown amount.
 */
export type CapDecision = 'go' | 'over' | 'full' | 'unknown' | 'unbounded' | 'unsettled';

/** The estimated cost of some checks. */
export interface CostEstimate {
  readonly units: Quota;
  /** Number of checks in the sum. */
  readonly known: number;
  /** True if these checks cannot cost more, with all attempts that they may make; false if some of it is what earlier ones cost. */
  readonly isMaximum: boolean;
  /** Number of checks of unknown cost, by model; by name for a check without one. */
  readonly unknown: Readonly<Record<string, number>>;
}

interface CostTrackerOptions {
  readonly read: ReadLog;
  /** The groups of the account; empty where they are unknown. */
  readonly groups: () => Promise<readonly Group[]>;
  /** The group of the user; rejects where it cannot be read. */
  readonly ownGroup: () => Promise<string | undefined>;
  /** The prices that the gateway shows to anybody; rejects where it shows none. */
  readonly prices: () => Promise<readonly PublicPrice[]>;
  readonly keys: readonly ObservedKey[];
  readonly clock: Clock;
  readonly cap: Quota | undefined;
  readonly quotaPerUnit: Decimal;
  /** Start of the run, in milliseconds. */
  readonly since: number;
  readonly wait?: ((event: { kind: 'wait'; what: string }) => void) | undefined;
}

/** Gateways write their log shortly after they answer. Under a cap, a late entry ends the spending, so it is awaited longer. */
const LOG_DELAYS_MS = { usual: [1500], capped: [1500, 3000, 6000] } as const;

interface TrackerState {
  readonly options: CostTrackerOptions;
  estimates: Estimates | undefined;
  /** Entries that were in the log before the run. */
  before: ReadonlySet<string>;
  /** Jobs that have run and cost money. */
  readonly jobs: Job[];
  /** The sum of what they cost so far. */
  spent: number;
  /** Quota units reserved for running jobs. */
  reserved: number;
}

/** A request that should have been rejected costs money when the gateway accepts it. */
function wasAccepted({ selected, result, isPaid }: Job): boolean {
  if (!mustBeRejected(selected.spec.module) || isPaid === true || !result?.attempts) return false;
  const isInconclusive = kindOfModule(selected.spec.module) === 'bypass' && result.verdict === 'unprovable';
  return result.verdict === 'failed' || (isInconclusive && result.exchanges.length > 0);
}

type Ran = Job & { result: CheckResult };

function estimateOf({ estimates }: TrackerState, job: Job, which: 'usual' | 'most'): AttemptCost | undefined {
  const request = pricedRequestOf(job);
  return request && estimates?.[which](request);
}

/** The amount to reserve for one attempt. */
const reservationOf = (state: TrackerState, job: Job): AttemptCost | undefined =>
  estimateOf(state, job, state.options.cap === undefined ? 'usual' : 'most');

function isPriced({ estimates }: TrackerState, job: Job): boolean {
  const request = pricedRequestOf(job);
  return request !== undefined && estimates?.isPriced(request) === true;
}

function learn({ estimates }: TrackerState, job: Job, units: Quota): void {
  const request = pricedRequestOf(job);
  if (request) estimates?.learn(request, units);
}

const spentBy = ({ result, estimated = 0 }: Pick<Job, 'result' | 'estimated'>): number =>
  result?.cost.charged ?? estimated;

const ranIn = ({ jobs }: TrackerState): readonly Ran[] => jobs.filter((job): job is Ran => job.result !== undefined);
const unsettledIn = (state: TrackerState): readonly Ran[] =>
  ranIn(state).filter(({ result }) => result.cost.charged === undefined);

/** Assigns charges to jobs. @param last accepts charges that are incomplete */
async function lookUp(state: TrackerState, last: boolean): Promise<void> {
  const { options } = state;
  if (unsettledIn(state).length === 0) return;
  const logged = await entriesSince(options.read, Math.floor(options.since / 1000));
  const entries = logged.filter(({ identity }) => !state.before.has(identity));
  // Jobs that are settled take part, so that their entries are not assigned to others.
  const charges = chargesFor(ranIn(state).map(sentCheckOf), entries);
  for (const [index, job] of ranIn(state).entries()) {
    if (job.result.cost.charged !== undefined) continue;
    const found = charges[index];
    const charge = found && (found.isWhole || last) ? found : undefined;
    if (charge) learn(state, job, charge.units);
    const nothing = costsNothing(job.result.code) ? { units: quota(0), models: [], isWhole: true } : undefined;
    const known = charge ?? (found ? undefined : nothing);
    const { quotaPerUnit } = options;
    if (!known) continue;
    const before = spentBy(job);
    job.result = withCharge(job.result, job, { charge: known, limit: costLimitOf(job, quotaPerUnit), quotaPerUnit });
    state.spent += spentBy(job) - before;
  }
}

/** Returns the rest of the cap: after the finished jobs, and after the running ones too. */
function remaining(state: TrackerState): { spent: number; reserved: number } {
  const { cap = Number.POSITIVE_INFINITY } = state.options;
  const left = cap - state.spent;
  return { spent: left, reserved: left - state.reserved };
}

function reserve(state: TrackerState, job: Job, attempt: AttemptCost | undefined): void {
  if (attempt === undefined) return;
  job.estimated = (job.estimated ?? 0) + attempt.units;
  job.estimateIsMaximum = (job.estimateIsMaximum ?? true) && attempt.isMaximum;
  state.reserved += attempt.units;
}

function admit(state: TrackerState, job: Job): CapDecision {
  if (!costsMoney(job)) return 'go';
  const estimate = reservationOf(state, job);
  if (state.options.cap !== undefined) {
    const left = remaining(state);
    if (left.spent <= 0) return 'over';
    if (unsettledIn(state).length > 0) return 'unsettled';
    if (estimate === undefined) return isPriced(state, job) ? 'unbounded' : 'unknown';
    if (estimate.units > left.spent) return 'over';
    if (estimate.units > left.reserved) return 'full';
  }
  reserve(state, job, estimate);
  return 'go';
}

function admitAgain(state: TrackerState, job: Job): boolean {
  if (!costsMoney(job)) return true;
  const estimate = reservationOf(state, job);
  const { reserved } = remaining(state);
  if (state.options.cap !== undefined && (estimate === undefined || estimate.units > reserved)) return false;
  reserve(state, job, estimate);
  return true;
}

async function settle(state: TrackerState, when: Settlement): Promise<void> {
  const { clock, wait, cap } = state.options;
  const nothing = () => undefined;
  await lookUp(state, false).catch(nothing);
  const delays = cap === undefined ? LOG_DELAYS_MS.usual : LOG_DELAYS_MS.capped;
  for (const [index, delay] of delays.entries()) {
    if (unsettledIn(state).length === 0) return;
    wait?.({ kind: 'wait', what: 'the usage log' });
    await clock.sleep(delay);
    await lookUp(state, when === 'finally' && index === delays.length - 1).catch(nothing);
  }
}

/** A cost that stays unknown can neither keep nor break a limit, nor show which model has answered. */
function giveUp(state: TrackerState): void {
  for (const job of unsettledIn(state)) {
    if (costLimitOf(job, state.options.quotaPerUnit) !== undefined) job.result = withUnknownCost(job.result);
  }
  for (const job of ranIn(state)) job.result = withUnknownModel(job.result, job);
}

function estimateAll(state: TrackerState, jobs: readonly Job[]): CostEstimate {
  let [units, known, isMaximum] = [0, 0, true];
  const unknown: Record<string, number> = {};
  for (const job of jobs.filter(costsMoney)) {
    const attempt = estimateOf(state, job, 'usual');
    if (attempt === undefined) {
      const what = job.model ?? job.selected.spec.name;
      unknown[what] = (unknown[what] ?? 0) + 1;
    } else {
      units += attempt.units * (attempt.isMaximum ? maxAttemptsOf(job.selected) : 1);
      known += 1;
      isMaximum &&= attempt.isMaximum;
    }
  }
  return { units: saturated(units), known, isMaximum: known > 0 && isMaximum, unknown };
}

/** Reads what estimates follow from. Under a cap, the log and the groups must be readable. */
async function readEstimates(options: CostTrackerOptions): Promise<Pick<TrackerState, 'estimates' | 'before'>> {
  const { cap, quotaPerUnit } = options;
  const nothing = () => [];
  const readLog = newestEntries(options.read);
  const entries = await (cap === undefined ? readLog.catch(nothing) : readLog);
  const prices = await options.prices().catch(nothing);
  // Without a cap, the ratios of groups serve only to estimate by the prices that the gateway shows.
  const needsGroups = cap !== undefined || prices.length > 0;
  const readGroups = needsGroups ? options.groups() : Promise.resolve(nothing());
  const groups = await (cap === undefined ? readGroups.catch(nothing) : readGroups);
  const ownGroup = groups.length > 0 ? await options.ownGroup().catch(() => undefined) : undefined;
  const rate = Number(renderDecimal(quotaPerUnit));
  return {
    estimates: estimatesFrom({ entries, keys: options.keys, groups, ownGroup, prices, quotaPerUnit: rate }),
    before: new Set(entries.map(({ identity }) => identity)),
  };
}

export function openCostTracker(options: CostTrackerOptions): CostTracker {
  const { cap } = options;
  const state: TrackerState = { options, estimates: undefined, before: new Set(), jobs: [], spent: 0, reserved: 0 };
  return {
    async open() {
      Object.assign(state, await readEstimates(options));
    },
    estimate: (jobs) => estimateAll(state, jobs),
    admit: (job) => admit(state, job),
    admitAgain: (job) => admitAgain(state, job),
    sent(job) {
      state.reserved -= job.estimated ?? 0;
      if (!costsMoney(job) && !wasAccepted(job)) return;
      state.jobs.push(job);
      state.spent += spentBy(job);
    },
    spent: () => saturated(state.spent),
    tryFindExcess() {
      const charged = ranIn(state).reduce((sum, { result }) => sum + (result.cost.charged ?? 0), 0);
      return cap !== undefined && charged > cap ? saturated(charged - cap) : undefined;
    },
    async settle(when) {
      await settle(state, when);
      if (when === 'finally') giveUp(state);
    },
  };
}
