import { asFault, type CheckResult, Fault, quota } from '../../domain/index.ts';
import type { AlternateRoute } from '../check-module.ts';
import type { CallbackInbox } from '../media/callback-inbox.ts';
import { taskOf } from '../media/paid-task.ts';
import { type Attempt, attempt, type PreparedCheck, prepareRequest } from './attempt.ts';
import { verdictOfFault } from './fault-verdict.ts';
import { commonFields, type Job, type JobEnding, type KeyUnderCheck, maxAttemptsOf, resultWithoutRun } from './job.ts';
import { chooseModel } from './model-choice.ts';
import { redactTextFor } from './redact.ts';
import type { CheckRunOptions } from './run-options.ts';

/** The part of a run that its checks share. */
export interface RunContext {
  readonly options: CheckRunOptions;
  readonly otherModels: readonly string[];
  readonly callbacks: CallbackInbox | undefined;
  /** Returns whether a retry fits into the cap, and reserves its cost. */
  readonly mayRepeat: (job: Job) => boolean;
}

type RunnableJob = Job & { readonly subject: KeyUnderCheck };

function alternateRouteFor({ alternateRoute }: CheckRunOptions, subject: KeyUnderCheck): AlternateRoute | undefined {
  if (alternateRoute === undefined) return undefined;
  const { description, address } = alternateRoute;
  const inference = alternateRoute.inference(subject.secret);
  return { inference, description, ...(address === undefined ? {} : { address }) };
}

function prepareCheck({ selected, subject, model = '' }: RunnableJob, context: RunContext): PreparedCheck {
  const { options, otherModels, callbacks } = context;
  const { spec, entry } = selected;
  return {
    spec,
    entry,
    key: subject,
    model,
    draft: model === '' ? undefined : entry.buildRequest?.(model, spec),
    inference: subject.inference,
    clock: options.clock,
    alternateRoute: alternateRouteFor(options, subject),
    callbacks,
    tasks: options.tasks,
    quotaPerUnit: options.quotaPerUnit,
    otherModels,
    redactText: redactTextFor(spec.hidden ?? [], subject.secret),
    deadline: options.deadline ?? ((ms) => AbortSignal.timeout(ms)),
  };
}

/** Settles the model of a job. Returns why the job cannot run, if it cannot. */
export async function settleModel(job: Job): Promise<JobEnding | undefined> {
  const { selected, subject } = job;
  const { entry, spec } = selected;
  if (subject === undefined || entry.accepts === undefined) {
    if (spec.model !== undefined) job.model = spec.model;
    return undefined;
  }
  const model = spec.model ?? (await chooseModel(subject, { entry, family: spec.family }).catch(asFault));
  if (model instanceof Fault) return verdictOfFault(model, subject);
  if (model !== undefined && entry.buildRequest?.(model, spec) !== undefined) {
    job.model = model;
    return undefined;
  }
  const reason =
    model === undefined
      ? `the key has no model that ${spec.module} is known to support`
      : `${model} belongs to no family that ${spec.module} supports`;
  return { verdict: 'unprovable', reason, remedy: 'name-model' };
}

function resultOf(
  { selected, subject, model, estimated, estimateIsMaximum = false, isPaid }: RunnableJob,
  last: Attempt,
  more: { attempts: number; startedAt: number },
): CheckResult {
  const { verdict, reason, code, hint, remedy, record, durationMs } = last;
  return {
    ...commonFields(selected, subject.observed.id, model),
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
      ...(estimated === undefined ? {} : { estimated: quota(estimated), estimateIsMaximum }),
      ...(isPaid ? { charged: quota(0) } : {}),
    },
    exchanges: record.exchanges,
    artifacts: record.artifacts,
    ...(record.taskId === undefined ? {} : { taskId: record.taskId }),
  };
}

/** Returns whether an earlier run has submitted and paid for the task of this job. */
export async function isPaidFor(job: Job, context: RunContext): Promise<boolean> {
  const { selected, subject, model = '' } = job;
  if (!selected.entry.isAsynchronous || subject === undefined) return false;
  const request = await prepareRequest(prepareCheck({ ...job, subject }, context));
  return (
    request !== undefined &&
    context.options.tasks.isUnderWay(taskOf(selected.spec, subject, { model, body: request.body }))
  );
}

/** Runs one check of one key, with the retries that its definition allows. Never throws. */
export async function runCheck(job: Job, context: RunContext): Promise<CheckResult> {
  const { selected, subject } = job;
  if (subject === undefined)
    return job.result ?? resultWithoutRun(job, { verdict: 'failed', reason: 'there is no key' });
  const { signal, clock } = context.options;
  const check = prepareCheck({ ...job, subject }, context);
  const maxAttempts = maxAttemptsOf(selected);
  const startedAt = clock.now();
  for (let attempts = 1; ; attempts += 1) {
    const last = await attempt(check);
    if (last.record.sentNothing) job.isPaid = true;
    job.isUnnamed = last.record.isUnnamed === true;
    job.requestIds.push(...last.record.requestIds);
    job.usages.push(...last.record.usages);
    job.requests += Math.max(1, last.record.exchanges.length);
    job.endedAfterMs = clock.now() - startedAt;
    const isOver = last.verdict === 'passed' || last.final || attempts >= maxAttempts || signal?.aborted === true;
    if (isOver || !context.mayRepeat(job)) return resultOf({ ...job, subject }, last, { attempts, startedAt });
  }
}
