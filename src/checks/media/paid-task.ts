import { type CheckSpec, type Decimal, Fault, renderInstant, usdFromQuota } from '../../domain/index.ts';
import type { CheckedKey, RequestContext } from '../check-module.ts';
import type { CheckRequest } from '../check-request.ts';
import type { ClaimedTask, Submission, TaskIdentity } from '../tasks/ledger.ts';
import type { VideoFamily } from './requested-video.ts';

/** A paid task that is recorded in the ledger. */
export interface PaidTask {
  readonly id: string;
  readonly submission: Submission;
  /** Submitted by this run, not by an earlier one. */
  readonly isNew: boolean;
}

type VideoContext = RequestContext<VideoFamily>;

type Indeterminate = Extract<ClaimedTask, { state: 'indeterminate' }>;

function renderCharges(charges: Indeterminate['charges'], quotaPerUnit: Decimal): string {
  if (charges === undefined) return 'The usage log cannot be read.';
  const amounts = charges.map((units) => `$${usdFromQuota(units, quotaPerUnit, 6)}`);
  return amounts.length === 0
    ? 'The usage log has no charge for it so far.'
    : `The usage log has a charge of ${amounts.join(' and one of ')} that may be for it.`;
}

function indeterminateFault({ submittedAt, charges }: Indeterminate, quotaPerUnit: Decimal): Fault {
  const at = renderInstant(submittedAt);
  const message = `It is unknown whether the gateway created the video task of ${at}. ${renderCharges(charges, quotaPerUnit)}`;
  return new Fault('gateway.indeterminate', message, {
    hint: 'The response to its submission was lost or unclear. The task may have been charged, so Keyplane does not submit it again. Check the usage log of the key and the gateway’s task list.',
    remedy: 'resubmit-task',
    detail: { submittedAt, ...(charges ? { charges } : {}) },
  });
}

const isRejection = (thrown: unknown): boolean => thrown instanceof Fault && thrown.code !== 'gateway.indeterminate';

/** Sends the request. A lost answer is recorded before the fault continues. */
async function send(
  { inference, signal }: VideoContext,
  { family, body }: CheckRequest<VideoFamily>,
  submission: Submission,
) {
  try {
    return await inference.submitVideo(body, { family, signal });
  } catch (thrown) {
    await (isRejection(thrown) ? submission.refused() : submission.lost());
    throw thrown;
  }
}

/** Nothing is paid for a task whose result could not be read. Only an allowlist hides the tasks of a key. */
async function refuseUnreadable({ key, inference, recorder, signal }: VideoContext, submission: Submission) {
  if (key.observed.models === null || (await inference.canReadTasks({ signal }))) return;
  await submission.refused();
  recorder.sentNothing();
  recorder.unprovable('the gateway does not show video tasks to a key with an allowlist, so none was submitted', {
    hint: 'Check the video with a key that may use any model.',
  });
}

async function submit(
  context: VideoContext,
  outgoing: CheckRequest<VideoFamily>,
  submission: Submission,
): Promise<PaidTask> {
  const { recorder } = context;
  await refuseUnreadable(context, submission);
  const answered = await send(context, outgoing, submission);
  const { taskId, model } = answered.value;
  recorder.task(taskId);
  await submission.submitted(taskId);
  recorder.exchange('submission', outgoing.body, answered);
  // Not every gateway repeats the model of a submission.
  if (model !== undefined) recorder.answeredBy(model);
  return { id: taskId, submission, isNew: true };
}

/** The identity by which later runs find the task. */
export const taskOf = (
  { name }: Pick<CheckSpec, 'name'>,
  { observed }: CheckedKey,
  { model, body }: { readonly model: string; readonly body: unknown },
): TaskIdentity => ({ key: observed.id, check: name, model, request: body });

/**
 * Returns the task of this check: an unfinished one of an earlier run, or a new one.
 *
 * @param outgoing the request of a new task. The task is identified by the request of the context.
 * @throws Fault `gateway.indeterminate` if it is unknown whether a task exists, and those of `submitVideo`
 */
export async function paidTask(context: VideoContext, outgoing: CheckRequest<VideoFamily>): Promise<PaidTask> {
  const { tasks, key, spec, model, request, recorder } = context;
  const earlier = await tasks.claim(taskOf(spec, key, { model, body: request.body })).catch((thrown: unknown) => {
    recorder.sentNothing();
    throw thrown;
  });
  if (earlier.state !== 'free') recorder.sentNothing();
  switch (earlier.state) {
    case 'busy':
      return recorder.skip('another run is submitting this video');
    case 'indeterminate':
      throw indeterminateFault(earlier, context.quotaPerUnit);
    case 'submitted':
      recorder.task(earlier.taskId);
      return { id: earlier.taskId, submission: earlier.submission, isNew: false };
    case 'free':
      return submit(context, outgoing, earlier.submission);
  }
}
