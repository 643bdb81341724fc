import type { VideoTask } from '../../gateway/index.ts';
import { attemptId } from '../attempt-id.ts';
import type { CheckContext, RequestContext } from '../check-module.ts';
import type { CheckRequest } from '../check-request.ts';
import type { Notification } from './callback-inbox.ts';
import type { VideoFamily } from './requested-video.ts';

/** Time by which a notification may arrive after the task, and the interval between looks. */
const PATIENCE_MS = 30_000;
const STEP_MS = 2000;

/** The callback address of one task. */
export interface Callback {
  readonly url: string;
  /** Returns the latest notification about the task. The query identifies it, because a provider may use another task id. */
  readonly latest: (taskId: string) => Notification | undefined;
}

/** Contract, “Events”: the families whose providers send notifications. */
const takesCallback = (
  request: CheckRequest<VideoFamily>,
): request is CheckRequest<VideoFamily> & CheckRequest<'epsilon-video' | 'delta-video'> =>
  request.family === 'epsilon-video' || request.family === 'delta-video';

/** Creates a callback address; undefined if no receiver is open, the family sends nothing, or the request has its own. */
export function tryCreateCallback(context: RequestContext<VideoFamily>): Callback | undefined {
  const { callbacks, request } = context;
  if (callbacks === undefined || !takesCallback(request) || request.body.metadata.callback_url !== undefined) {
    return undefined;
  }
  const query = `task=${attemptId(context)}`;
  return {
    url: `${callbacks.url}?${query}`,
    latest: (taskId) => callbacks.notifications.findLast((each) => each.query === query || each.taskId === taskId),
  };
}

/** Adds the callback address to a request. */
export function withCallback(request: CheckRequest<VideoFamily>, { url }: Callback): CheckRequest<VideoFamily> {
  if (request.family === 'epsilon-video') {
    return { ...request, body: { ...request.body, metadata: { ...request.body.metadata, callback_url: url } } };
  }
  if (request.family === 'delta-video') {
    return { ...request, body: { ...request.body, metadata: { ...request.body.metadata, callback_url: url } } };
  }
  return request;
}

const SETTLED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'expired']);

/** Contract: one family has no `cancelled`, the other no `expired`; each reports the missing one as failed. */
const agrees = (reported: string, status: VideoTask['status']): boolean =>
  reported === status || (reported === 'failed' && (status === 'cancelled' || status === 'expired'));

/**
 * Claims that a notification reports the final status of a task. Polls the task while it waits, because its status may
 * change meanwhile.
 */
export async function claimNotified(
  { inference, recorder, clock, signal }: CheckContext,
  { latest }: Callback,
  { taskId, ...task }: VideoTask,
): Promise<void> {
  const until = clock.now() + PATIENCE_MS;
  let { status } = task;
  while (!SETTLED.has(latest(taskId)?.status ?? '') && clock.now() < until && !signal.aborted) {
    await clock.sleep(STEP_MS, signal);
    status = (await inference.videoTask(taskId, { signal })).value.status;
  }
  const reported = latest(taskId)?.status;
  recorder.claim('a callback reports the task', reported !== undefined, reported ?? 'no callback');
  if (reported === undefined) return;
  const found = `${reported}, and ${status}`;
  recorder.claim('the callback reports the status of the task', agrees(reported, status), found);
}
