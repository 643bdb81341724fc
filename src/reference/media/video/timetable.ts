import type { TaskPace } from '../../catalog.ts';
import type { StoredTask, TaskStatus } from '../../ledger/tasks.ts';

/** The fields of a task that determine its timetable. */
export type TimedTask = Pick<
  StoredTask,
  'task_id' | 'created_at' | 'priority' | 'expires_at' | 'started_at' | 'status' | 'error'
> & {
  /** A stuck task starts and never ends. */
  readonly isStuck?: boolean;
};

/** A change of a task's status, at a moment of the gateway's clock. */
export interface TaskTransition {
  readonly task_id: string;
  readonly at: number;
  readonly status: TaskStatus;
}

/** The pace of one model's tasks. */
export interface ModelPace extends TaskPace {
  /** The time at which a slot last became free. */
  readonly since: number;
  /** Does the model fail every task? */
  readonly fails: boolean;
}

const readyAt = ({ created_at }: TimedTask, { queueSeconds }: ModelPace): number => created_at + queueSeconds;

const expiryOf = ({ expires_at }: TimedTask): number => expires_at ?? Infinity;

/** The time at which a task that starts then ends or expires. */
const endOf = (task: TimedTask, start: number, { runSeconds }: ModelPace): number =>
  Math.min(task.isStuck ? Infinity : start + runSeconds, expiryOf(task));

/** The task with the highest priority, the first in the list among equals. */
function firstOf(waiting: readonly TimedTask[], at: number, pace: ModelPace): TimedTask | undefined {
  return waiting
    .filter((task) => readyAt(task, pace) <= at)
    .reduce<TimedTask | undefined>(
      (best, task) => (best === undefined || task.priority > best.priority ? task : best),
      undefined,
    );
}

/** The start times of tasks that share a number of slots. A running task is not interrupted. */
function startsInSlots(tasks: readonly TimedTask[], pace: ModelPace, slots: number): ReadonlyMap<TimedTask, number> {
  const starts = new Map<TimedTask, number>();
  const running = tasks.filter(({ started_at }) => started_at !== undefined);
  const free = running.map((task) => endOf(task, task.started_at ?? 0, pace));
  while (free.length < slots) free.push(pace.since);
  let waiting = tasks.filter(({ started_at }) => started_at === undefined);
  while (waiting.length > 0) {
    free.sort((a, b) => a - b);
    // After the seed has reduced the slots, more tasks may run than there are slots: the ends of those free none.
    const slot = free[Math.max(0, free.length - slots)] ?? pace.since;
    const at = Math.max(slot, Math.min(...waiting.map((task) => readyAt(task, pace))));
    const alive = waiting.filter((task) => expiryOf(task) > at);
    if (alive.length < waiting.length) {
      waiting = alive;
      continue;
    }
    const next = firstOf(waiting, at, pace);
    if (next === undefined) break;
    starts.set(next, at);
    free[free.indexOf(slot)] = endOf(next, at, pace);
    waiting = waiting.filter((task) => task !== next);
  }
  return starts;
}

function startsOf(tasks: readonly TimedTask[], pace: ModelPace): ReadonlyMap<TimedTask, number> {
  if (pace.slots !== undefined) return startsInSlots(tasks, pace, pace.slots);
  return new Map(tasks.map((task) => [task, readyAt(task, pace)]));
}

/** The remaining transitions of one task. */
function transitionsOf(task: TimedTask, start: number | undefined, pace: ModelPace): readonly TaskTransition[] {
  const { task_id } = task;
  const expiry = expiryOf(task);
  if (start === undefined || start >= expiry) return [{ task_id, at: expiry, status: 'expired' }];
  const begun: readonly TaskTransition[] =
    task.started_at === undefined ? [{ task_id, at: start, status: 'in_progress' }] : [];
  const end = endOf(task, start, pace);
  const fails = pace.fails || task.error !== undefined;
  // A task that ends in the second of its expiry is not late.
  const status = end < start + pace.runSeconds ? 'expired' : fails ? 'failed' : 'succeeded';
  return [...begun, { task_id, at: end, status }];
}

/**
 * All remaining transitions of a model's unsettled tasks, in chronological order: each task waits, runs, ends or expires.
 *
 * Pure. Only transitions that are due are certain: a later task with a higher priority changes the others.
 *
 * @param tasks in the order of their submission.
 */
export function upcomingTransitions(tasks: readonly TimedTask[], pace: ModelPace): readonly TaskTransition[] {
  const starts = startsOf(tasks, pace);
  return tasks
    .flatMap((task) => transitionsOf(task, task.started_at ?? starts.get(task), pace))
    .filter(({ at }) => at !== Infinity)
    .sort((a, b) => a.at - b.at);
}
