import pMap from 'p-map';
import {
  asFault,
  CHECK_CLASSES,
  type CheckClass,
  type CheckReport,
  type CheckResult,
  effectiveStatus,
  type ObservedKey,
  type Quota,
} from '../../domain/index.ts';
import { type CostTracker, openCostTracker } from '../cost/cost-tracker.ts';
import { isOfTheKey } from './fault-verdict.ts';
import { type Ending, type Job, jobsFor, type Subject, unrun } from './job.ts';
import { isPaidFor, type RunContext, runJob, settleModel } from './run-check.ts';
import type { CheckRunOptions } from './run-options.ts';

/** A run under way. */
interface Run extends RunContext {
  /** What is meant to be in the report. */
  jobs: readonly Job[];
  readonly costTracker: CostTracker;
  done: number;
  capReached: boolean;
}

async function subjects({ gateway, keys, selected, secrets, clock }: CheckRunOptions) {
  const names = new Set(selected.map(({ key }) => key));
  const wanted = keys.filter(({ name }) => names.has(name));
  const unknown = wanted.filter(({ id }) => !secrets?.has(id)).map(({ id }) => id);
  const revealed = new Map([...(secrets ?? []), ...(await gateway.store.reveal(unknown))]);
  const now = Math.floor(clock.now() / 1000);
  const found = new Map<number, Subject>();
  for (const observed of wanted) {
    const secret = revealed.get(observed.id);
    if (secret === undefined) continue;
    const status = effectiveStatus(observed, now);
    found.set(observed.id, { observed, status, secret, inference: gateway.inference(secret) });
  }
  return (key: ObservedKey): Subject | undefined => found.get(key.id);
}

const modelsOf = (keys: readonly ObservedKey[]): readonly string[] =>
  [...new Set(keys.flatMap(({ models }) => models ?? []))].sort();

/** What keeps a job from running, before anything is sent for it. */
async function obstacle({ jobs, options }: Run, job: Job): Promise<Ending | undefined> {
  const { selected } = job;
  const off = options.declaredOff.get(selected.key);
  if (selected.entry.wantsUsableKey && off !== undefined) return { verdict: 'skipped', reason: off };
  const refused = jobs.find(
    (other) =>
      other.selected.key === selected.key && other.result?.verdict === 'failed' && isOfTheKey(other.result.code),
  );
  if (selected.entry.pays && refused) {
    return { verdict: 'skipped', reason: `the key is refused: see ${refused.selected.spec.name}` };
  }
  return settleModel(job);
}

const INTERRUPTED: Ending = { verdict: 'skipped', code: 'gateway.interrupted', reason: 'the run was interrupted' };

/** What nobody asked for by name and means nothing for its key. */
const isMoot = ({ selected }: Job, { verdict, attempts }: CheckResult): boolean =>
  selected.implied === true && verdict === 'skipped' && attempts > 0;

function settled(run: Run, job: Job, result: CheckResult): void {
  job.result = result;
  const { costTracker, options } = run;
  if (isMoot(job, result)) {
    run.jobs = run.jobs.filter((other) => other !== job);
    options.onEvent?.({ kind: 'moot', key: result.key, check: result.check });
    return;
  }
  run.done += 1;
  options.onEvent?.({ kind: 'result', result, done: run.done, total: run.jobs.length, spent: costTracker.spent() });
}

const KEPT_BACK = {
  over: 'the run may not cost more',
  unknown: 'the usage log does not tell what its model costs, and the run may not cost more',
} as const;

async function runOne(run: Run, job: Job): Promise<void> {
  const { options, costTracker } = run;
  if (options.signal?.aborted) return settled(run, job, unrun(job, INTERRUPTED));
  const admission = costTracker.admit(job);
  if (admission !== 'go') {
    run.capReached = true;
    return settled(
      run,
      job,
      unrun(job, { verdict: 'skipped', reason: KEPT_BACK[admission], remedy: 'raise-cost-cap' }),
    );
  }
  const { selected } = job;
  options.onEvent?.({ kind: 'start', key: selected.key, check: selected.spec.name });
  job.result = await runJob(job, run);
  costTracker.sent(job);
  settled(run, job, job.result);
}

/** Under a cap as many at a time as run together, with a look at the log in between: prices move. */
async function together(run: Run, jobs: readonly Job[]): Promise<void> {
  const { concurrency, cap } = run.options;
  const atOnce = cap === undefined ? Math.max(jobs.length, 1) : concurrency;
  for (let from = 0; from < jobs.length; from += atOnce) {
    if (from > 0) await run.costTracker.settle('quick');
    await pMap(jobs.slice(from, from + atOnce), (job) => runOne(run, job), { concurrency });
  }
}

/** Under a cap: one of each kind, alone, until it is known what it costs. @returns what is left */
async function sendPriceProbes(run: Run, jobs: readonly Job[]): Promise<readonly Job[]> {
  const { costTracker } = run;
  let left = jobs;
  for (let probe = costTracker.tryFindPriceProbe(left); probe; probe = costTracker.tryFindPriceProbe(left)) {
    const job = probe;
    left = left.filter((other) => other !== job);
    await runOne(run, job);
    if ((job.result?.attempts ?? 0) > 0) await costTracker.settle('probe');
  }
  return left;
}

/** Those that can run, in order; the others are settled. */
async function ready(run: Run, jobs: readonly Job[]): Promise<readonly Job[]> {
  const { options } = run;
  // Choosing a model may ask the gateway.
  const endings = await pMap(
    jobs,
    async (job) => {
      const ending = options.signal?.aborted ? INTERRUPTED : await obstacle(run, job);
      // A ledger that can not be read is trouble of the check itself, which says so.
      if (!ending) job.isPaid = await isPaidFor(job, run).catch(() => false);
      if (ending) settled(run, job, unrun(job, ending));
      return ending;
    },
    { concurrency: options.concurrency },
  );
  return jobs.flatMap((job, index) => (endings[index] ? [] : [job]));
}

/** All checks of one class: what can not run first, then what is known to cost what. */
async function runClass(run: Run, schedule: CheckClass, jobs: readonly Job[]): Promise<void> {
  const { options, costTracker } = run;
  const able = await ready(run, jobs);
  const estimate = costTracker.reckon(able);
  if (estimate.known > 0 || Object.keys(estimate.unknown).length > 0) {
    options.onEvent?.({ kind: 'estimate', schedule, estimate });
  }
  await together(run, await sendPriceProbes(run, able));
}

async function runAll(run: Run): Promise<void> {
  const { jobs, options, costTracker } = run;
  const open = jobs.filter(({ result }) => result === undefined);
  options.onEvent?.({ kind: 'begin', total: jobs.length });
  run.done = jobs.length - open.length;
  for (const schedule of CHECK_CLASSES) {
    const wave = open.filter(({ selected }) => selected.schedule === schedule);
    if (wave.some(({ selected }) => selected.entry.pays)) await costTracker.open();
    await runClass(run, schedule, wave);
  }
  await costTracker.settle('finally');
}

const remainingOf = ({ selected, keys }: CheckRunOptions): Record<string, Quota | null> => {
  const names = new Set(selected.map(({ key }) => key));
  const shown = keys.filter(({ name }) => names.has(name));
  return Object.fromEntries(shown.map(({ name, unlimited, remain }) => [name, unlimited ? null : remain]));
};

/**
 * Runs the selected checks and reports. Never throws: what ended the run early stands in the report.
 *
 * Free checks first, then cheap ones, then costly ones; those of one class run together. Credentials are revealed in one
 * batch and stay in memory. What costs money is sent once, unless the definition of a check asks for retries.
 */
export async function runChecks(options: CheckRunOptions): Promise<CheckReport> {
  const { gateway, clock, cap, signal, quotaPerUnit, selected, keys } = options;
  const startedAt = clock.now();
  const head = {
    account: gateway.store.account,
    quotaPerUnit,
    startedAt,
    remaining: remainingOf(options),
    ...(cap === undefined ? {} : { cap }),
  };
  const finished = () => ({ durationMs: clock.now() - startedAt, interrupted: signal?.aborted === true });
  let run: Run | undefined;
  try {
    const subjectOf = await subjects(options);
    const jobs = jobsFor(selected, keys, { subjectOf });
    const costTracker = openCostTracker({
      read: () => gateway.store.usage(),
      clock,
      cap,
      since: startedAt,
      quotaPerUnit,
      wait: options.onEvent,
    });
    run = {
      options,
      jobs,
      costTracker,
      otherModels: modelsOf(keys),
      mayRepeat: costTracker.admitAgain,
      done: 0,
      capReached: false,
    };
    await runAll(run);
    return { ...head, ...finished(), results: resultsOf(run), capReached: run.capReached };
  } catch (thrown) {
    const fatal = asFault(thrown);
    return { ...head, ...finished(), results: run ? resultsOf(run) : [], capReached: run?.capReached ?? false, fatal };
  }
}

/** Whatever did not come to an end is reported too. */
const resultsOf = ({ jobs }: Run): readonly CheckResult[] =>
  jobs.map((job) => job.result ?? unrun(job, { verdict: 'skipped', reason: 'the run ended before it' }));

/** What a report of nothing looks like: the run ended before it could begin. */
export const fatalReport = (thrown: unknown, startedAt: number): CheckReport => ({
  startedAt,
  durationMs: 0,
  results: [],
  remaining: {},
  capReached: false,
  interrupted: false,
  fatal: asFault(thrown),
});
