import { asFault, type CheckResult, Fault, quota } from '../../domain/index.ts';
import type { Vantage } from '../check-module.ts';
import { taskOf } from '../media/paid-task.ts';
import { type Attempt, attempt, type Case, prepared } from './attempt.ts';
import { verdictOfFault } from './fault-verdict.ts';
import { type Ending, headOf, type Job, type Subject, unrun } from './job.ts';
import { chooseModel } from './model-choice.ts';
import { blankOf } from './redact.ts';
import type { CheckRunOptions } from './run-options.ts';

/** What every check of a run shares. */
export interface Surroundings {
  readonly options: CheckRunOptions;
  readonly otherModels: readonly string[];
  /** May it cost its price once more? */
  readonly mayRepeat: (job: Job) => boolean;
}

function vantageFor({ vantage }: CheckRunOptions, subject: Subject): Vantage | undefined {
  if (vantage === undefined) return undefined;
  const { description, address } = vantage;
  const inference = vantage.inference(subject.secret);
  return { inference, description, ...(address === undefined ? {} : { address }) };
}

function caseOf({ selected, subject }: Job & { subject: Subject }, model: string, around: Surroundings): Case {
  const { options, otherModels } = around;
  const { spec, entry } = selected;
  return {
    spec,
    entry,
    key: subject,
    model,
    plea: model === '' ? undefined : entry.plea?.(model, spec),
    inference: subject.inference,
    clock: options.clock,
    vantage: vantageFor(options, subject),
    receiver: options.receiver,
    tasks: options.tasks,
    otherModels,
    blank: blankOf(spec.hidden ?? [], subject.secret),
    deadline: options.deadline ?? ((ms) => AbortSignal.timeout(ms)),
  };
}

/** Settles which model a job asks. @returns why it can not run, if so */
export async function settleModel(job: Job): Promise<Ending | undefined> {
  const { selected, subject } = job;
  const { entry, spec } = selected;
  if (subject === undefined || entry.takes === undefined) {
    if (spec.model !== undefined) job.model = spec.model;
    return undefined;
  }
  const choice = spec.model ?? (await chooseModel(subject, { entry, family: spec.family }).catch(asFault));
  if (choice instanceof Fault) return verdictOfFault(choice, subject);
  const model = choice;
  if (model !== undefined && entry.plea?.(model, spec) !== undefined) {
    job.model = model;
    return undefined;
  }
  const reason =
    model === undefined
      ? `none of the key’s models is known to take ${spec.module}`
      : `${model} is of no family that takes ${spec.module}`;
  return { verdict: 'unprovable', reason, remedy: 'name-model' };
}

function resultOf(
  { selected, subject, model, estimated, isPaid }: Job & { subject: Subject },
  last: Attempt,
  more: { attempts: number; startedAt: number },
): CheckResult {
  const { verdict, reason, code, hint, remedy, noted, durationMs } = last;
  return {
    ...headOf(selected, subject.observed.id, model),
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ...(code === undefined ? {} : { code }),
    ...(hint === undefined ? {} : { hint }),
    ...(remedy === undefined ? {} : { remedy }),
    findings: noted.findings,
    ...more,
    durationMs,
    ...(noted.firstByteMs === undefined ? {} : { firstByteMs: noted.firstByteMs }),
    cost: {
      ...(estimated === undefined ? {} : { estimated: quota(estimated) }),
      ...(isPaid ? { charged: quota(0) } : {}),
    },
    exchanges: noted.exchanges,
    exhibits: noted.exhibits,
    ...(noted.taskId === undefined ? {} : { taskId: noted.taskId }),
  };
}

/** Did a run before this one pay for it, so that there is only a task to look at? */
export async function isPaidFor(job: Job, around: Surroundings): Promise<boolean> {
  const { selected, subject, model = '' } = job;
  if (!selected.entry.isAsynchronous || subject === undefined) return false;
  const plea = await prepared(caseOf({ ...job, subject }, model, around));
  return plea !== undefined && around.options.tasks.isUnderWay(taskOf(selected.spec, subject, { model, plea }));
}

/** Runs one check of one key, again where its definition says so. Never throws. */
export async function runJob(job: Job, around: Surroundings): Promise<CheckResult> {
  const { selected, subject } = job;
  if (subject === undefined) return job.result ?? unrun(job, { verdict: 'failed', reason: 'there is no key' });
  const { signal, clock } = around.options;
  const made = caseOf({ ...job, subject }, job.model ?? '', around);
  const most = 1 + (selected.entry.isAsynchronous ? 0 : selected.spec.retries);
  const startedAt = clock.now();
  for (let attempts = 1; ; attempts += 1) {
    const last = await attempt(made);
    if (last.noted.sentNothing) job.isPaid = true;
    job.requestIds.push(...last.noted.requestIds);
    job.usages.push(...last.noted.usages);
    job.requests += Math.max(1, last.noted.exchanges.length);
    job.endedAfterMs = clock.now() - startedAt;
    const over = last.verdict === 'passed' || last.final || attempts >= most || signal?.aborted === true;
    if (over || !around.mayRepeat(job)) return resultOf({ ...job, subject }, last, { attempts, startedAt });
  }
}
