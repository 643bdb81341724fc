import type { FamilyId } from '../../wire/index.ts';
import { type Columns, tableOf } from './columns.ts';
import type { Database } from './database.ts';
import type { DatabaseRow } from './statements.ts';

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
  task_id: { kind: 'text', sql: 'PRIMARY KEY' },
  user_id: { kind: 'number', sql: 'REFERENCES account (user_id)' },
  key_id: 'number',
  request_id: 'text',
  model: 'text',
  family: 'text',
  created_at: 'number',
  priority: 'number',
  expires_at: 'optionalNumber',
  started_at: 'optionalNumber',
  settled_at: 'optionalNumber',
  status: 'text',
  error: 'optionalJson',
  url: 'optionalText',
  callback: 'optionalJson',
};

const TASK = tableOf<StoredTask>('task', COLUMNS, 'task_id');
/** The request is last: it may be large, and SQLite would read through it to reach later columns. */
export const TASK_WITH_REQUEST = tableOf<StoredTask & { request: unknown }>(
  'task',
  { ...COLUMNS, request: 'json' },
  'task_id',
);

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

/** Older ledgers list the delivered statuses under another name. */
function decoded(row: DatabaseRow): StoredTask {
  const task = TASK.decode(row);
  const { callback } = task;
  return { ...task, callback: callback && { ...callback, delivered: callback.delivered ?? [] } };
}

export function tasksIn(database: Database): Tasks {
  const listed = (where: string): readonly StoredTask[] =>
    database.rows(`${TASK.select} ${where} ORDER BY rowid`).map(decoded);
  return {
    insert: (task, request) =>
      void database.run(TASK_WITH_REQUEST.insert, TASK_WITH_REQUEST.encode({ ...task, request })),
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
