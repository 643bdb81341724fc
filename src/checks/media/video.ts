import { Fault } from '../../domain/index.ts';
import { isDefiniteRefusal, type VideoTask } from '../../gateway/index.ts';
import { tryFindFamily } from '../../wire/index.ts';
import { type CheckContext, type RequestContext, requestModule } from '../check-module.ts';
import { type CheckRequest, type JsonFields, mergeRequest } from '../check-request.ts';
import { claimNotified, tryCreateCallback, withCallback } from './callbacks.ts';
import { FRAME_ASSERTIONS } from './module-defaults.ts';
import { type PaidTask, paidTask } from './paid-task.ts';
import { requestedVideoOf, returnsLastFrame, VIDEO_FAMILIES, type VideoFamily } from './requested-video.ts';
import { claimLastFrame, claimVideo } from './video-claims.ts';

const PROMPT = 'A red lighthouse on a green island, waves roll by slowly, clear colours.';

/** Default requests: as short and small as the contract allows. Where it shows no fields, only what the structure demands. */
const BODIES: { readonly [F in VideoFamily]: (model: string, prompt: string) => JsonFields } = {
  'epsilon-video': (model, prompt) => ({
    model,
    prompt,
    metadata: { content: [{ type: 'text', text: prompt }], resolution: '480p', ratio: '16:9', duration: 4 },
  }),
  'delta-video': (model, prompt) => ({
    model,
    prompt,
    metadata: { content: [{ type: 'text', text: prompt }], resolution: '768P', ratio: '16:9', duration: 4 },
  }),
  'download-video': (model, prompt) => ({ model, prompt, seconds: '4', size: '1280x720' }),
  'flat-video': (model, prompt) => ({ model, prompt, metadata: { durationSeconds: 4, aspectRatio: '16:9' } }),
  'asset-video': (model, prompt) => ({ model, prompt, asset: false }),
  'nested-video': (model, prompt) => ({ model, metadata: { input: { prompt } } }),
  'dedicated-video': (model, prompt) => ({ model, prompt }),
};

interface Content {
  readonly metadata?: { readonly content?: readonly { readonly type?: unknown; readonly text?: unknown }[] };
}

const contentIn = (request: JsonFields) => {
  const { content } = (request as Content).metadata ?? {};
  return Array.isArray(content) ? content : [];
};

/** Contract: the processing of media is switched on where the content has some. */
const switchFor = (family: VideoFamily, request: JsonFields): JsonFields =>
  family === 'epsilon-video' ? { asset: contentIn(request).some((item) => item?.type !== 'text') } : {};

/** The declared prompt. Contract: the two places that may have one are consistent. */
function promptIn(request: JsonFields): string {
  const texts = contentIn(request).map((item) => item?.text);
  return [request.prompt, ...texts].find((text) => typeof text === 'string') ?? PROMPT;
}

/** The named family, or without one the family that claims the model. */
function familyOf(model: string, named: string | undefined): VideoFamily | undefined {
  const id = named ?? tryFindFamily('submitVideo', model)?.id;
  return VIDEO_FAMILIES.find((family) => family === id);
}

/** The share of the time limit that polling may take; the rest is for the download. */
const POLLING_SHARE = 0.9;

type VideoContext = RequestContext<VideoFamily>;

/** The gateway no longer knows the task: polling it again is useless. */
const isGone = (fault: Fault): boolean =>
  fault.detail.code === 'task_not_exist' || (fault.detail.status === 404 && isDefiniteRefusal(fault));

async function awaitTask(context: CheckContext, task: PaidTask, began: number): Promise<VideoTask> {
  const { inference, recorder, clock, signal, timeoutMs } = context;
  const deadlineMs = Math.max(timeoutMs * POLLING_SHARE - (clock.now() - began), 1);
  try {
    const answered = await inference.awaitVideo(task.id, { deadlineMs, signal });
    recorder.exchange('task', { task_id: task.id }, answered);
    return answered.value;
  } catch (thrown) {
    throw thrown instanceof Fault ? await lostFault(thrown, task) : thrown;
  }
}

/** The statuses by which a gateway refuses to show a task. */
const HIDDEN: ReadonlySet<unknown> = new Set([401, 403]);

/** Reports that money is lost, or may be, where the gateway does not show a task that was paid for. */
async function lostFault(fault: Fault, { id, isNew, submission }: PaidTask): Promise<Fault> {
  const { code, message, detail } = fault;
  const isLost = isGone(fault);
  if (isLost && !isNew) {
    await submission.settled();
    const hint = 'The next run submits and pays for a new task.';
    return new Fault(code, `${message} The task ${id} was paid for and is lost.`, { hint, detail, cause: fault });
  }
  if (!isLost && !(HIDDEN.has(detail.status) && isDefiniteRefusal(fault))) return fault;
  return new Fault(code, `${message} The task ${id} was paid for, and its result cannot be read.`, {
    hint: 'The next run looks for the same task, and submits nothing.',
    remedy: 'resubmit-task',
    detail,
    cause: fault,
  });
}

/**
 * Downloads the video by its link, or from the endpoint of the family that has no links.
 *
 * @throws Fault `media.damaged` without a link, and those of the download
 */
async function downloadVideo(
  { inference, recorder, signal, request }: VideoContext,
  task: VideoTask,
): Promise<Uint8Array> {
  if (request.family === 'download-video') {
    const answered = await inference.readDownload(task.taskId, { signal });
    recorder.exchange('download', { id: task.taskId }, answered);
    return answered.value;
  }
  if (task.url === undefined) {
    throw new Fault('media.damaged', 'The task succeeded, and the gateway shows no link to its video.');
  }
  return (await inference.readUrl(task.url, { signal })).value;
}

async function checkResult(context: VideoContext, task: VideoTask): Promise<void> {
  const { recorder, spec, inference, signal, request } = context;
  const { status, statusText, error } = task;
  const why = error === undefined ? statusText : `${statusText}: ${error.message}`;
  recorder.claim('the task succeeds', status === 'succeeded', why);
  if (status !== 'succeeded') return;
  const requested = await requestedVideoOf(request);
  const bytes = await downloadVideo(context, task);
  const video = await claimVideo(recorder, bytes, { requested, expect: spec.expect });
  if (!requested.returnsLastFrame) return;
  recorder.claim('the task has a link to its last frame, as requested', task.lastFrameUrl !== undefined);
  if (task.lastFrameUrl === undefined) return;
  await claimLastFrame(recorder, (await inference.readUrl(task.lastFrameUrl, { signal })).value, video);
}

/** The statuses by which a server refuses a result permanently. */
const REFUSED: ReadonlySet<unknown> = new Set([400, 401, 403, 404, 410, 422]);

const isFinal = ({ code, detail }: Fault): boolean =>
  code === 'media.damaged' ||
  ((code === 'gateway.refused' || code === 'request.refused') && REFUSED.has(detail.status));

/** A link that fails may work once the address of the server is set, or a proxy is repaired: nothing is paid again for it. */
async function keepUnread(fault: Fault, { id, submission }: PaidTask): Promise<Fault> {
  await submission.unread();
  return new Fault(fault.code, fault.message, {
    hint: `The task ${id} was paid for, so the next run tries to read its video again and submits nothing.`,
    remedy: 'resubmit-task',
    detail: fault.detail,
    cause: fault,
  });
}

async function run(context: VideoContext): Promise<void> {
  const { request, clock } = context;
  const began = clock.now();
  const callback = tryCreateCallback(context);
  const outgoing: CheckRequest<VideoFamily> = callback ? withCallback(request, callback) : request;
  const paid = await paidTask(context, outgoing);
  const task = await awaitTask(context, paid, began);
  try {
    await checkResult(context, task);
  } catch (thrown) {
    throw thrown instanceof Fault && isFinal(thrown) ? await keepUnread(thrown, paid) : thrown;
  }
  await paid.submission.settled();
  // The task of an earlier run notifies the receiver of that run.
  if (callback && paid.isNew) await claimNotified(context, callback, task);
}

export const VIDEO = requestModule({
  id: 'video',
  schedule: 'costly',
  pays: true,
  isAsynchronous: true,
  needsUsableKey: true,
  decodesImages: ({ request }) => returnsLastFrame(request),
  timeoutMs: 1_800_000,
  assertions: ['seconds', 'audio', ...FRAME_ASSERTIONS],
  families: VIDEO_FAMILIES,
  accepts: (model, family) => familyOf(model, family) !== undefined,
  buildRequest(model, { request, family: named }) {
    const family = familyOf(model, named);
    if (family === undefined) return undefined;
    const defaults = { ...BODIES[family](model, promptIn(request)), ...switchFor(family, request) };
    return { family, body: mergeRequest(defaults, request) };
  },
  proves: 'a task that is paid for once and succeeds, and its MP4: complete, with the requested length, size and sound',
  run,
});
