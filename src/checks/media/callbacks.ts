import { createHash } from 'node:crypto';
import type { CallbackReceiver, VideoTask } from '../../gateway/index.ts';
import type { Plea, Trial } from '../check-module.ts';
import { overlay } from '../merge-request.ts';

/** Families whose providers tell of their tasks. Contract: “Events”. */
const TELLING: ReadonlySet<string> = new Set(['epsilon-video', 'delta-video']);

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

/** Where one check is told of its task. */
export interface Mailbox {
  /** For `metadata.callback_url`. */
  readonly url: string;
  /** The newest that came for it: under its own query, for a provider may have another id for the task. */
  readonly newest: (taskId: string) => Received | undefined;
}

/** Undefined: nobody can reach us, the family tells nobody, or the request names somebody else. */
export function tryOpenMailbox({ receiver, plea, key, spec, clock }: Trial): Mailbox | undefined {
  const metadata = plea?.body.metadata as { readonly callback_url?: unknown } | undefined;
  if (receiver === undefined || !TELLING.has(plea?.family ?? '') || metadata?.callback_url !== undefined) {
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
export const withCallback = ({ family, body }: Plea, { url }: Mailbox): Plea => ({
  family,
  body: overlay(body, { metadata: { callback_url: url } }),
});

const SETTLED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'expired']);

/** Contract: one family knows no `cancelled`, the other no `expired`: both are told as failed there. */
const agrees = (told: string, status: VideoTask['status']): boolean =>
  told === status || (told === 'failed' && (status === 'cancelled' || status === 'expired'));

/**
 * Claims that the end of a task was told to us, and as it is. Looks at the task again while it waits: what was told may
 * be true only since.
 */
export async function claimTold(trial: Trial, { newest }: Mailbox, { taskId, ...task }: VideoTask): Promise<void> {
  const { inference, exam, clock, signal } = trial;
  const until = clock.now() + PATIENCE_MS;
  let { status } = task;
  while (!SETTLED.has(newest(taskId)?.status ?? '') && clock.now() < until && !signal.aborted) {
    await clock.sleep(STEP_MS, signal);
    status = (await inference.videoTask(taskId, { signal })).value.status;
  }
  const told = newest(taskId)?.status;
  exam.claim('the callback tells of the task', told !== undefined, told ?? 'nothing came');
  if (told === undefined) return;
  exam.claim('the callback tells the same end as the task’s query', agrees(told, status), `${told}, and ${status}`);
}
