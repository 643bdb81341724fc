import type { Database } from './database.ts';

/** A file that the gateway hosts until it expires. */
interface StoredFile {
  readonly id: string;
  readonly created_at: number;
  /** The first moment at which it is no longer served. */
  readonly expires_at: number;
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

export interface Files {
  insert(file: StoredFile): void;
  /** Returns undefined if there is no such file or it has expired. */
  tryFind(id: string, now: number): StoredFile | undefined;
  /** Deletes expired files. */
  purge(now: number): void;
}

export function filesIn(database: Database): Files {
  return {
    insert: ({ id, created_at, expires_at, media_type, bytes }) =>
      void database.run('INSERT INTO file (id, created_at, expires_at, media_type, bytes) VALUES (?, ?, ?, ?, ?)', [
        id,
        created_at,
        expires_at,
        media_type,
        bytes,
      ]),
    tryFind(id, now) {
      if (id.includes('\0')) return undefined;
      const row = database.row('SELECT * FROM file WHERE id = ? AND expires_at > ?', [id, now]);
      return row && ({ ...row, bytes: new Uint8Array(row.bytes as Uint8Array) } as StoredFile);
    },
    purge: (now) => void database.run('DELETE FROM file WHERE expires_at <= ?', [now]),
  };
}
