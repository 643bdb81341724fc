import type { GatewayContext } from '../../context.ts';
import { falseStatus, tryFindTaskFlaw, UNNAMED_ERROR } from '../../failures/task-flaws.ts';
import type { CallbackFailure, StoredTask, TaskCallback } from '../../ledger/tasks.ts';
import { REQUEST_ID_LENGTH, randomText } from '../../random.ts';
import { challenge, notificationStatus, notify } from './callback.ts';
import { taskRecord, viewOf } from './task-record.ts';

/** Takes what tasks have to tell to their receivers. */
export interface CallbackDispatcher {
  /** Sends what is due, each task's in its order, whatever it is doing already. */
  dispatch(): void;
  /** Sends nothing more, and resolves when nothing is under way. */
  close(): Promise<void>;
}

/** Changes the callback of a task as it is stored by now. */
function updateCallback(
  context: GatewayContext,
  id: string,
  change: (callback: TaskCallback) => TaskCallback,
): StoredTask | undefined {
  return context.ledger.transact(() => {
    const task = context.ledger.tasks.tryFind(id);
    if (task?.callback === undefined) return undefined;
    const revised = { ...task, callback: change(task.callback) };
    context.ledger.tasks.write(revised);
    return revised;
  });
}

const failureAt = (context: GatewayContext, status: string, problem: string): CallbackFailure => ({
  status,
  at: context.clock.now(),
  problem,
});

/** A receiver that does not return the challenge is told nothing. */
async function challengeReceiver(
  context: GatewayContext,
  { task_id, callback }: StoredTask,
  closing: AbortSignal,
): Promise<void> {
  const problem = await challenge(callback?.url ?? '', randomText(context.random, REQUEST_ID_LENGTH), closing);
  if (closing.aborted) return;
  updateCallback(context, task_id, (stored) =>
    problem === undefined
      ? { ...stored, challenge: 'passed' }
      : {
          ...stored,
          challenge: 'failed',
          due: [],
          failures: [...stored.failures, failureAt(context, 'challenge', problem)],
        },
  );
}

/** Every notification is sent once; one that does not arrive is noted and not sent again. */
async function notifyReceiver(context: GatewayContext, task: StoredTask, closing: AbortSignal): Promise<void> {
  const { callback, family, task_id } = task;
  const status = callback?.due[0];
  if (callback === undefined || status === undefined) return;
  const notified = tryFindTaskFlaw(context, task) === 'lying-callback' ? falseStatus(status) : status;
  const name = notificationStatus(family, notified);
  // As it was at this change: what came after is told after.
  const then = viewOf(context, { ...task, status: notified, error: task.error ?? UNNAMED_ERROR }, callback.origin);
  const problem = await notify(callback.url, taskRecord(then, name), closing);
  if (closing.aborted) return;
  updateCallback(context, task_id, (stored) => ({
    ...stored,
    due: stored.due.slice(1),
    delivered: problem === undefined ? [...stored.delivered, notified] : stored.delivered,
    failures: problem === undefined ? stored.failures : [...stored.failures, failureAt(context, name, problem)],
  }));
}

async function deliver(context: GatewayContext, id: string, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    const task = context.ledger.tasks.tryFind(id);
    if (task?.callback === undefined) return;
    if (task.callback.challenge === 'due') await challengeReceiver(context, task, closing);
    else if (task.callback.due.length > 0) await notifyReceiver(context, task, closing);
    else return;
  }
}

/** A courier of one gateway. Tasks are served side by side, each in its order. What is left at the end is in the ledger. */
export function callbackDispatcher(context: GatewayContext): CallbackDispatcher {
  const closing = new AbortController();
  const rounds = new Map<string, Promise<void>>();
  return {
    dispatch() {
      if (closing.signal.aborted) return;
      for (const { task_id } of context.ledger.tasks.undelivered()) {
        if (rounds.has(task_id)) continue;
        const round = deliver(context, task_id, closing.signal).finally(() => rounds.delete(task_id));
        rounds.set(task_id, round);
      }
    },
    async close() {
      closing.abort();
      await Promise.all(rounds.values());
    },
  };
}
