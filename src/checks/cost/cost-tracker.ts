import { type CheckResult, type Decimal, kindOfModule, type Quota, quota } from '../../domain/index.ts';
import type { Clock } from '../../gateway/index.ts';
import { costsNothing } from '../run/fault-verdict.ts';
import type { Job } from '../run/job.ts';
import { chargesFor } from './charges.ts';
import { judged, mostOf, unjudged } from './cost-claims.ts';
import { type Estimates, estimatesFrom } from './estimate.ts';
import { orderOf, pays, sentOf } from './priced-request.ts';
import { entriesSince, newestEntries, type ReadLog } from './usage-log.ts';

/** The money of one run. */
export interface Purse {
  /** Learns what models usually cost, once; before anything that costs. */
  open(): Promise<void>;
  /** What they will come to, as far as anybody knows. */
  reckon(jobs: readonly Job[]): Reckoning;
  /** Under a cap: the first whose like has not run yet. It runs alone, before the others. */
  tryFindScout(jobs: readonly Job[]): Job | undefined;
  /** May it run? Then what it may cost is set aside. */
  admit(job: Job): Admission;
  /** May it be tried once more? Then that is set aside, too. */
  admitAgain(job: Job): boolean;
  /** It ran. */
  sent(job: Job): void;
  /** What was spent so far: charged where that is known, else reckoned. */
  spent(): Quota;
  /** Looks up what was charged; where more depends on it, it waits a little for a log that is late. */
  settle(when: 'glance' | 'scout' | 'finally'): Promise<void>;
}

/** `over`: it might go beyond the cap. `unknown`: the log does not tell what its model costs, so a cap could not be kept. */
type Admission = 'go' | 'over' | 'unknown';

/** What checks that cost money will come to. */
export interface Reckoning {
  readonly units: Quota;
  /** Checks in the sum. */
  readonly known: number;
  /** Checks whose cost nobody knows, by model. */
  readonly unknown: Readonly<Record<string, number>>;
}

export interface PurseOptions {
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

/** The purse while the run goes on. */
interface Pocket {
  readonly options: PurseOptions;
  estimates: Estimates | undefined;
  /** What was in the log before anything was sent: other people's, or of an earlier run. */
  before: ReadonlySet<string>;
  /** What ran and costs. */
  readonly jobs: Job[];
  /** Quota units that are set aside for what runs now. */
  reserved: number;
}

/** What should have been refused and was served is paid for, too. */
const wasLetIn = ({ selected, result }: Job): boolean =>
  kindOfModule(selected.spec.module) === 'enforcement' && result?.verdict === 'failed' && result.attempts > 0;

type Ran = Job & { result: CheckResult };

const estimateOf = ({ estimates }: Pocket, job: Job): number | undefined =>
  job.model ? estimates?.of(orderOf(job)) : undefined;

const spentBy = ({ result, estimated = 0 }: Job): number => result?.cost.charged ?? estimated;
const spentIn = ({ jobs }: Pocket): number => jobs.reduce((sum, job) => sum + spentBy(job), 0);

const ranIn = ({ jobs }: Pocket): readonly Ran[] => jobs.filter((job): job is Ran => job.result !== undefined);
const unsettledIn = (pocket: Pocket): readonly Ran[] =>
  ranIn(pocket).filter(({ result }) => result.cost.charged === undefined);

/** @param last what is in the log by half is taken for what it is */
async function lookUp(pocket: Pocket, last: boolean): Promise<void> {
  const { options, estimates } = pocket;
  if (unsettledIn(pocket).length === 0) return;
  const logged = await entriesSince(options.read, Math.floor(options.since / 1000));
  const entries = logged.filter(({ identity }) => !pocket.before.has(identity));
  // What is known of others tells what is not this one's.
  const charges = chargesFor(ranIn(pocket).map(sentOf), entries);
  for (const [index, job] of ranIn(pocket).entries()) {
    if (job.result.cost.charged !== undefined) continue;
    const found = charges[index];
    const charge = found && (found.isWhole || last) ? found : undefined;
    if (charge && job.model) estimates?.learn(orderOf(job), charge.units);
    const nothing = costsNothing(job.result.code) ? { units: quota(0), models: [], isWhole: true } : undefined;
    const known = charge ?? (found ? undefined : nothing);
    const { quotaPerUnit } = options;
    if (known) job.result = judged(job.result, job, { charge: known, most: mostOf(job, quotaPerUnit), quotaPerUnit });
  }
}

const isWithin = (pocket: Pocket, estimate: number): boolean => {
  const { cap } = pocket.options;
  const before = spentIn(pocket) + pocket.reserved;
  return cap === undefined || (before < cap && before + estimate <= cap);
};

function setAside(pocket: Pocket, job: Job, units: number | undefined): void {
  if (units === undefined) return;
  job.estimated = (job.estimated ?? 0) + units;
  pocket.reserved += units;
}

function admit(pocket: Pocket, job: Job): Admission {
  const { cap } = pocket.options;
  if (!pays(job)) return 'go';
  const estimate = estimateOf(pocket, job);
  const isMystery = estimate === undefined && unsettledIn(pocket).some(({ model }) => model === job.model);
  if (cap !== undefined && isMystery) return 'unknown';
  if (!isWithin(pocket, estimate ?? 0)) return 'over';
  setAside(pocket, job, estimate);
  return 'go';
}

function admitAgain(pocket: Pocket, job: Job): boolean {
  if (!pays(job)) return true;
  const estimate = estimateOf(pocket, job);
  // Under a cap, what nobody knows the cost of is sent once.
  if (pocket.options.cap !== undefined && estimate === undefined) return false;
  if (!isWithin(pocket, estimate ?? 0)) return false;
  setAside(pocket, job, estimate);
  return true;
}

/** Looks; where it matters, waits a little for a log that is late, and looks once more. */
async function settle(pocket: Pocket, when: 'glance' | 'scout' | 'finally'): Promise<void> {
  const { clock, wait } = pocket.options;
  const nothing = () => undefined;
  await lookUp(pocket, false).catch(nothing);
  if (when === 'glance' || unsettledIn(pocket).length === 0) return;
  wait?.({ kind: 'wait', what: 'the usage log' });
  await clock.sleep(LOG_DELAY_MS);
  await lookUp(pocket, when === 'finally').catch(nothing);
}

/** What stays unknown breaks no bound, and keeps none. */
function giveUp(pocket: Pocket): void {
  for (const job of unsettledIn(pocket)) {
    if (mostOf(job, pocket.options.quotaPerUnit) !== undefined) job.result = unjudged(job.result);
  }
}

function reckon(pocket: Pocket, jobs: readonly Job[]): Reckoning {
  let [units, known] = [0, 0];
  const unknown: Record<string, number> = {};
  for (const job of jobs.filter(pays)) {
    const estimate = estimateOf(pocket, job);
    if (estimate === undefined) unknown[job.model ?? ''] = (unknown[job.model ?? ''] ?? 0) + 1;
    else [units, known] = [units + estimate, known + 1];
  }
  return { units: quota(units), known, unknown };
}

export function openPurse(options: PurseOptions): Purse {
  const { cap, read } = options;
  const pocket: Pocket = { options, estimates: undefined, before: new Set(), jobs: [], reserved: 0 };
  return {
    async open() {
      if (pocket.estimates) return;
      const reading = newestEntries(read);
      // Without a cap an unreadable log only means that costs are not known; a cap could not be kept.
      const past = cap === undefined ? await reading.catch(() => []) : await reading;
      pocket.estimates = estimatesFrom(past);
      pocket.before = new Set(past.map(({ identity }) => identity));
    },
    reckon: (jobs) => reckon(pocket, jobs),
    tryFindScout(jobs) {
      if (cap === undefined) return undefined;
      return jobs.find((job) => pays(job) && pocket.estimates?.knows(orderOf(job)) !== true);
    },
    admit: (job) => admit(pocket, job),
    admitAgain: (job) => admitAgain(pocket, job),
    sent(job) {
      pocket.reserved -= job.estimated ?? 0;
      if (pays(job) || wasLetIn(job)) pocket.jobs.push(job);
    },
    spent: () => quota(spentIn(pocket)),
    async settle(when) {
      await settle(pocket, when);
      if (when === 'finally') giveUp(pocket);
    },
  };
}
