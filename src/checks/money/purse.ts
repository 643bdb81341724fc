import {
  type CheckResult,
  type Decimal,
  type Quota,
  quota,
  quotaFromUsd,
  tryParseDecimal,
} from '../../domain/index.ts';
import type { Clock } from '../../gateway/index.ts';
import { findFamily, INFERENCE_API } from '../../wire/index.ts';
import { verdictOf } from '../attempt.ts';
import type { Job } from '../job.ts';
import { isFinal } from '../verdict-of-fault.ts';
import { type Charge, chargesFor, type Sent } from './charges.ts';
import { type Estimates, estimatesFrom } from './estimate.ts';
import { entriesSince, newestEntries, type ReadLog } from './log-window.ts';

/** The money of one run. */
export interface Purse {
  /** Learns what models usually cost, once; before anything that costs. */
  open(): Promise<void>;
  /** What they will come to, as far as anybody knows. */
  reckon(jobs: readonly Job[]): Reckoning;
  /** Under a cap: the first of which nobody knows the cost. It runs alone, before the others. */
  tryFindScout(jobs: readonly Job[]): Job | undefined;
  /** May it run? Then what it may cost is set aside. */
  admit(job: Job): Admission;
  /** It ran. */
  sent(job: Job): void;
  /** What was spent so far: charged where that is known, else reckoned. */
  spent(): Quota;
  /** Looks up what was charged, and waits a little for a log that is late. */
  settle(when: 'meanwhile' | 'finally'): Promise<void>;
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

const pays = ({ selected }: Job): boolean => selected.entry.pays;

/** Refused before anybody worked for it: nothing is charged. */
const wasRefused = ({ result }: Job): boolean => result?.code !== undefined && isFinal(result.code as never);

/** By what the log tells one kind of request from another. */
function kindOf({ selected, model = '' }: Job): Pick<Sent, 'paths' | 'streamed'> {
  const plea = selected.entry.plea?.(model, selected.spec);
  const family = plea && findFamily(plea.family);
  const endpoints = [...(family ? [family.endpoint] : []), ...(selected.entry.alsoAsks ?? [])];
  const paths = endpoints.map((endpoint) => INFERENCE_API[endpoint].path.replace('{model}', model));
  return { paths, streamed: plea?.body.stream === true || family?.id === 'native-image' };
}

const sentOf = (job: Job & { result: CheckResult }): Sent => ({
  keyId: job.result.keyId as never,
  model: job.model ?? '',
  ...kindOf(job),
  requestIds: job.requestIds,
  requests: job.requests,
  usages: job.usages,
  startedAt: job.result.startedAt ?? 0,
  endedAt: (job.result.startedAt ?? 0) + (job.endedAfterMs ?? 0),
});

/** What the log says of a check that passed may still make it fail. */
function judged(result: CheckResult, { model, selected }: Job, { charge, most }: Judgement): CheckResult {
  const findings = [...result.findings];
  const other = model ? charge.models.find((name) => name !== model) : undefined;
  if (other !== undefined) {
    findings.push({ claim: `it was billed as the model that was asked: ${model}`, holds: false, found: other });
  }
  if (most !== undefined) {
    const { maxCost } = selected.spec.expect;
    findings.push({
      claim: `it costs at most $${maxCost}`,
      holds: charge.units <= most,
      found: `${charge.units} units`,
    });
  }
  const cost = { ...result.cost, charged: charge.units };
  return { ...result, findings, cost, ...(result.verdict === 'passed' ? verdictOf({ findings }) : {}) };
}

/** A bound that nobody could compare is not kept, and not broken. */
const unjudged = (result: CheckResult): CheckResult =>
  result.verdict === 'passed'
    ? { ...result, verdict: 'unprovable', reason: 'what it cost is not in the usage log' }
    : result;

interface Judgement {
  readonly charge: Charge;
  /** The most that it may cost, in quota units. */
  readonly most: Quota | undefined;
}

/** The purse while the run goes on. */
interface Pocket {
  readonly options: PurseOptions;
  estimates: Estimates | undefined;
  /** What ran and costs. */
  readonly jobs: Job[];
  /** Quota units that are set aside for what runs now. */
  reserved: number;
}

type Ran = Job & { result: CheckResult };

const estimateOf = ({ estimates }: Pocket, { model }: Job): number | undefined =>
  model ? estimates?.of(model) : undefined;

const spentBy = ({ result, estimated = 0 }: Job): number => result?.cost.charged ?? estimated;
const spentIn = ({ jobs }: Pocket): number => jobs.reduce((sum, job) => sum + spentBy(job), 0);

const unsettledIn = ({ jobs }: Pocket): readonly Ran[] =>
  jobs.filter((job): job is Ran => job.result !== undefined && job.result.cost.charged === undefined);

/** The most that a check may cost, in quota units. */
function mostOf({ selected }: Job, { quotaPerUnit }: PurseOptions): Quota | undefined {
  const usd = tryParseDecimal(selected.spec.expect.maxCost ?? '');
  return usd && quotaFromUsd(usd, quotaPerUnit);
}

async function lookUp(pocket: Pocket): Promise<void> {
  const { options, estimates } = pocket;
  const open = unsettledIn(pocket);
  if (open.length === 0) return;
  const entries = await entriesSince(options.read, Math.floor(options.since / 1000));
  const charges = chargesFor(open.map(sentOf), entries);
  for (const [index, job] of open.entries()) {
    const charge = charges[index];
    // That a refusal costs nothing says nothing of what the model costs.
    if (charge && job.model) estimates?.learn(job.model, charge.units);
    const known = charge ?? (wasRefused(job) ? { units: quota(0), models: [] } : undefined);
    if (known) job.result = judged(job.result, job, { charge: known, most: mostOf(job, options) });
  }
}

function admit(pocket: Pocket, job: Job): Admission {
  const { cap } = pocket.options;
  if (!pays(job)) return 'go';
  const estimate = estimateOf(pocket, job);
  const isMystery = estimate === undefined && unsettledIn(pocket).some(({ model }) => model === job.model);
  if (cap !== undefined && isMystery) return 'unknown';
  const before = spentIn(pocket) + pocket.reserved;
  if (cap !== undefined && (before >= cap || before + (estimate ?? 0) > cap)) return 'over';
  if (estimate !== undefined) job.estimated = estimate;
  pocket.reserved += estimate ?? 0;
  return 'go';
}

/** Looks, waits a little for a log that is late, and looks once more. */
async function settle(pocket: Pocket): Promise<void> {
  const { clock, wait } = pocket.options;
  const nothing = () => undefined;
  await lookUp(pocket).catch(nothing);
  if (unsettledIn(pocket).length === 0) return;
  wait?.({ kind: 'wait', what: 'the usage log' });
  await clock.sleep(LOG_DELAY_MS);
  await lookUp(pocket).catch(nothing);
}

/** What stays unknown breaks no bound, and keeps none. */
function giveUp(pocket: Pocket): void {
  for (const job of unsettledIn(pocket)) {
    if (mostOf(job, pocket.options) !== undefined) job.result = unjudged(job.result);
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
  const pocket: Pocket = { options, estimates: undefined, jobs: [], reserved: 0 };
  return {
    async open() {
      if (pocket.estimates) return;
      const past = newestEntries(read);
      // Without a cap an unreadable log only means that costs are not known; a cap could not be kept.
      pocket.estimates = estimatesFrom(cap === undefined ? await past.catch(() => []) : await past);
    },
    reckon: (jobs) => reckon(pocket, jobs),
    tryFindScout(jobs) {
      if (cap === undefined) return undefined;
      return jobs.find((job) => pays(job) && estimateOf(pocket, job) === undefined);
    },
    admit: (job) => admit(pocket, job),
    sent(job) {
      if (!pays(job)) return;
      pocket.reserved -= job.estimated ?? 0;
      pocket.jobs.push(job);
    },
    spent: () => quota(spentIn(pocket)),
    async settle(when) {
      await settle(pocket);
      if (when === 'finally') giveUp(pocket);
    },
  };
}
