import type { GatewayContext } from '../../context.ts';
import { falseStatus, tryFindTaskFlaw, UNNAMED_ERROR } from '../../failures/task-flaws.ts';
import type { CallbackFailure, StoredTask, TaskCallback } from '../../ledger/tasks.ts';
import { REQUEST_ID_LENGTH, randomText } from '../../random.ts';
import { challenge, notificationStatus, notify } from './callback.ts';
import { taskRecord, viewOf } from './task-record.ts';

/** Sends the notifications of tasks to their receivers. */
export interface CallbackDispatcher {
  /** Starts sending what is due, unless it is being sent already. */
  dispatch(): void;
  /** Stops sending, and resolves when no request is under way. */
  close(): Promise<void>;
}

/** Changes the callback of a task as it is stored now. */
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

/** Sends the challenge. A receiver that does not return it gets no notifications. */
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

/** Sends the next notification, once: one that does not arrive is recorded and not repeated. */
async function notifyReceiver(context: GatewayContext, task: StoredTask, closing: AbortSignal): Promise<void> {
  const { callback, family, task_id } = task;
  const status = callback?.due[0];
  if (callback === undefined || status === undefined) return;
  const notified = tryFindTaskFlaw(context, task) === 'lying-callback' ? falseStatus(status) : status;
  const name = notificationStatus(family, notified);
  // The record at this transition: later ones have their own notifications.
  const record = viewOf(context, { ...task, status: notified, error: task.error ?? UNNAMED_ERROR }, callback.origin);
  const problem = await notify(callback.url, taskRecord(record, name), closing);
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

/**
 * Creates the dispatcher of one gateway. It serves tasks concurrently, and the notifications of each in their order.
 * Notifications that are unsent at the end stay in the ledger.
 */
export function callbackDispatcher(context: GatewayContext): CallbackDispatcher {
  const closing = new AbortController();
  const deliveries = new Map<string, Promise<void>>();
  return {
    dispatch() {
      if (closing.signal.aborted) return;
      for (const { task_id } of context.ledger.tasks.undelivered()) {
        if (deliveries.has(task_id)) continue;
        const delivery = deliver(context, task_id, closing.signal).finally(() => deliveries.delete(task_id));
        deliveries.set(task_id, delivery);
      }
    },
    async close() {
      closing.abort();
      await Promise.all(deliveries.values());
    },
  };
}
