import { tableOf } from './columns.ts';
import type { Database } from './database.ts';
import type { Statements } from './statements.ts';

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

/** A hold of a request that ends before the next commit is never written. */
export function holdsIn(database: Database): Holds {
  const opened = new Map<string, Hold>();
  const closed = new Set<string>();
  const { tryLookUp, changed } = database.keep({
    write({ run }: Statements) {
      for (const requestId of closed) run('DELETE FROM hold WHERE request_id = ?', [requestId]);
      for (const hold of opened.values()) run(HOLD.insert, HOLD.encode(hold));
      closed.clear();
      opened.clear();
    },
    forget() {
      closed.clear();
      opened.clear();
    },
  });
  const isStored = (requestId: string): boolean =>
    !closed.has(requestId) && tryLookUp('SELECT 1 FROM hold WHERE request_id = ?', [requestId]) !== undefined;
  return {
    open(hold) {
      const { request_id: requestId } = hold;
      if (opened.has(requestId)) throw new Error(`${requestId} has a hold already`);
      opened.set(requestId, hold);
      changed(() => opened.delete(requestId));
    },
    close(requestId) {
      const hold = opened.get(requestId);
      if (hold) {
        opened.delete(requestId);
        changed(() => opened.set(requestId, hold));
        return true;
      }
      if (!isStored(requestId)) return false;
      closed.add(requestId);
      changed(() => closed.delete(requestId));
      return true;
    },
    all: () => database.rows(HOLD.select).map(HOLD.decode),
  };
}
