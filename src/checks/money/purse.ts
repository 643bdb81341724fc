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
  /** Under a cap: one job for each model whose cost nobody knows. They run alone, one after the other. */
  scouts(jobs: readonly Job[]): readonly Job[];
  /** May it run? Then what it may cost is set aside. */
  admit(job: Job): 'go' | 'over';
  /** It ran. */
  sent(job: Job): void;
  /** What was spent so far: charged where that is known, else reckoned. */
  spent(): Quota;
  /** Looks up what was charged. The last time it waits a little for the log. */
  settle(when?: 'finally'): Promise<void>;
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

export function openPurse({ read, clock, cap, since, quotaPerUnit, wait }: PurseOptions): Purse {
  const mostOf = ({ selected }: Job): Quota | undefined => {
    const usd = tryParseDecimal(selected.spec.expect.maxCost ?? '');
    return usd && quotaFromUsd(usd, quotaPerUnit);
  };
  let estimates: Estimates | undefined;
  const jobs: Job[] = [];
  let reserved = 0;
  const estimateOf = (job: Job): number | undefined => (job.model ? estimates?.of(job.model) : undefined);
  const spentBy = ({ result, estimated = 0 }: Job): number => result?.cost.charged ?? estimated;
  const spent = (): number => jobs.reduce((sum, job) => sum + spentBy(job), 0);
  const unsettled = (): (Job & { result: CheckResult })[] =>
    jobs.filter(
      (job): job is Job & { result: CheckResult } => job.result !== undefined && job.result.cost.charged === undefined,
    );

  async function lookUp(): Promise<void> {
    const open = unsettled();
    if (open.length === 0) return;
    const entries = await entriesSince(read, Math.floor(since / 1000));
    const charges = chargesFor(open.map(sentOf), entries);
    for (const [index, job] of open.entries()) {
      const charge = charges[index] ?? (wasRefused(job) ? { units: quota(0), models: [] } : undefined);
      if (charge === undefined) continue;
      job.result = judged(job.result, job, { charge, most: mostOf(job) });
      if (job.model) estimates?.learn(job.model, charge.units);
    }
  }

  return {
    async open() {
      if (estimates) return;
      const past = newestEntries(read);
      // Without a cap an unreadable log only means that costs are not known; a cap could not be kept.
      estimates = estimatesFrom(cap === undefined ? await past.catch(() => []) : await past);
    },
    scouts(ready) {
      if (cap === undefined) return [];
      const unknown = ready.filter((job) => pays(job) && estimateOf(job) === undefined);
      return unknown.filter((job, at) => unknown.findIndex(({ model }) => model === job.model) === at);
    },
    admit(job) {
      if (!pays(job)) return 'go';
      const estimate = estimateOf(job);
      const before = spent() + reserved;
      if (cap !== undefined && (before >= cap || before + (estimate ?? 0) > cap)) return 'over';
      if (estimate !== undefined) job.estimated = estimate;
      reserved += estimate ?? 0;
      return 'go';
    },
    sent(job) {
      if (!pays(job)) return;
      reserved -= job.estimated ?? 0;
      jobs.push(job);
    },
    spent: () => quota(spent()),
    async settle(when) {
      const looked = lookUp();
      await (cap === undefined || when === 'finally' ? looked.catch(() => undefined) : looked);
      if (when !== 'finally' || unsettled().length === 0) return;
      wait?.({ kind: 'wait', what: 'the usage log' });
      await clock.sleep(LOG_DELAY_MS);
      await lookUp().catch(() => undefined);
      for (const job of unsettled()) if (mostOf(job) !== undefined) job.result = unjudged(job.result);
    },
  };
}
