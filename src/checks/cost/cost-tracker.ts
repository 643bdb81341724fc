import { type CheckResult, type Decimal, kindOfModule, type Quota, quota } from '../../domain/index.ts';
import type { Clock } from '../../gateway/index.ts';
import { costsNothing } from '../run/fault-verdict.ts';
import type { Job } from '../run/job.ts';
import { chargesFor } from './charges.ts';
import { costLimitOf, withCharge, withUnknownCost } from './cost-claims.ts';
import { type Estimates, estimatesFrom } from './estimate.ts';
import { pays, pricedRequestOf, sentCheckOf } from './priced-request.ts';
import { entriesSince, newestEntries, type ReadLog } from './usage-log.ts';

/** The money of one run. */
export interface CostTracker {
  /** Learns what models usually cost, once; before anything that costs. */
  open(): Promise<void>;
  /** What they will come to, as far as anybody knows. */
  reckon(jobs: readonly Job[]): CostEstimate;
  /** Under a cap: the first whose like has not run yet. It runs alone, before the others. */
  tryFindPriceProbe(jobs: readonly Job[]): Job | undefined;
  /** May it run? Then what it may cost is set aside. */
  admit(job: Job): Admission;
  /** May it be tried once more? Then that is set aside, too. */
  admitAgain(job: Job): boolean;
  /** It ran. */
  sent(job: Job): void;
  /** What was spent so far: charged where that is known, else estimated. */
  spent(): Quota;
  /** Looks up what was charged; where more depends on it, it waits a little for a log that is late. */
  settle(when: 'quick' | 'probe' | 'finally'): Promise<void>;
}

/** `over`: it might go beyond the cap. `unknown`: the log does not tell what its model costs, so a cap could not be kept. */
type Admission = 'go' | 'over' | 'unknown';

/** What checks that cost money will come to. */
export interface CostEstimate {
  readonly units: Quota;
  /** Checks in the sum. */
  readonly known: number;
  /** Checks whose cost nobody knows, by model. */
  readonly unknown: Readonly<Record<string, number>>;
}

export interface CostTrackerOptions {
  readonly read: ReadLog;
  readonly clock: Clock;
  readonly cap: Quota | undefined;
  readonly quotaPerUnit: Decimal;
  /** When the run began, in milliseconds. */
  readonly since: number;
  readonly wait?: ((event: { kind: 'wait'; what: string }) => void) | undefined;
}

/** Gateways write their log a little later than they answer. */
const LOG_DELAY_MS = 1500;

/** The costTracker while the run goes on. */
interface TrackerState {
  readonly options: CostTrackerOptions;
  estimates: Estimates | undefined;
  /** What was in the log before anything was sent: other people's, or of an earlier run. */
  before: ReadonlySet<string>;
  /** What ran and costs. */
  readonly jobs: Job[];
  /** Quota units that are set aside for what runs now. */
  reserved: number;
}

/** What should have been refused and was served is paid for, too. */
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

/** @param last what is in the log by half is taken for what it is */
async function lookUp(state: TrackerState, last: boolean): Promise<void> {
  const { options, estimates } = state;
  if (unsettledIn(state).length === 0) return;
  const logged = await entriesSince(options.read, Math.floor(options.since / 1000));
  const entries = logged.filter(({ identity }) => !state.before.has(identity));
  // What is known of others tells what is not this one's.
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
      job.result = withCharge(job.result, job, { charge: known, most: costLimitOf(job, quotaPerUnit), quotaPerUnit });
  }
}

const isWithin = (state: TrackerState, estimate: number): boolean => {
  const { cap } = state.options;
  const before = spentIn(state) + state.reserved;
  return cap === undefined || (before < cap && before + estimate <= cap);
};

function setAside(state: TrackerState, job: Job, units: number | undefined): void {
  if (units === undefined) return;
  job.estimated = (job.estimated ?? 0) + units;
  state.reserved += units;
}

function admit(state: TrackerState, job: Job): Admission {
  const { cap } = state.options;
  if (!pays(job)) return 'go';
  const estimate = estimateOf(state, job);
  const isUnknown = estimate === undefined && unsettledIn(state).some(({ model }) => model === job.model);
  if (cap !== undefined && isUnknown) return 'unknown';
  if (!isWithin(state, estimate ?? 0)) return 'over';
  setAside(state, job, estimate);
  return 'go';
}

function admitAgain(state: TrackerState, job: Job): boolean {
  if (!pays(job)) return true;
  const estimate = estimateOf(state, job);
  // Under a cap, what nobody knows the cost of is sent once.
  if (state.options.cap !== undefined && estimate === undefined) return false;
  if (!isWithin(state, estimate ?? 0)) return false;
  setAside(state, job, estimate);
  return true;
}

/** Looks; where it matters, waits a little for a log that is late, and looks once more. */
async function settle(state: TrackerState, when: 'quick' | 'probe' | 'finally'): Promise<void> {
  const { clock, wait } = state.options;
  const nothing = () => undefined;
  await lookUp(state, false).catch(nothing);
  if (when === 'quick' || unsettledIn(state).length === 0) return;
  wait?.({ kind: 'wait', what: 'the usage log' });
  await clock.sleep(LOG_DELAY_MS);
  await lookUp(state, when === 'finally').catch(nothing);
}

/** What stays unknown breaks no bound, and keeps none. */
function giveUp(state: TrackerState): void {
  for (const job of unsettledIn(state)) {
    if (costLimitOf(job, state.options.quotaPerUnit) !== undefined) job.result = withUnknownCost(job.result);
  }
}

function reckon(state: TrackerState, jobs: readonly Job[]): CostEstimate {
  let [units, known] = [0, 0];
  const unknown: Record<string, number> = {};
  for (const job of jobs.filter(pays)) {
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
      // Without a cap an unreadable log only means that costs are not known; a cap could not be kept.
      const past = cap === undefined ? await reading.catch(() => []) : await reading;
      state.estimates = estimatesFrom(past);
      state.before = new Set(past.map(({ identity }) => identity));
    },
    reckon: (jobs) => reckon(state, jobs),
    tryFindPriceProbe(jobs) {
      if (cap === undefined) return undefined;
      return jobs.find((job) => pays(job) && state.estimates?.knows(pricedRequestOf(job)) !== true);
    },
    admit: (job) => admit(state, job),
    admitAgain: (job) => admitAgain(state, job),
    sent(job) {
      state.reserved -= job.estimated ?? 0;
      if (pays(job) || wasAccepted(job)) state.jobs.push(job);
    },
    spent: () => quota(spentIn(state)),
    async settle(when) {
      await settle(state, when);
      if (when === 'finally') giveUp(state);
    },
  };
}
