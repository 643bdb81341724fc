import { tableOf } from './columns.ts';
import type { Database } from './database.ts';

/** Quota that a request under way has already taken. It is settled or returned at its end. */
export interface Hold {
  readonly request_id: string;
  readonly user_id: number;
  readonly key_id: number;
  readonly quota: number;
}

export const HOLD = tableOf<Hold>(
  'hold',
  { request_id: { kind: 'text', sql: 'PRIMARY KEY' }, user_id: 'number', key_id: 'number', quota: 'number' },
  'request_id',
);

export interface Holds {
  open(hold: Hold): void;
  /** Ends a hold. Returns false if the request has no hold any more. */
  close(requestId: string): boolean;
  all(): readonly Hold[];
}

export function holdsIn(database: Database): Holds {
  return {
    open: (hold) => void database.run(HOLD.insert, HOLD.encode(hold)),
    close: (requestId) => database.run('DELETE FROM hold WHERE request_id = ?', [requestId]).changes === 1,
    all: () => database.rows(HOLD.select).map(HOLD.decode),
  };
}
