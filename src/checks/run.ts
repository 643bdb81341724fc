import pMap from 'p-map';
import {
  asFault,
  CHECK_CLASSES,
  type CheckReport,
  type CheckResult,
  effectiveStatus,
  type ObservedKey,
  type Quota,
} from '../domain/index.ts';
import { type Ending, type Job, jobsFor, type Subject, unrun } from './job.ts';
import { openPurse, type Purse } from './money/purse.ts';
import { runJob, type Surroundings, settleModel } from './one-check.ts';
import type { CheckRunOptions } from './run-options.ts';
import { isOfTheKey } from './verdict-of-fault.ts';

/** A run under way. */
interface Run extends Surroundings {
  readonly jobs: readonly Job[];
  readonly purse: Purse;
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

function settled(run: Run, job: Job, result: CheckResult): void {
  job.result = result;
  run.done += 1;
  const { jobs, done, purse, options } = run;
  options.onEvent?.({ kind: 'result', result, done, total: jobs.length, spent: purse.spent() });
}

async function carryOut(run: Run, job: Job): Promise<void> {
  const { options, purse } = run;
  if (options.signal?.aborted) return settled(run, job, unrun(job, INTERRUPTED));
  const admission = purse.admit(job);
  if (admission === 'over') {
    run.capReached = true;
    return settled(run, job, unrun(job, { verdict: 'skipped', reason: 'the run may not cost more (--max-cost)' }));
  }
  const { selected } = job;
  options.onEvent?.({ kind: 'start', key: selected.key, check: selected.spec.name });
  settled(run, job, await runJob(job, run));
  purse.sent(job);
}

async function together(run: Run, jobs: readonly Job[]): Promise<void> {
  await pMap(jobs, (job) => carryOut(run, job), { concurrency: run.options.concurrency });
}

/** All checks of one class: what can not run first; under a cap, then one of each model that nobody knows the cost of. */
async function runClass(run: Run, jobs: readonly Job[]): Promise<void> {
  const { options, purse } = run;
  const ready: Job[] = [];
  const prepare = async (job: Job): Promise<void> => {
    const ending = options.signal?.aborted ? INTERRUPTED : await obstacle(run, job);
    if (ending) settled(run, job, unrun(job, ending));
    else ready.push(job);
  };
  // Two to an end: choosing a model may ask the gateway, and what is asked of one key is asked once.
  await pMap(jobs, prepare, { concurrency: options.concurrency });
  const order = new Map(jobs.map((job, index) => [job, index]));
  ready.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const scouts = purse.scouts(ready);
  for (const scout of scouts) {
    await carryOut(run, scout);
    await purse.settle();
  }
  await together(
    run,
    ready.filter((job) => !scouts.includes(job)),
  );
}

async function runAll(run: Run): Promise<void> {
  const { jobs, options, purse } = run;
  const open = jobs.filter(({ result }) => result === undefined);
  options.onEvent?.({ kind: 'begin', total: jobs.length });
  run.done = jobs.length - open.length;
  for (const schedule of CHECK_CLASSES) {
    const wave = open.filter(({ selected }) => selected.schedule === schedule);
    if (wave.some(({ selected }) => selected.entry.pays)) await purse.open();
    await runClass(run, wave);
  }
  await purse.settle('finally');
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
    const purse = openPurse({
      read: () => gateway.store.usage(),
      clock,
      cap,
      since: startedAt,
      quotaPerUnit,
      wait: options.onEvent,
    });
    run = { options, jobs, purse, otherModels: modelsOf(keys), done: 0, capReached: false };
    await runAll(run);
    return { ...head, ...finished(), results: resultsOf(run), capReached: run.capReached };
  } catch (thrown) {
    const fatal = asFault(thrown);
    return { ...head, ...finished(), results: run ? resultsOf(run) : [], capReached: run?.capReached ?? false, fatal };
  }
}

/** Whatever did not come to an end is told too; what nobody asked for by name and means nothing for its key is not. */
const resultsOf = ({ jobs }: Run): readonly CheckResult[] =>
  jobs
    .filter(({ selected, result }) => !(selected.implied && result?.verdict === 'skipped' && result.attempts > 0))
    .map((job) => job.result ?? unrun(job, { verdict: 'skipped', reason: 'the run ended before it' }));

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
