import { refund } from '../../billing/refund.ts';
import type { ModelFailure } from '../../catalog.ts';
import type { GatewayContext } from '../../context.ts';
import { tryFindTaskFlaw, UNNAMED_ERROR } from '../../failures/task-flaws.ts';
import type { StoredTask, TaskError, TaskStatus } from '../../ledger/tasks.ts';
import { type ModelPace, type TaskTransition, upcomingTransitions } from './timetable.ts';

const FINAL_STATUSES: readonly TaskStatus[] = ['succeeded', 'failed', 'expired', 'cancelled'];

export const isFinal = (status: TaskStatus): boolean => FINAL_STATUSES.includes(status);

/** The log entries of refunds. */
const REFUND_NOTES: { readonly [S in TaskStatus]?: string } = {
  failed: 'the video task failed',
  expired: 'the video task expired',
  cancelled: 'the video task was cancelled',
};

const errorOf = ({ code, message }: ModelFailure): TaskError => ({ code, message });

/**
 * Moves a task into a status and stores it, refunds a failed task, and queues the notification. Call it within a
 * transaction.
 */
export function changeStatus(
  context: GatewayContext,
  task: StoredTask,
  { at, status }: Pick<TaskTransition, 'at' | 'status'>,
): StoredTask {
  const fails = context.catalog.models[task.model]?.fails;
  const error = task.error ?? (fails && errorOf(fails)) ?? UNNAMED_ERROR;
  const { callback } = task;
  const moved: StoredTask = {
    ...task,
    status,
    started_at: status === 'in_progress' ? at : task.started_at,
    settled_at: isFinal(status) ? at : undefined,
    error: status === 'failed' ? error : task.error,
    callback: callback && callback.challenge !== 'failed' ? { ...callback, due: [...callback.due, status] } : callback,
  };
  context.ledger.tasks.write(moved);
  const note = REFUND_NOTES[status];
  if (note !== undefined) refund(context, task, note);
  return moved;
}

function paceOf({ catalog, ledger, clock }: GatewayContext, model: string): ModelPace {
  const modelConfig = catalog.models[model];
  const pace = modelConfig?.task ?? { queueSeconds: 0, runSeconds: 0 };
  // A clock that was set back must not delay new tasks.
  const since = Math.min(ledger.tasks.lastSettled(model) ?? -Infinity, clock.now());
  return { ...pace, since, fails: modelConfig?.fails !== undefined };
}

/**
 * Makes every transition of video tasks that is due by the gateway's clock, in chronological order. Tasks that have
 * ended do not change, even if the clock is set back.
 *
 * @returns the time of the next transition; undefined if there is none.
 */
export function settleTasks(context: GatewayContext): number | undefined {
  return context.ledger.transact(() => {
    const now = context.clock.now();
    let next = Infinity;
    const unsettled = context.ledger.tasks.unsettled();
    for (const model of new Set(unsettled.map((task) => task.model))) {
      const tasks = unsettled.filter((task) => task.model === model);
      const latest = new Map(tasks.map((task) => [task.task_id, task]));
      const timed = tasks.map((task) => ({ ...task, isStuck: tryFindTaskFlaw(context, task) === 'stuck' }));
      for (const transition of upcomingTransitions(timed, paceOf(context, model))) {
        const task = latest.get(transition.task_id);
        if (transition.at > now) next = Math.min(next, transition.at);
        else if (task) latest.set(transition.task_id, changeStatus(context, task, transition));
      }
    }
    return next === Infinity ? undefined : next;
  });
}
