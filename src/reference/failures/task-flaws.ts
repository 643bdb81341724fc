import type { VideoSpec } from '../../synthetic/index.ts';
import type { GatewayContext } from '../context.ts';
import type { StoredTask, TaskError, TaskStatus } from '../ledger/tasks.ts';
import type { TaskFlaw } from './kinds.ts';

/** The error of a task that fails without an error of its own. */
export const UNNAMED_ERROR: TaskError = { code: 1000, message: 'the upstream failed as asked' };

/** The injected flaw of a task, if any. Flaws are not in the ledger: a gateway that restarts has forgotten them. */
export const tryFindTaskFlaw = (
  { taskFlaws }: GatewayContext,
  { task_id }: Pick<StoredTask, 'task_id'>,
): TaskFlaw | undefined => taskFlaws.get(task_id);

/** In the middle of its run; while it still waits, where it takes no time. */
function earlyExpiry({ catalog }: GatewayContext, { model, created_at }: StoredTask): number {
  const { queueSeconds = 0, runSeconds = 0 } = catalog.models[model]?.task ?? {};
  return created_at + queueSeconds + runSeconds / 2;
}

/** Applies those flaws to a new task that are stored with it. */
export function withTaskFlaw(context: GatewayContext, task: StoredTask, flaw: TaskFlaw | undefined): StoredTask {
  if (flaw === 'stuck') return { ...task, expires_at: undefined };
  if (flaw === 'expires') return { ...task, expires_at: earlyExpiry(context, task) };
  if (flaw === 'fails') return { ...task, error: UNNAMED_ERROR };
  return flaw === 'no-callback' ? { ...task, callback: undefined } : task;
}

/** The wrong status that a lying notification reports instead of a final one. Other statuses are reported as they are. */
export function falseStatus(status: TaskStatus): TaskStatus {
  if (status === 'queued' || status === 'in_progress') return status;
  return status === 'succeeded' ? 'failed' : 'succeeded';
}

/** Changes the spec of a video so that the result differs from what was requested. */
export function withVideoFlaw(spec: VideoSpec, flaw: TaskFlaw | undefined): VideoSpec {
  if (flaw === 'short') return { ...spec, seconds: spec.seconds / 2 };
  if (flaw === 'resized') return { ...spec, width: Math.max(2, spec.width >> 1) };
  return flaw === 'no-sound' ? { ...spec, audio: false } : spec;
}

/** The middle of a video's data, after its tables. */
const middleOf = (video: Uint8Array): number => {
  const data = Math.max(0, Buffer.from(video.buffer, video.byteOffset, video.byteLength).indexOf('mdat', 0, 'latin1'));
  return data + ((video.length - data) >> 1);
};

/**
 * The bytes behind a video's link. A corrupt video has its full length, and zeros in its second half, so that no coded
 * image there has a length.
 */
export const linkedVideo = (video: Uint8Array, flaw: TaskFlaw | undefined): Uint8Array =>
  flaw === 'corrupt' ? Uint8Array.from(video).fill(0, middleOf(video)) : video;

/** The bytes that the download endpoint returns. A corrupt video ends in its middle. */
export const downloadedVideo = (video: Uint8Array, flaw: TaskFlaw | undefined): Uint8Array =>
  flaw === 'corrupt' ? video.subarray(0, middleOf(video)) : video;
