import type { Database } from './database.ts';

/** Quota that a request under way has already taken. It is settled or returned at its end. */
export interface Hold {
  readonly request_id: string;
  readonly user_id: number;
  readonly key_id: number;
  readonly quota: number;
}

export interface Holds {
  open(hold: Hold): void;
  /** Ends a hold. Returns false if the request has no hold any more. */
  close(requestId: string): boolean;
  all(): readonly Hold[];
}

export function holdsIn(database: Database): Holds {
  return {
    open: ({ request_id, user_id, key_id, quota }) =>
      void database.run('INSERT INTO hold (request_id, user_id, key_id, quota) VALUES (?, ?, ?, ?)', [
        request_id,
        user_id,
        key_id,
        quota,
      ]),
    close: (requestId) => database.run('DELETE FROM hold WHERE request_id = ?', [requestId]).changes === 1,
    all: () => database.rows('SELECT request_id, user_id, key_id, quota FROM hold') as unknown as readonly Hold[],
  };
}
