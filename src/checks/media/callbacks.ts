import { createHash } from 'node:crypto';
import type { CallbackReceiver, VideoTask } from '../../gateway/index.ts';
import type { CheckRequest, Trial } from '../check-module.ts';
import { mergeRequest } from '../merge-request.ts';

/** Families whose providers tell of their tasks. Contract: “Events”. */
const NOTIFYING: ReadonlySet<string> = new Set(['epsilon-video', 'delta-video']);

/** How long a notification may be behind the task, and how often it is looked for. */
const PATIENCE_MS = 30_000;
const STEP_MS = 2000;

type Received = CallbackReceiver['notifications'] extends AsyncIterable<infer N> ? N : never;

/** What has come so far, of all tasks: several checks wait at one receiver, which has one reader. */
const INBOXES = new WeakMap<CallbackReceiver, Received[]>();

function inboxOf(receiver: CallbackReceiver): readonly Received[] {
  const known = INBOXES.get(receiver);
  if (known) return known;
  const inbox: Received[] = [];
  INBOXES.set(receiver, inbox);
  void (async () => {
    for await (const notification of receiver.notifications) inbox.push(notification);
  })();
  return inbox;
}

/** Where one check is reported of its task. */
export interface Inbox {
  /** For `metadata.callback_url`. */
  readonly url: string;
  /** The newest that came for it: under its own query, for a provider may have another id for the task. */
  readonly newest: (taskId: string) => Received | undefined;
}

/** Undefined: nobody can reach us, the family tells nobody, or the request names somebody else. */
export function tryOpenInbox({ receiver, plea, key, spec, clock }: Trial): Inbox | undefined {
  const metadata = plea?.body.metadata as { readonly callback_url?: unknown } | undefined;
  if (receiver === undefined || !NOTIFYING.has(plea?.family ?? '') || metadata?.callback_url !== undefined) {
    return undefined;
  }
  const inbox = inboxOf(receiver);
  const about = JSON.stringify([key.observed.id, spec.name, clock.now()]);
  const query = `task=${createHash('sha256').update(about).digest('hex').slice(0, 16)}`;
  return {
    url: `${receiver.url}?${query}`,
    newest: (taskId) => inbox.findLast((came) => came.query === query || came.taskId === taskId),
  };
}

/** The request with our address in it. */
export const withCallback = ({ family, body }: CheckRequest, { url }: Inbox): CheckRequest => ({
  family,
  body: mergeRequest(body, { metadata: { callback_url: url } }),
});

const SETTLED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'expired']);

/** Contract: one family knows no `cancelled`, the other no `expired`: both are reported as failed there. */
const agrees = (reported: string, status: VideoTask['status']): boolean =>
  reported === status || (reported === 'failed' && (status === 'cancelled' || status === 'expired'));

/**
 * Claims that the end of a task was reported to us, and as it is. Looks at the task again while it waits: what was reported may
 * be true only since.
 */
export async function claimReported(trial: Trial, { newest }: Inbox, { taskId, ...task }: VideoTask): Promise<void> {
  const { inference, recorder, clock, signal } = trial;
  const until = clock.now() + PATIENCE_MS;
  let { status } = task;
  while (!SETTLED.has(newest(taskId)?.status ?? '') && clock.now() < until && !signal.aborted) {
    await clock.sleep(STEP_MS, signal);
    status = (await inference.videoTask(taskId, { signal })).value.status;
  }
  const reported = newest(taskId)?.status;
  recorder.claim('the callback tells of the task', reported !== undefined, reported ?? 'nothing came');
  if (reported === undefined) return;
  recorder.claim(
    'the callback tells the same end as the task’s query',
    agrees(reported, status),
    `${reported}, and ${status}`,
  );
}
