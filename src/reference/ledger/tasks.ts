import type { FamilyId } from '../../wire/index.ts';
import { type Columns, tableOf } from './columns.ts';
import type { Database, Row } from './database.ts';

export type TaskStatus = 'queued' | 'in_progress' | 'succeeded' | 'failed' | 'expired' | 'cancelled';

export interface TaskError {
  readonly code: number;
  readonly message: string;
}

/** A notification that was not delivered, and the reason. */
export interface CallbackFailure {
  readonly status: string;
  readonly at: number;
  readonly problem: string;
}

/** The receiver of a task's notifications, and their progress. */
export interface TaskCallback {
  readonly url: string;
  /** The origin at which the client reached this gateway, for links to results. */
  readonly origin: string;
  /** Must the receiver return a challenge first? It gets no notifications until it has. */
  readonly challenge?: 'due' | 'passed' | 'failed';
  /** The statuses that are still to be sent, in their order. */
  readonly due: readonly TaskStatus[];
  readonly delivered: readonly TaskStatus[];
  readonly failures: readonly CallbackFailure[];
}

/** A video task without its request, which may be large. */
export interface StoredTask {
  readonly task_id: string;
  readonly user_id: number;
  readonly key_id: number;
  /** The ID of the request that paid for it. */
  readonly request_id: string;
  readonly model: string;
  readonly family: FamilyId;
  readonly created_at: number;
  readonly priority: number;
  /** The time at which it ends as `expired`; undefined if it never does. */
  readonly expires_at: number | undefined;
  readonly started_at: number | undefined;
  /** Undefined for an unsettled task. */
  readonly settled_at: number | undefined;
  readonly status: TaskStatus;
  /** The error that it fails with, now or at the end of its run. */
  readonly error: TaskError | undefined;
  /** Replaces the URL of its own result. */
  readonly url: string | undefined;
  readonly callback: TaskCallback | undefined;
}

const COLUMNS: Columns<StoredTask> = {
  task_id: 'plain',
  user_id: 'plain',
  key_id: 'plain',
  request_id: 'plain',
  model: 'plain',
  family: 'plain',
  created_at: 'plain',
  priority: 'plain',
  expires_at: 'plain',
  started_at: 'plain',
  settled_at: 'plain',
  status: 'plain',
  error: 'json',
  url: 'plain',
  callback: 'json',
};

const TASK = tableOf<StoredTask>('task', COLUMNS, 'task_id');
const WHOLE = tableOf<StoredTask & { request: unknown }>('task', { ...COLUMNS, request: 'json' }, 'task_id');

export interface Tasks {
  insert(task: StoredTask, request: unknown): void;
  write(task: StoredTask): void;
  tryFind(id: string): StoredTask | undefined;
  /** The body of the request that made it. */
  requestOf(id: string): unknown;
  /** In the order of their submission. */
  all(): readonly StoredTask[];
  unsettled(): readonly StoredTask[];
  /** Returns the time at which a task of this model was last settled. */
  lastSettled(model: string): number | undefined;
  /** The tasks with notifications to send. */
  undelivered(): readonly StoredTask[];
}

/** SQLite has no undefined. */
const decoded = (row: Row): StoredTask => {
  const { callback, ...rest } = TASK.decode(row);
  // Older ledgers list delivered statuses under another name.
  const task = { ...rest, callback: callback && { ...callback, delivered: callback.delivered ?? [] } };
  return Object.fromEntries(Object.entries(task).map(([name, value]) => [name, value ?? undefined])) as never;
};

export function tasksIn(database: Database): Tasks {
  const listed = (where: string): readonly StoredTask[] =>
    database.rows(`${TASK.select} ${where} ORDER BY rowid`).map(decoded);
  return {
    insert: (task, request) => void database.run(WHOLE.insert, WHOLE.encode({ ...task, request })),
    write: (task) => void database.run(TASK.update, [...TASK.encode(task), task.task_id]),
    tryFind(id) {
      const row = id.includes('\0') ? undefined : database.row(`${TASK.select} WHERE task_id = ?`, [id]);
      return row && decoded(row);
    },
    requestOf(id) {
      const row = database.row('SELECT request FROM task WHERE task_id = ?', [id]);
      return row && JSON.parse(String(row.request));
    },
    all: () => listed(''),
    unsettled: () => listed('WHERE settled_at IS NULL'),
    lastSettled(model) {
      const row = database.row('SELECT max(settled_at) AS at FROM task WHERE model = ?', [model]);
      return (row?.at as number | null) ?? undefined;
    },
    undelivered: () => listed("WHERE json_array_length(callback, '$.due') > 0"),
  };
}
