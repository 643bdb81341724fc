import { LOG_TYPE } from '../../wire/index.ts';
import { tableOf } from './columns.ts';
import { type Condition, ownedBy } from './condition.ts';
import type { Database } from './database.ts';
import { type Binding, rejectNul } from './statements.ts';

/** A usage log entry with every field of the contract. */
export interface StoredEntry {
  readonly id: number;
  readonly user_id: number;
  readonly created_at: number;
  readonly type: number;
  readonly content: string;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly use_time: number;
  readonly is_stream: boolean;
  readonly channel: number;
  readonly channel_name: string;
  readonly token_id: number;
  readonly group: string;
  readonly ip: string;
  readonly request_id: string;
  /** Billing metadata: JSON text. */
  readonly other: string;
}

export const ENTRY = tableOf<StoredEntry>(
  'log',
  {
    id: { kind: 'optionalNumber', sql: 'PRIMARY KEY AUTOINCREMENT' },
    user_id: { kind: 'number', sql: 'REFERENCES account (user_id)' },
    created_at: 'number',
    type: 'number',
    content: 'text',
    username: 'text',
    token_name: 'anyText',
    model_name: 'text',
    quota: 'number',
    prompt_tokens: 'number',
    completion_tokens: 'number',
    use_time: 'number',
    is_stream: 'flag',
    channel: 'number',
    channel_name: 'text',
    token_id: 'number',
    group: 'text',
    ip: 'text',
    request_id: 'text',
    other: 'text',
  },
  'id',
);

export interface Log {
  append(entry: Omit<StoredEntry, 'id'>): void;
  all(): readonly StoredEntry[];
  /** Deletes the entries of all accounts that are older than a time; returns their number. */
  deleteBefore(at: number): number;
  /** Newest first. */
  page(userId: number, where: readonly Condition[], span: { limit: number; offset: number }): readonly StoredEntry[];
  count(userId: number, where: readonly Condition[]): number;
  /** Sums up the quota, requests and tokens of the matching consumption entries. */
  sums(userId: number, where: readonly Condition[]): { quota: number; requests: number; tokens: number };
}

const SUMS = `SELECT coalesce(sum(quota), 0) AS quota, count(*) AS requests,
  coalesce(sum(prompt_tokens + completion_tokens), 0) AS tokens FROM log`;

export function logIn(database: Database): Log {
  const appended: (readonly Binding[])[] = [];
  const forget = (): void => {
    appended.length = 0;
  };
  const { changed } = database.keep({
    write({ run }) {
      for (const entry of appended) run(ENTRY.insert, entry);
      forget();
    },
    forget,
  });
  return {
    append(entry) {
      // Here, so that an entry that cannot be stored fails alone.
      appended.push(rejectNul(ENTRY.encode(entry)));
      changed(() => appended.pop());
    },
    all: () => database.rows(`${ENTRY.select} ORDER BY id`).map(ENTRY.decode),
    deleteBefore: (at) => database.run('DELETE FROM log WHERE created_at < ?', [at]).changes,
    page(userId, where, { limit, offset }) {
      const { sql, bindings } = ownedBy(userId, where);
      const listing = `${ENTRY.select} ${sql} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`;
      return database.rows(listing, [...bindings, limit, offset]).map(ENTRY.decode);
    },
    count(userId, where) {
      const { sql, bindings } = ownedBy(userId, where);
      return Number(database.row(`SELECT count(*) AS n FROM log ${sql}`, bindings)?.n);
    },
    sums(userId, where) {
      const consumption = { sql: 'type = ?', bindings: [LOG_TYPE.consumption] };
      const { sql, bindings } = ownedBy(userId, [...where, consumption]);
      const row = database.row(`${SUMS} ${sql}`, bindings);
      return { quota: Number(row?.quota), requests: Number(row?.requests), tokens: Number(row?.tokens) };
    },
  };
}
