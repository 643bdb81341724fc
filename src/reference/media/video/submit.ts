import { countTokens } from '../../../synthetic/index.ts';
import type { Usage } from '../../billing/price.ts';
import { withTaskFlaw } from '../../failures/task-flaws.ts';
import type { AcceptedRequest, Service } from '../../inference/request.ts';
import type { StoredTask, TaskCallback } from '../../ledger/tasks.ts';
import type { Profile } from '../../profiles/profile.ts';
import { randomText } from '../../random.ts';
import { frameSizeFor } from './frame-size.ts';
import { type ParsedVideoRequest, parseVideoRequest } from './video-request.ts';
import { secondsFor } from './videos.ts';

const TASK_ID_LENGTH = 32;

const FRAMES_PER_SECOND = 24;
/** The pixels of one token, for video models that are charged by tokens. */
const TOKEN_PIXELS = 1024;

function usageFor({ chargesSeconds }: Profile, video: ParsedVideoRequest): Usage {
  const { width, height } = frameSizeFor(video, undefined);
  const seconds = secondsFor(video);
  const pixels = width * height * FRAMES_PER_SECOND * seconds;
  return {
    promptTokens: countTokens(video.text),
    completionTokens: Math.ceil(pixels / TOKEN_PIXELS),
    units: chargesSeconds ? seconds : 1,
  };
}

/** Contract, family delta: the first request to the callback URL carries a challenge. */
function callbackFor({ callbackUrl, family }: ParsedVideoRequest, origin: string): TaskCallback | undefined {
  if (callbackUrl === undefined) return undefined;
  const challenge = family === 'delta-video' ? { challenge: 'due' as const } : {};
  return { url: callbackUrl, origin, ...challenge, due: ['queued'], delivered: [], failures: [] };
}

function taskFor(
  { context, incoming, requestId, model, userId, keyId }: AcceptedRequest<unknown>,
  video: ParsedVideoRequest,
): StoredTask {
  const now = context.clock.now();
  return {
    task_id: `task_${randomText(context.random, TASK_ID_LENGTH)}`,
    user_id: userId,
    key_id: keyId,
    request_id: requestId,
    model,
    family: video.family,
    created_at: now,
    priority: video.priority,
    expires_at: video.expiresAfter === undefined ? undefined : now + video.expiresAfter,
    started_at: undefined,
    settled_at: undefined,
    status: 'queued',
    error: undefined,
    url: undefined,
    callback: callbackFor(video, incoming.origin),
  };
}

/** Contract: “Video submission response”, which has two shapes. */
const submissionBody = ({ task_id, model, family }: StoredTask) =>
  family === 'download-video'
    ? { task_id, status: 'submitted', format: 'mp4' }
    : { task_id, id: task_id, object: 'video', model, status: 'queued' };

/** `POST /v1/video/generations`, every family: creates a task and charges for it. */
export const submitVideo: Service<unknown> = {
  estimate: ({ context, family, body }) => usageFor(context.profile, parseVideoRequest(family.id, body)),
  async serve(request) {
    const { context, incoming, family, body } = request;
    const video = parseVideoRequest(family.id, body);
    const flaw = incoming.failure?.kind === 'task' ? incoming.failure.how : undefined;
    const task = withTaskFlaw(context, taskFor(request, video), flaw);
    return {
      body: submissionBody(task),
      usage: usageFor(context.profile, video),
      commit() {
        context.ledger.tasks.insert(task, body);
        if (flaw !== undefined) context.taskFlaws.set(task.task_id, flaw);
        context.scheduler.runSoon();
      },
    };
  },
};
