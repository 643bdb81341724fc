import { asFault, type CheckResult, Fault, quota } from '../../domain/index.ts';
import type { AlternateRoute } from '../check-module.ts';
import { taskOf } from '../media/paid-task.ts';
import { type Attempt, attempt, type Case, prepared } from './attempt.ts';
import { verdictOfFault } from './fault-verdict.ts';
import { type Ending, headOf, type Job, type Subject, unrun } from './job.ts';
import { chooseModel } from './model-choice.ts';
import { redactTextFor } from './redact.ts';
import type { CheckRunOptions } from './run-options.ts';

/** What every check of a run shares. */
export interface RunContext {
  readonly options: CheckRunOptions;
  readonly otherModels: readonly string[];
  /** May it cost its price once more? */
  readonly mayRepeat: (job: Job) => boolean;
}

function alternateRouteFor({ alternateRoute }: CheckRunOptions, subject: Subject): AlternateRoute | undefined {
  if (alternateRoute === undefined) return undefined;
  const { description, address } = alternateRoute;
  const inference = alternateRoute.inference(subject.secret);
  return { inference, description, ...(address === undefined ? {} : { address }) };
}

function caseOf({ selected, subject }: Job & { subject: Subject }, model: string, context: RunContext): Case {
  const { options, otherModels } = context;
  const { spec, entry } = selected;
  return {
    spec,
    entry,
    key: subject,
    model,
    plea: model === '' ? undefined : entry.plea?.(model, spec),
    inference: subject.inference,
    clock: options.clock,
    alternateRoute: alternateRouteFor(options, subject),
    receiver: options.receiver,
    tasks: options.tasks,
    otherModels,
    redactText: redactTextFor(spec.hidden ?? [], subject.secret),
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
  const { verdict, reason, code, hint, remedy, record, durationMs } = last;
  return {
    ...headOf(selected, subject.observed.id, model),
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ...(code === undefined ? {} : { code }),
    ...(hint === undefined ? {} : { hint }),
    ...(remedy === undefined ? {} : { remedy }),
    findings: record.findings,
    ...more,
    durationMs,
    ...(record.firstByteMs === undefined ? {} : { firstByteMs: record.firstByteMs }),
    cost: {
      ...(estimated === undefined ? {} : { estimated: quota(estimated) }),
      ...(isPaid ? { charged: quota(0) } : {}),
    },
    exchanges: record.exchanges,
    artifacts: record.artifacts,
    ...(record.taskId === undefined ? {} : { taskId: record.taskId }),
  };
}

/** Did a run before this one pay for it, so that there is only a task to look at? */
export async function isPaidFor(job: Job, context: RunContext): Promise<boolean> {
  const { selected, subject, model = '' } = job;
  if (!selected.entry.isAsynchronous || subject === undefined) return false;
  const plea = await prepared(caseOf({ ...job, subject }, model, context));
  return plea !== undefined && context.options.tasks.isUnderWay(taskOf(selected.spec, subject, { model, plea }));
}

/** Runs one check of one key, again where its definition says so. Never throws. */
export async function runJob(job: Job, context: RunContext): Promise<CheckResult> {
  const { selected, subject } = job;
  if (subject === undefined) return job.result ?? unrun(job, { verdict: 'failed', reason: 'there is no key' });
  const { signal, clock } = context.options;
  const made = caseOf({ ...job, subject }, job.model ?? '', context);
  const most = 1 + (selected.entry.isAsynchronous ? 0 : selected.spec.retries);
  const startedAt = clock.now();
  for (let attempts = 1; ; attempts += 1) {
    const last = await attempt(made);
    if (last.record.sentNothing) job.isPaid = true;
    job.requestIds.push(...last.record.requestIds);
    job.usages.push(...last.record.usages);
    job.requests += Math.max(1, last.record.exchanges.length);
    job.endedAfterMs = clock.now() - startedAt;
    const over = last.verdict === 'passed' || last.final || attempts >= most || signal?.aborted === true;
    if (over || !context.mayRepeat(job)) return resultOf({ ...job, subject }, last, { attempts, startedAt });
  }
}
