import { type CheckSpec, Fault } from '../../domain/index.ts';
import type { VideoRequest } from '../../gateway/index.ts';
import type { CheckedKey, CheckRequest, Trial } from '../check-module.ts';
import type { Submission, TaskIdentity } from '../tasks/ledger.ts';

/** A task that is paid for, and written down. */
export interface PaidTask {
  readonly id: string;
  readonly submission: Submission;
  /** Submitted by this run; else by one before it. */
  readonly isNew: boolean;
}

const unclear = (submittedAt: number): Fault =>
  new Fault(
    'gateway.indeterminate',
    `It is not known whether the video task of ${new Date(submittedAt * 1000).toISOString()} was made.`,
    {
      hint: 'The answer to its submission was lost, and it may be paid for: it is not submitted again. Look in the usage log of the key and in the gateway’s list of tasks.',
      remedy: 'resubmit-task',
      detail: { submittedAt },
    },
  );

const isRefusal = (thrown: unknown): boolean => thrown instanceof Fault && thrown.code !== 'gateway.indeterminate';

/** Sends the request that costs. What did not come back is written down before the Fault goes on. */
async function send({ inference, signal }: Trial, { family, body }: CheckRequest, submission: Submission) {
  try {
    return await inference.submitVideo(body as unknown as VideoRequest, { family, signal });
  } catch (thrown) {
    await (isRefusal(thrown) ? submission.refused() : submission.lost());
    throw thrown;
  }
}

async function submit(trial: Trial, sent: CheckRequest, submission: Submission): Promise<PaidTask> {
  const { recorder } = trial;
  const answered = await send(trial, sent, submission);
  const { taskId, model } = answered.value;
  recorder.task(taskId);
  await submission.submitted(taskId);
  recorder.exchange('submission', sent.body, answered);
  recorder.answeredBy(model);
  return { id: taskId, submission, isNew: true };
}

/** By what a task is known again. */
export const taskOf = (
  { name }: Pick<CheckSpec, 'name'>,
  { observed }: CheckedKey,
  { model, plea }: { model: string; plea: CheckRequest | undefined },
): TaskIdentity => ({ key: observed.id, check: name, model, request: plea?.body });

/**
 * The task of this check: the one that a run before it has submitted and not seen the end of, else a new one.
 *
 * @param sent what goes out when it is a new one; the task is known by the plea of the trial.
 * @throws Fault `gateway.indeterminate` where it is not known whether there is one, those of `submitVideo`
 */
export async function paidTask(trial: Trial, sent: CheckRequest): Promise<PaidTask> {
  const { tasks, key, spec, model, plea, recorder } = trial;
  const earlier = await tasks.claim(taskOf(spec, key, { model, plea })).catch((thrown: unknown) => {
    recorder.sentNothing();
    throw thrown;
  });
  if (earlier.state !== 'free') recorder.sentNothing();
  switch (earlier.state) {
    case 'busy':
      return recorder.skip('another run is submitting this video at this moment');
    case 'indeterminate':
      throw unclear(earlier.submittedAt);
    case 'submitted':
      recorder.task(earlier.taskId);
      return { id: earlier.taskId, submission: earlier.submission, isNew: false };
    case 'free':
      return submit(trial, sent, earlier.submission);
  }
}
