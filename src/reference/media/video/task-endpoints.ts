import type { GatewayContext } from '../../context.ts';
import { downloadedVideo, tryFindTaskFlaw } from '../../failures/task-flaws.ts';
import { admitRequest } from '../../inference/credential.ts';
import { refuseRequest, refuseUse } from '../../inference/refusal.ts';
import type { InferenceRequest } from '../../inference/request.ts';
import { lacksAllowedModel } from '../../keys/admission.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import type { Answer } from '../../server/answer.ts';
import { needsDownload, taskShapeOf, viewOf } from './task-record.ts';
import { videoOf } from './videos.ts';

/**
 * Finds the task that a key asks for, with its status at this time. For an account, the tasks of others do not exist.
 */
function findRequestedTask(
  context: GatewayContext,
  request: InferenceRequest,
  id: string,
): { task: StoredTask } | { refusal: Answer } {
  const admission = context.ledger.stage(() => admitRequest(context, request));
  if ('refusal' in admission) return { refusal: refuseUse(context, request, admission.refusal) };
  if (request.endpoint === 'videoTask' && lacksAllowedModel(context, admission.key))
    return { refusal: refuseUse(context, request, 'modelDenied') };
  context.scheduler.runIfDue();
  const task = context.ledger.tasks.tryFind(id);
  const isOwn = task?.user_id === admission.account.user_id;
  return task && isOwn ? { task } : { refusal: taskShapeOf(context).missing(context) };
}

/** `GET /v1/video/generations/{task_id}`. Costs nothing. */
export async function videoTask(context: GatewayContext, request: InferenceRequest): Promise<Answer> {
  const asked = findRequestedTask(context, request, request.taskId);
  if ('refusal' in asked) return asked.refusal;
  return { status: 200, body: taskShapeOf(context).record(viewOf(context, asked.task, request.origin)) };
}

/** Contract: “Video download result”. */
async function downloadOf(context: GatewayContext, task: StoredTask) {
  const flaw = tryFindTaskFlaw(context, task);
  const whole = await videoOf(context, task);
  const video = downloadedVideo(whole, flaw);
  const base64 = Buffer.from(video.buffer, video.byteOffset, video.byteLength).toString('base64');
  return {
    success: true,
    generation_id: task.task_id,
    task_id: task.task_id,
    format: 'mp4',
    size: whole.length,
    ...(flaw === 'no-url' ? {} : { base64, data_url: `data:video/mp4;base64,${base64}` }),
  };
}

/** `GET /v1/video/generations/download?id=<task_id>`: for succeeded tasks of the family that needs it. */
export async function downloadVideo(context: GatewayContext, request: InferenceRequest): Promise<Answer> {
  const refused = (message: string, code: string) => refuseRequest(context, request, { status: 400, message, code });
  const id = request.query('id');
  if (id === '') return refused('id: is missing', 'invalid_request');
  const asked = findRequestedTask(context, request, id);
  if ('refusal' in asked) return asked.refusal;
  const { task } = asked;
  if (!needsDownload(task))
    return refused('the result of this task has a link instead of a download', 'not_downloadable');
  if (task.status !== 'succeeded') return refused(`the task is ${task.status}`, 'task_not_ready');
  return { status: 200, body: await downloadOf(context, task) };
}
