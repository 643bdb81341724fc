import type { CallbackNotification, CallbackReceiver, VideoTask } from '../../gateway/index.ts';
import type { Plea, Trial } from '../module.ts';
import { overlay } from '../overlay.ts';

/** Families whose providers tell of their tasks. Contract: “Events”. */
const TELLING: ReadonlySet<string> = new Set(['epsilon-video', 'delta-video']);

/** How long a notification may be behind the task, and how often it is looked for. */
const PATIENCE_MS = 30_000;
const STEP_MS = 2000;

/** What has come so far, by task: several checks wait at one receiver, which has one reader. */
type Inbox = ReadonlyMap<string, readonly CallbackNotification[]>;

const INBOXES = new WeakMap<CallbackReceiver, Inbox>();

function inboxOf(receiver: CallbackReceiver): Inbox {
  const known = INBOXES.get(receiver);
  if (known) return known;
  const inbox = new Map<string, readonly CallbackNotification[]>();
  INBOXES.set(receiver, inbox);
  void (async () => {
    for await (const notification of receiver.notifications) {
      const { taskId } = notification;
      inbox.set(taskId, [...(inbox.get(taskId) ?? []), notification]);
    }
  })();
  return inbox;
}

/** Whether the provider is to tell us: it can reach us, its family tells, and the request names nobody else. */
export function isTold({ receiver, plea }: Trial): boolean {
  const metadata = plea?.body.metadata as { readonly callback_url?: unknown } | undefined;
  return receiver !== undefined && TELLING.has(plea?.family ?? '') && metadata?.callback_url === undefined;
}

/** The request with our address in it. */
export function withCallback({ receiver }: Trial, { family, body }: Plea): Plea {
  if (receiver === undefined) return { family, body };
  inboxOf(receiver);
  return { family, body: overlay(body, { metadata: { callback_url: receiver.url } }) };
}

const SETTLED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'expired']);

/** Contract: one family knows no `cancelled`, the other no `expired`: both are told as failed there. */
const agrees = (told: string, status: VideoTask['status']): boolean =>
  told === status || (told === 'failed' && (status === 'cancelled' || status === 'expired'));

/**
 * Claims that the task's end was told to us, and as it is. Looks at the task again while it waits: what was told may be
 * true only since.
 */
export async function claimTold({ receiver, inference, exam, clock, signal }: Trial, task: VideoTask): Promise<void> {
  if (receiver === undefined) return;
  const inbox = inboxOf(receiver);
  const until = clock.now() + PATIENCE_MS;
  const last = () => inbox.get(task.taskId)?.at(-1);
  let { status } = task;
  while (!SETTLED.has(last()?.status ?? '') && clock.now() < until && !signal.aborted) {
    await clock.sleep(STEP_MS, signal);
    status = (await inference.videoTask(task.taskId, { signal })).value.status;
  }
  const told = last()?.status;
  exam.claim('the callback tells of the task', told !== undefined, told ?? 'nothing came');
  if (told === undefined) return;
  exam.claim('the callback tells the same end as the task’s query', agrees(told, status), `${told}, and ${status}`);
}
