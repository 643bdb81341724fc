import { type CheckResult, type Decimal, kindOfModule, type Quota, quota } from '../../domain/index.ts';
import type { Clock } from '../../gateway/index.ts';
import { costsNothing } from '../run/fault-verdict.ts';
import type { Job } from '../run/job.ts';
import { chargesFor, sentCheckOf } from './charges.ts';
import { costLimitOf, withCharge, withUnknownCost } from './cost-claims.ts';
import { costsMoney, type Estimates, estimatesFrom, pricedRequestOf } from './estimate.ts';
import { entriesSince, newestEntries, type ReadLog } from './usage-log.ts';

/** Estimates, limits and looks up the costs of one run. */
export interface CostTracker {
  /** Reads the usual costs of models, once, before anything that costs money is sent. */
  open(): Promise<void>;
  /** Estimates the cost of jobs, as far as it is known. */
  estimate(jobs: readonly Job[]): CostEstimate;
  /** Under a cap: the first job whose kind has not run yet. It runs alone, before the others. */
  tryFindPriceProbe(jobs: readonly Job[]): Job | undefined;
  /** Decides whether a job may run, and reserves its estimated cost. */
  admit(job: Job): CapDecision;
  /** Decides whether a job may be retried, and reserves its estimated cost again. */
  admitAgain(job: Job): boolean;
  /** Reports that a job has run. */
  sent(job: Job): void;
  /** The cost so far: charged where that is known, else estimated. */
  spent(): Quota;
  /** Looks up the charges. A `probe` and the final settlement wait a little for a log that is late. */
  settle(when: Settlement): Promise<void>;
}

type Settlement = 'now' | 'probe' | 'finally';

/** `over`: the job might exceed the cap. `unknown`: its cost is not known, so the cap could not be kept. */
type CapDecision = 'go' | 'over' | 'unknown';

/** The estimated cost of some checks. */
export interface CostEstimate {
  readonly units: Quota;
  /** Number of checks in the sum. */
  readonly known: number;
  /** Number of checks of unknown cost, by model. */
  readonly unknown: Readonly<Record<string, number>>;
}

interface CostTrackerOptions {
  readonly read: ReadLog;
  readonly clock: Clock;
  readonly cap: Quota | undefined;
  readonly quotaPerUnit: Decimal;
  /** Start of the run, in milliseconds. */
  readonly since: number;
  readonly wait?: ((event: { kind: 'wait'; what: string }) => void) | undefined;
}

/** Gateways write their log shortly after they answer. */
const LOG_DELAY_MS = 1500;

interface TrackerState {
  readonly options: CostTrackerOptions;
  estimates: Estimates | undefined;
  /** Entries that were in the log before the run. */
  before: ReadonlySet<string>;
  /** Jobs that have run and cost money. */
  readonly jobs: Job[];
  /** Quota units reserved for running jobs. */
  reserved: number;
}

/** A request that should have been rejected costs money when the gateway accepts it. */
const wasAccepted = ({ selected, result }: Job): boolean =>
  kindOfModule(selected.spec.module) === 'enforcement' && result?.verdict === 'failed' && result.attempts > 0;

type Ran = Job & { result: CheckResult };

const estimateOf = ({ estimates }: TrackerState, job: Job): number | undefined =>
  job.model ? estimates?.of(pricedRequestOf(job)) : undefined;

const spentBy = ({ result, estimated = 0 }: Job): number => result?.cost.charged ?? estimated;
const spentIn = ({ jobs }: TrackerState): number => jobs.reduce((sum, job) => sum + spentBy(job), 0);

const ranIn = ({ jobs }: TrackerState): readonly Ran[] => jobs.filter((job): job is Ran => job.result !== undefined);
const unsettledIn = (state: TrackerState): readonly Ran[] =>
  ranIn(state).filter(({ result }) => result.cost.charged === undefined);

/** Assigns charges to jobs. @param last accepts charges that are incomplete */
async function lookUp(state: TrackerState, last: boolean): Promise<void> {
  const { options, estimates } = state;
  if (unsettledIn(state).length === 0) return;
  const logged = await entriesSince(options.read, Math.floor(options.since / 1000));
  const entries = logged.filter(({ identity }) => !state.before.has(identity));
  // Jobs that are settled take part, so that their entries are not assigned to others.
  const charges = chargesFor(ranIn(state).map(sentCheckOf), entries);
  for (const [index, job] of ranIn(state).entries()) {
    if (job.result.cost.charged !== undefined) continue;
    const found = charges[index];
    const charge = found && (found.isWhole || last) ? found : undefined;
    if (charge && job.model) estimates?.learn(pricedRequestOf(job), charge.units);
    const nothing = costsNothing(job.result.code) ? { units: quota(0), models: [], isWhole: true } : undefined;
    const known = charge ?? (found ? undefined : nothing);
    const { quotaPerUnit } = options;
    if (known)
      job.result = withCharge(job.result, job, { charge: known, limit: costLimitOf(job, quotaPerUnit), quotaPerUnit });
  }
}

const isWithin = (state: TrackerState, estimate: number): boolean => {
  const { cap } = state.options;
  const before = spentIn(state) + state.reserved;
  return cap === undefined || (before < cap && before + estimate <= cap);
};

function reserve(state: TrackerState, job: Job, units: number | undefined): void {
  if (units === undefined) return;
  job.estimated = (job.estimated ?? 0) + units;
  state.reserved += units;
}

function admit(state: TrackerState, job: Job): CapDecision {
  const { cap } = state.options;
  if (!costsMoney(job)) return 'go';
  const estimate = estimateOf(state, job);
  const isUnknown = estimate === undefined && unsettledIn(state).some(({ model }) => model === job.model);
  if (cap !== undefined && isUnknown) return 'unknown';
  if (!isWithin(state, estimate ?? 0)) return 'over';
  reserve(state, job, estimate);
  return 'go';
}

function admitAgain(state: TrackerState, job: Job): boolean {
  if (!costsMoney(job)) return true;
  const estimate = estimateOf(state, job);
  // Under a cap, a check of unknown cost is sent once.
  if (state.options.cap !== undefined && estimate === undefined) return false;
  if (!isWithin(state, estimate ?? 0)) return false;
  reserve(state, job, estimate);
  return true;
}

async function settle(state: TrackerState, when: Settlement): Promise<void> {
  const { clock, wait } = state.options;
  const nothing = () => undefined;
  await lookUp(state, false).catch(nothing);
  if (when === 'now' || unsettledIn(state).length === 0) return;
  wait?.({ kind: 'wait', what: 'the usage log' });
  await clock.sleep(LOG_DELAY_MS);
  await lookUp(state, when === 'finally').catch(nothing);
}

/** A cost that stays unknown can neither keep nor break a limit. */
function giveUp(state: TrackerState): void {
  for (const job of unsettledIn(state)) {
    if (costLimitOf(job, state.options.quotaPerUnit) !== undefined) job.result = withUnknownCost(job.result);
  }
}

function estimateAll(state: TrackerState, jobs: readonly Job[]): CostEstimate {
  let [units, known] = [0, 0];
  const unknown: Record<string, number> = {};
  for (const job of jobs.filter(costsMoney)) {
    const estimate = estimateOf(state, job);
    if (estimate === undefined) unknown[job.model ?? ''] = (unknown[job.model ?? ''] ?? 0) + 1;
    else [units, known] = [units + estimate, known + 1];
  }
  return { units: quota(units), known, unknown };
}

export function openCostTracker(options: CostTrackerOptions): CostTracker {
  const { cap, read } = options;
  const state: TrackerState = { options, estimates: undefined, before: new Set(), jobs: [], reserved: 0 };
  return {
    async open() {
      if (state.estimates) return;
      const reading = newestEntries(read);
      // Without a cap, an unreadable log only means that costs are unknown.
      const past = cap === undefined ? await reading.catch(() => []) : await reading;
      state.estimates = estimatesFrom(past);
      state.before = new Set(past.map(({ identity }) => identity));
    },
    estimate: (jobs) => estimateAll(state, jobs),
    tryFindPriceProbe(jobs) {
      if (cap === undefined) return undefined;
      return jobs.find((job) => costsMoney(job) && state.estimates?.knows(pricedRequestOf(job)) !== true);
    },
    admit: (job) => admit(state, job),
    admitAgain: (job) => admitAgain(state, job),
    sent(job) {
      state.reserved -= job.estimated ?? 0;
      if (costsMoney(job) || wasAccepted(job)) state.jobs.push(job);
    },
    spent: () => quota(spentIn(state)),
    async settle(when) {
      await settle(state, when);
      if (when === 'finally') giveUp(state);
    },
  };
}
