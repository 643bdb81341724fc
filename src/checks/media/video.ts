import { Fault } from '../../domain/index.ts';
import type { VideoTask } from '../../gateway/index.ts';
import type { CheckModuleEntry, CheckRequest, Trial } from '../check-module.ts';
import { claimReported, tryOpenInbox, withCallback } from './callbacks.ts';
import { FRAME_ASSERTIONS } from './entry-facts.ts';
import { type PaidTask, paidTask } from './paid-task.ts';
import { requestedVideoOf } from './requested-video.ts';
import { claimLastFrame, claimVideo } from './video-claims.ts';
import { videoBody, videoFamilyOf } from './video-request.ts';

/** Of the time for the check, waiting for the task may take this much: the video has to come, too. */
const WAITING_SHARE = 0.9;

/** The gateway knows of no such task any more: looking again brings nothing. */
const isGone = ({ detail }: Fault): boolean => detail.status === 404 || detail.code === 'task_not_exist';

async function settledTask(trial: Trial, task: PaidTask, began: number): Promise<VideoTask> {
  const { inference, recorder, clock, signal, timeoutMs } = trial;
  const deadlineMs = Math.max(timeoutMs * WAITING_SHARE - (clock.now() - began), 1);
  try {
    const answered = await inference.awaitVideo(task.id, { deadlineMs, signal });
    recorder.exchange('task', { task_id: task.id }, answered);
    return answered.value;
  } catch (thrown) {
    if (!task.isNew && thrown instanceof Fault && isGone(thrown)) await task.submission.settled();
    throw thrown;
  }
}

/** Where the video is: behind a link, or behind the endpoint of the family that has none. */
async function filmBytes(
  { inference, recorder, signal }: Trial,
  { family }: CheckRequest,
  task: VideoTask,
): Promise<Uint8Array | undefined> {
  if (family === 'download-video') {
    const answered = await inference.readDownload(task.taskId, { signal });
    recorder.exchange('download', { id: task.taskId }, answered);
    return answered.value;
  }
  recorder.claim('the task brings a link to its video', task.url !== undefined);
  return task.url === undefined ? undefined : (await inference.readUrl(task.url, { signal })).value;
}

async function examineResult(trial: Trial, plea: CheckRequest, task: VideoTask): Promise<void> {
  const { recorder, spec, inference, signal } = trial;
  const { status, statusText, error } = task;
  const why = error === undefined ? statusText : `${statusText}: ${error.message}`;
  recorder.claim('the task succeeds', status === 'succeeded', why);
  if (status !== 'succeeded') return;
  const requested = await requestedVideoOf(plea);
  const bytes = await filmBytes(trial, plea, task);
  const video = bytes && (await claimVideo(recorder, bytes, { requested, expect: spec.expect }));
  if (!requested.returnsLastFrame) return;
  recorder.claim('the task brings a link to its last frame, as was asked', task.lastFrameUrl !== undefined);
  if (task.lastFrameUrl === undefined) return;
  await claimLastFrame(recorder, (await inference.readUrl(task.lastFrameUrl, { signal })).value, video);
}

/** The result is not to be had: the next run pays for a new task. */
const FINAL: ReadonlySet<string> = new Set(['gateway.refused', 'request.refused', 'request.invalid']);

/** What came damaged once may come whole the next time; what did so twice is damaged. */
const isFinal = ({ code }: Fault, { isNew }: PaidTask): boolean =>
  FINAL.has(code) || (code === 'media.damaged' && !isNew);

async function examineVideo(trial: Trial): Promise<void> {
  const { plea, clock } = trial;
  if (plea === undefined) return;
  const began = clock.now();
  const mailbox = tryOpenInbox(trial);
  const paid = await paidTask(trial, mailbox ? withCallback(plea, mailbox) : plea);
  const task = await settledTask(trial, paid, began);
  try {
    await examineResult(trial, plea, task);
  } catch (thrown) {
    // What did not come through may be had the next time, for nothing.
    if (thrown instanceof Fault && isFinal(thrown, paid)) await paid.submission.settled();
    throw thrown;
  }
  await paid.submission.settled();
  // A task of an earlier run tells whoever listened then.
  if (mailbox && paid.isNew) await claimReported(trial, mailbox, task);
}

export const VIDEO: CheckModuleEntry = {
  id: 'video',
  schedule: 'costly',
  pays: true,
  isAsynchronous: true,
  wantsUsableKey: true,
  timeoutMs: 1_800_000,
  expects: ['seconds', 'audio', ...FRAME_ASSERTIONS],
  takes: (model, family) => videoFamilyOf(model, family) !== undefined,
  plea(model, { request, family: named }) {
    const family = videoFamilyOf(model, named);
    return family && { family: family.id, body: videoBody(family, model, request) };
  },
  proves: 'a task that is paid for once and succeeds, and its MP4: whole, as long, as large and as loud as was asked',
  examine: examineVideo,
};
