import type { Site } from '../../context.ts';
import { lieAbout, taskFlawOf, UNNAMED_ERROR } from '../../failures/task-flaws.ts';
import type { CallbackFailure, StoredTask, TaskCallback } from '../../ledger/tasks.ts';
import { REQUEST_ID_LENGTH, randomText } from '../../random.ts';
import { challenge, notificationStatus, notify } from './callback.ts';
import { flatRecord, viewOf } from './task-record.ts';

/** Takes what tasks have to tell to their receivers. */
export interface Courier {
  /** Sends what is due, each task's in its order, whatever it is doing already. */
  go(): void;
  /** Sends nothing more, and resolves when nothing is under way. */
  close(): Promise<void>;
}

/** Changes the callback of a task as it is stored by now. */
function revise(site: Site, id: string, change: (callback: TaskCallback) => TaskCallback): StoredTask | undefined {
  return site.ledger.transact(() => {
    const task = site.ledger.tasks.tryFind(id);
    if (task?.callback === undefined) return undefined;
    const revised = { ...task, callback: change(task.callback) };
    site.ledger.tasks.write(revised);
    return revised;
  });
}

const failureAt = (site: Site, status: string, problem: string): CallbackFailure => ({
  status,
  at: site.clock.now(),
  problem,
});

/** A receiver that does not return the challenge is told nothing. */
async function challenged(site: Site, { task_id, callback }: StoredTask, closing: AbortSignal): Promise<void> {
  const problem = await challenge(callback?.url ?? '', randomText(site.random, REQUEST_ID_LENGTH), closing);
  if (closing.aborted) return;
  revise(site, task_id, (stored) =>
    problem === undefined
      ? { ...stored, challenge: 'passed' }
      : {
          ...stored,
          challenge: 'failed',
          due: [],
          failures: [...stored.failures, failureAt(site, 'challenge', problem)],
        },
  );
}

/** Every notification is sent once; one that does not arrive is noted and not sent again. */
async function tell(site: Site, task: StoredTask, closing: AbortSignal): Promise<void> {
  const { callback, family, task_id } = task;
  const status = callback?.due[0];
  if (callback === undefined || status === undefined) return;
  const said = taskFlawOf(site, task) === 'lying-callback' ? lieAbout(status) : status;
  const name = notificationStatus(family, said);
  // As it was at this change: what came after is told after.
  const then = viewOf(site, { ...task, status: said, error: task.error ?? UNNAMED_ERROR }, callback.origin);
  const problem = await notify(callback.url, flatRecord(then, name), closing);
  if (closing.aborted) return;
  revise(site, task_id, (stored) => ({
    ...stored,
    due: stored.due.slice(1),
    told: problem === undefined ? [...stored.told, said] : stored.told,
    failures: problem === undefined ? stored.failures : [...stored.failures, failureAt(site, name, problem)],
  }));
}

async function deliver(site: Site, id: string, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    const task = site.ledger.tasks.tryFind(id);
    if (task?.callback === undefined) return;
    if (task.callback.challenge === 'due') await challenged(site, task, closing);
    else if (task.callback.due.length > 0) await tell(site, task, closing);
    else return;
  }
}

/** A courier of one gateway. Tasks are served side by side, each in its order. What is left at the end is in the ledger. */
export function courierOf(site: Site): Courier {
  const closing = new AbortController();
  const rounds = new Map<string, Promise<void>>();
  return {
    go() {
      if (closing.signal.aborted) return;
      for (const { task_id } of site.ledger.tasks.tellable()) {
        if (rounds.has(task_id)) continue;
        const round = deliver(site, task_id, closing.signal).finally(() => rounds.delete(task_id));
        rounds.set(task_id, round);
      }
    },
    async close() {
      closing.abort();
      await Promise.all(rounds.values());
    },
  };
}
