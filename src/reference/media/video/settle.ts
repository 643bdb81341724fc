import { refund } from '../../billing/refund.ts';
import type { ModelFailure } from '../../catalog.ts';
import type { Site } from '../../context.ts';
import { taskFlawOf, UNNAMED_ERROR } from '../../failures/task-flaws.ts';
import type { StoredTask, TaskError, TaskStatus } from '../../ledger/tasks.ts';
import { type Pace, type Step, stepsToCome } from './timetable.ts';

const ENDS: readonly TaskStatus[] = ['succeeded', 'failed', 'expired', 'cancelled'];

export const isEnd = (status: TaskStatus): boolean => ENDS.includes(status);

/** What the log says of the money that is given back. */
const REFUND_NOTES: { readonly [S in TaskStatus]?: string } = {
  failed: 'the video task failed',
  expired: 'the video task expired',
  cancelled: 'the video task was cancelled',
};

const errorOf = ({ code, message }: ModelFailure): TaskError => ({ code, message });

/**
 * Moves a task into a state and writes it down, with all that belongs to that: the refund of what came to nothing, and
 * what its callback is to be told. Call it within a transaction.
 */
export function enter(site: Site, task: StoredTask, { at, status }: Pick<Step, 'at' | 'status'>): StoredTask {
  const fails = site.catalog.models[task.model]?.fails;
  const error = task.error ?? (fails && errorOf(fails)) ?? UNNAMED_ERROR;
  const { callback } = task;
  const moved: StoredTask = {
    ...task,
    status,
    started_at: status === 'in_progress' ? at : task.started_at,
    settled_at: isEnd(status) ? at : undefined,
    error: status === 'failed' ? error : task.error,
    callback: callback && callback.challenge !== 'failed' ? { ...callback, due: [...callback.due, status] } : callback,
  };
  site.ledger.tasks.write(moved);
  const note = REFUND_NOTES[status];
  if (note !== undefined) refund(site, task, note);
  return moved;
}

function paceOf({ catalog, ledger, clock }: Site, model: string): Pace {
  const offer = catalog.models[model];
  const pace = offer?.task ?? { queueSeconds: 0, runSeconds: 0 };
  // A clock that was set back must not keep what comes now waiting.
  const since = Math.min(ledger.tasks.lastSettled(model) ?? -Infinity, clock.now());
  return { ...pace, since, fails: offer?.fails !== undefined };
}

/**
 * Lets the gateway's clock take effect on all video tasks: every move that is due is made and written down, in the order
 * of time. What has ended stays as it is, wherever the clock is set.
 *
 * @returns when the next move will be due; undefined when none will.
 */
export function settleTasks(site: Site): number | undefined {
  return site.ledger.transact(() => {
    const now = site.clock.now();
    let next = Infinity;
    const unsettled = site.ledger.tasks.unsettled();
    for (const model of new Set(unsettled.map((task) => task.model))) {
      const tasks = unsettled.filter((task) => task.model === model);
      const latest = new Map(tasks.map((task) => [task.task_id, task]));
      const timed = tasks.map((task) => ({ ...task, isStuck: taskFlawOf(site, task) === 'stuck' }));
      for (const step of stepsToCome(timed, paceOf(site, model))) {
        const task = latest.get(step.task_id);
        if (step.at > now) next = Math.min(next, step.at);
        else if (task) latest.set(step.task_id, enter(site, task, step));
      }
    }
    return next === Infinity ? undefined : next;
  });
}
