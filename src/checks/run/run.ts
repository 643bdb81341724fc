import pMap from 'p-map';
import {
  asFault,
  CHECK_CLASSES,
  type CheckClass,
  type CheckReport,
  type CheckResult,
  effectiveStatus,
  type Fault,
  type ObservedKey,
  once,
} from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import { type CapDecision, type CostTracker, openCostTracker } from '../cost/cost-tracker.ts';
import { groupedBy } from '../grouped-by.ts';
import { openInbox } from '../media/callback-inbox.ts';
import { canDecodeImages as isDecoderInstalled } from '../media/decoded-image.ts';
import { REFUSED_BY_CAP } from './cap-refusals.ts';
import { isRejectionOfKey } from './fault-verdict.ts';
import { type Job, type JobEnding, jobsFor, type KeyUnderCheck, longestFirst, resultWithoutRun } from './job.ts';
import { listedModels } from './model-choice.ts';
import { isPaidFor, type RunContext, runCheck, settleModel } from './run-check.ts';
import type { CheckRunOptions } from './run-options.ts';

/** A run in progress. */
interface CheckRun extends RunContext {
  /** The jobs that the report covers. */
  jobs: readonly Job[];
  /** The jobs of each key, by its name, in their order. */
  readonly jobsByKey: ReadonlyMap<string, readonly Job[]>;
  readonly costTracker: CostTracker;
  done: number;
  capReached: boolean;
}

const keysOf = ({ selected, keys }: CheckRunOptions): readonly ObservedKey[] => {
  const chosen = new Map(selected.map((each) => [`${each.id ?? ''} ${each.key}`, each]));
  return keys.filter(({ id, name }) => chosen.has(` ${name}`) || chosen.has(`${id} ${name}`));
};

/** Reveals the secrets of the selected keys in one batch. */
async function openSubjects(options: CheckRunOptions): Promise<(key: ObservedKey) => KeyUnderCheck | undefined> {
  const { gateway, secrets, clock, signal, now = () => Math.floor(clock.now() / 1000) } = options;
  const keys = keysOf(options);
  const unknown = keys.filter(({ id }) => !secrets?.has(id)).map(({ id }) => id);
  const revealed = new Map([...(secrets ?? []), ...(await endingWith(gateway, signal).store.reveal(unknown))]);
  const subjects = new Map<number, KeyUnderCheck>();
  for (const observed of keys) {
    const secret = revealed.get(observed.id);
    if (secret === undefined) continue;
    const inference = gateway.inference(secret);
    const status = effectiveStatus(observed, now());
    subjects.set(observed.id, {
      observed,
      status,
      secret,
      inference,
      listedModels: once(() => listedModels(inference)),
    });
  }
  return ({ id }) => subjects.get(id);
}

const modelsOf = (keys: readonly ObservedKey[]): readonly string[] =>
  [...new Set(keys.flatMap(({ models }) => models ?? []))].sort();

/** Paying for an image that nobody here can decode would prove nothing. */
const UNDECODABLE: JobEnding = {
  verdict: 'unprovable',
  code: 'tool.missing-package',
  reason: 'nothing was sent, because the images of the answer cannot be decoded: the package sharp is not installed',
  remedy: 'install-image-decoder',
};

/** Returns why a job cannot run, before anything is sent for it. */
async function findObstacle({ jobsByKey, options }: CheckRun, job: Job): Promise<JobEnding | undefined> {
  const { selected } = job;
  const { canDecodeImages = isDecoderInstalled } = options;
  if (selected.entry.decodesImages?.(selected.spec) && !(await canDecodeImages())) return UNDECODABLE;
  const off = options.declaredOff.get(selected.key);
  if (selected.entry.needsUsableKey && off !== undefined) return { verdict: 'skipped', reason: off };
  const rejected = jobsByKey
    .get(selected.key)
    ?.find(({ result }) => result?.verdict === 'failed' && isRejectionOfKey(result.code));
  if (selected.entry.pays && rejected) {
    return { verdict: 'skipped', reason: `the gateway rejects the key: see ${rejected.selected.spec.name}` };
  }
  return settleModel(job);
}

const INTERRUPTED: JobEnding = { verdict: 'skipped', code: 'gateway.interrupted', reason: 'the run was interrupted' };

/** Returns whether a check was not requested by name and does not apply to its key. */
const isMoot = ({ selected }: Job, { verdict, attempts }: CheckResult): boolean =>
  selected.implied === true && verdict === 'skipped' && attempts > 0;

function settle(run: CheckRun, job: Job, result: CheckResult): void {
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

async function runOne(run: CheckRun, job: Job, admission: CapDecision): Promise<void> {
  const { options, costTracker } = run;
  if (options.signal?.aborted) return settle(run, job, resultWithoutRun(job, INTERRUPTED));
  if (admission !== 'go') {
    run.capReached = true;
    return settle(run, job, resultWithoutRun(job, { verdict: 'skipped', ...REFUSED_BY_CAP[admission] }));
  }
  const { selected } = job;
  options.onEvent?.({ kind: 'start', key: selected.key, check: selected.spec.name });
  job.result = await runCheck(job, run);
  costTracker.sent(job);
  settle(run, job, job.result);
}

interface AdmittedJob {
  readonly job: Job;
  readonly admission: CapDecision;
}

/** Admits the first jobs that fit into the cap together: at least one. The next ones wait for the charges of these. */
function nextBatch({ costTracker }: CheckRun, jobs: readonly Job[]): readonly AdmittedJob[] {
  const batch: AdmittedJob[] = [];
  for (const job of jobs) {
    const admission = costTracker.admit(job);
    if (admission === 'full' && batch.length > 0) break;
    batch.push({ job, admission });
  }
  return batch;
}

/** Runs jobs concurrently. Under a cap it reads the usage log between batches: an unknown charge ends the spending. */
async function runTogether(run: CheckRun, jobs: readonly Job[]): Promise<void> {
  const { concurrency, cap } = run.options;
  // A cap lets the first jobs of the manifest spend.
  const ordered = cap === undefined ? longestFirst(jobs) : jobs;
  const size = cap === undefined ? Math.max(jobs.length, 1) : concurrency;
  for (let from = 0; from < ordered.length; ) {
    if (cap !== undefined) await run.costTracker.settle('between');
    const batch = nextBatch(run, ordered.slice(from, from + size));
    await pMap(batch, ({ job, admission }) => runOne(run, job, admission), { concurrency });
    from += batch.length;
  }
}

/** Settles the jobs that cannot run, and returns the others in their order. */
async function runnable(run: CheckRun, jobs: readonly Job[]): Promise<readonly Job[]> {
  const { options } = run;
  // Choosing a model may ask the gateway.
  const endings = await pMap(
    jobs,
    async (job) => {
      const ending = options.signal?.aborted ? INTERRUPTED : await findObstacle(run, job);
      // An unreadable ledger fails the check itself, with its reason.
      if (!ending) job.isPaid = await isPaidFor(job, run).catch(() => false);
      if (ending) settle(run, job, resultWithoutRun(job, ending));
      return ending;
    },
    { concurrency: options.concurrency },
  );
  return jobs.filter((_, index) => endings[index] === undefined);
}

async function runClass(run: CheckRun, schedule: CheckClass, jobs: readonly Job[]): Promise<void> {
  const { options, costTracker } = run;
  const ready = await runnable(run, jobs);
  const estimate = costTracker.estimate(ready);
  if (estimate.known > 0 || Object.keys(estimate.unknown).length > 0) {
    options.onEvent?.({ kind: 'estimate', schedule, estimate });
  }
  await runTogether(run, ready);
}

const pays = ({ selected }: Job): boolean => selected.entry.pays;

/** Runs the classes one after another. A log that cannot be read ends the run where it would begin to spend. */
async function runAll(run: CheckRun): Promise<void> {
  const { jobs, options, costTracker } = run;
  const open = jobs.filter(({ result }) => result === undefined);
  // Before any check: the gateway charges also for what it should have rejected, which is free.
  const unread = open.some(pays) ? await costTracker.open().catch(asFault) : undefined;
  options.onEvent?.({ kind: 'begin', total: jobs.length, quotaPerUnit: options.quotaPerUnit });
  run.done = jobs.length - open.length;
  for (const schedule of CHECK_CLASSES) {
    const ofClass = open.filter(({ selected }) => selected.schedule === schedule);
    if (unread && ofClass.some(pays)) throw unread;
    await runClass(run, schedule, ofClass);
  }
  await costTracker.settle('finally');
}

/**
 * Returns what remains of each key after the checks: a figure from before them would contradict the charges next to it.
 * A key that cannot be read is omitted; after a fault that ended the run, no further request is sent.
 */
async function remainingAfter({ jobs, options }: Pick<CheckRun, 'jobs' | 'options'>, isOver: boolean) {
  const { gateway, concurrency } = options;
  const sent = new Set(jobs.flatMap(({ selected, result }) => (result?.attempts ? [selected.key] : [])));
  const read = (key: ObservedKey): Promise<ObservedKey | undefined> | undefined =>
    isOver ? undefined : gateway.store.tryRead(key.id).catch(() => undefined);
  const keys = await pMap(keysOf(options), (key) => (key.unlimited || !sent.has(key.name) ? key : read(key)), {
    concurrency,
  });
  return Object.fromEntries(keys.flatMap((key) => (key ? [[key.name, key.unlimited ? null : key.remain]] : [])));
}

/** The gateway, whose reads end with the signal: before the first check, nothing is worth waiting for. */
export const endingWith = (gateway: Gateway, signal: AbortSignal | undefined): Gateway =>
  signal ? gateway.within({ signal }) : gateway;

async function openRun(options: CheckRunOptions, startedAt: number): Promise<CheckRun> {
  const { gateway, clock, cap, quotaPerUnit, selected, keys, receiver } = options;
  const subjectOf = await openSubjects(options);
  const costTracker = openCostTracker({
    read: () => gateway.store.usage(),
    groups: async () => (await gateway.store.groups()) ?? [],
    ownGroup: async () => (await gateway.system.self()).group,
    prices: () => gateway.system.prices(),
    keys,
    clock,
    cap,
    since: startedAt,
    quotaPerUnit,
    wait: options.onEvent,
  });
  const jobs = jobsFor(selected, keys, { subjectOf });
  return {
    options,
    jobs,
    jobsByKey: groupedBy(jobs, ({ selected: { key } }) => key),
    costTracker,
    otherModels: modelsOf(keys),
    callbacks: receiver && openInbox(receiver),
    mayRepeat: costTracker.admitAgain,
    done: 0,
    capReached: false,
  };
}

/**
 * Runs the selected checks and reports. Never throws: the report has the fault that ended the run early.
 *
 * Free checks run first, then cheap ones, then costly ones; the checks of one class run concurrently. Secrets are
 * revealed in one batch and stay in memory. A request that costs money is sent once, unless its check allows retries.
 */
export async function runChecks(options: CheckRunOptions): Promise<CheckReport> {
  const { gateway, clock, cap, signal, quotaPerUnit } = options;
  const startedAt = clock.now();
  const head = {
    account: gateway.store.account,
    quotaPerUnit,
    startedAt,
    ...(cap === undefined ? {} : { cap }),
  };
  const finished = async (fatal?: Fault) => ({
    ...excessOf(run),
    remaining: await remainingAfter(run ?? { jobs: [], options }, fatal !== undefined),
    durationMs: clock.now() - startedAt,
    interrupted: signal?.aborted === true,
  });
  let run: CheckRun | undefined;
  try {
    run = await openRun(options, startedAt);
    await runAll(run);
    return { ...head, ...(await finished()), results: resultsOf(run), capReached: run.capReached };
  } catch (thrown) {
    const fatal = asFault(thrown);
    const results = run ? resultsOf(run) : [];
    return { ...head, ...(await finished(fatal)), results, capReached: run?.capReached ?? false, fatal };
  } finally {
    options.onEvent?.({ kind: 'end' });
  }
}

function excessOf(run: CheckRun | undefined): Pick<CheckReport, 'excess'> {
  const excess = run?.costTracker.tryFindExcess();
  return excess === undefined ? {} : { excess };
}

/** The results of all jobs, also of those that the run did not reach. */
const resultsOf = ({ jobs }: CheckRun): readonly CheckResult[] =>
  jobs.map((job) => job.result ?? resultWithoutRun(job, { verdict: 'skipped', reason: 'the run ended before it' }));

/** The report of a run that could not begin. */
export const fatalReport = (thrown: unknown, startedAt: number): CheckReport => ({
  startedAt,
  durationMs: 0,
  results: [],
  remaining: {},
  capReached: false,
  interrupted: false,
  fatal: asFault(thrown),
});
