import { countTokens } from '../../../synthetic/index.ts';
import type { Usage } from '../../billing/price.ts';
import { flawedTask, noteTaskFlaw } from '../../failures/task-flaws.ts';
import type { Request, Service } from '../../inference/request.ts';
import type { StoredTask, TaskCallback } from '../../ledger/tasks.ts';
import { randomText } from '../../random.ts';
import { secondsFor } from './film-order.ts';
import { frameSizeFor } from './frame-size.ts';
import { wakeTasksSoon } from './task-scheduler.ts';
import { type VideoWish, wishIn } from './video-request.ts';

const TASK_ID_LENGTH = 32;

const FRAMES_A_SECOND = 24;
/** Pixels that one token stands for, where a model of films is paid by tokens. */
const TOKEN_PIXELS = 1024;

function usageFor(wish: VideoWish): Usage {
  const { width, height } = frameSizeFor(wish, undefined);
  const pixels = width * height * FRAMES_A_SECOND * secondsFor(wish);
  return { promptTokens: countTokens(wish.text), completionTokens: Math.ceil(pixels / TOKEN_PIXELS), units: 1 };
}

/** Contract, family delta: the first request to the callback URL carries a challenge. */
function callbackFor({ callbackUrl, family }: VideoWish, origin: string): TaskCallback | undefined {
  if (callbackUrl === undefined) return undefined;
  const challenge = family === 'delta-video' ? { challenge: 'due' as const } : {};
  return { url: callbackUrl, origin, ...challenge, due: ['queued'], told: [], failures: [] };
}

function taskFor({ site, call, requestId, model, userId, keyId }: Request<unknown>, wish: VideoWish): StoredTask {
  const now = site.clock.now();
  return {
    task_id: `task_${randomText(site.random, TASK_ID_LENGTH)}`,
    user_id: userId,
    key_id: keyId,
    request_id: requestId,
    model,
    family: wish.family,
    created_at: now,
    priority: wish.priority,
    expires_at: wish.expiresAfter === undefined ? undefined : now + wish.expiresAfter,
    started_at: undefined,
    settled_at: undefined,
    status: 'queued',
    error: undefined,
    url: undefined,
    callback: callbackFor(wish, call.origin),
  };
}

/** Contract: “Video submission response”, which has two shapes. */
const submissionOf = ({ task_id, model, family }: StoredTask) =>
  family === 'download-video'
    ? { task_id, status: 'submitted', format: 'mp4' }
    : { task_id, id: task_id, object: 'video', model, status: 'queued' };

/** `POST /v1/video/generations`, every family: a task, paid for when it is there. */
export const submitVideo: Service<unknown> = {
  estimate: ({ family, body }) => usageFor(wishIn(family.id, body)),
  async serve(request) {
    const { site, call, family, body } = request;
    const wish = wishIn(family.id, body);
    const flaw = call.sabotage?.kind === 'task' ? call.sabotage.how : undefined;
    const task = flawedTask(site, taskFor(request, wish), flaw);
    return {
      body: submissionOf(task),
      usage: usageFor(wish),
      commit() {
        site.ledger.tasks.insert(task, body);
        if (flaw !== undefined) noteTaskFlaw(site, task.task_id, flaw);
        wakeTasksSoon(site);
      },
    };
  },
};
