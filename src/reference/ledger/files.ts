import { tableOf } from './columns.ts';
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

export const FILE = tableOf<StoredFile>(
  'file',
  {
    id: { kind: 'text', sql: 'PRIMARY KEY' },
    created_at: 'number',
    expires_at: 'number',
    media_type: 'text',
    bytes: 'blob',
  },
  'id',
);

export interface Files {
  insert(file: StoredFile): void;
  /** Returns undefined if there is no such file or it has expired. */
  tryFind(id: string, now: number): StoredFile | undefined;
  /** Deletes expired files. */
  purge(now: number): void;
}

export function filesIn(database: Database): Files {
  return {
    insert: (file) => void database.run(FILE.insert, FILE.encode(file)),
    tryFind(id, now) {
      if (id.includes('\0')) return undefined;
      const row = database.row(`${FILE.select} WHERE id = ? AND expires_at > ?`, [id, now]);
      return row && FILE.decode(row);
    },
    purge: (now) => void database.run('DELETE FROM file WHERE expires_at <= ?', [now]),
  };
}
