import { tableOf } from './columns.ts';
import type { Database, DatabaseRow } from './database.ts';

export interface StoredAccount {
  readonly user_id: number;
  readonly username: string;
  readonly access_token: string;
  /** Used by keys that name no group. */
  readonly group: string;
  /** The wallet, in quota units. */
  readonly quota: number;
  readonly used_quota: number;
  /** Disabled by an administrator, and with it all of its keys. */
  readonly banned: boolean;
  readonly request_count: number;
  /** The groups that it may use; undefined for all of the gateway's. */
  readonly groups: readonly string[] | undefined;
  /** The models that it may use; undefined for all of the gateway's. */
  readonly models: readonly string[] | undefined;
}

export const ACCOUNT = tableOf<StoredAccount>(
  'account',
  {
    user_id: { kind: 'number', sql: 'PRIMARY KEY' },
    username: 'text',
    access_token: { kind: 'text', sql: 'UNIQUE' },
    group: 'text',
    quota: 'number',
    used_quota: 'number',
    banned: { kind: 'flag', sql: 'DEFAULT 0' },
    request_count: 'number',
    groups: 'optionalJson',
    models: 'optionalJson',
  },
  'user_id',
);

export interface Accounts {
  insert(account: StoredAccount): void;
  all(): readonly StoredAccount[];
  tryFind(userId: number): StoredAccount | undefined;
  tryFindByToken(accessToken: string): StoredAccount | undefined;
  setToken(userId: number, accessToken: string): void;
  /** Moves `units` from the wallet to the used quota, back if negative, and adds to the request count. */
  charge(userId: number, units: number, requests: number): void;
}

export function accountsIn(database: Database): Accounts {
  const decoded = (row: DatabaseRow | undefined): StoredAccount | undefined => row && ACCOUNT.decode(row);
  return {
    insert: (account) => void database.run(ACCOUNT.insert, ACCOUNT.encode(account)),
    all: () => database.rows(`${ACCOUNT.select} ORDER BY user_id`).map(ACCOUNT.decode),
    tryFind: (userId) => decoded(database.row(`${ACCOUNT.select} WHERE user_id = ?`, [userId])),
    tryFindByToken: (token) => decoded(database.row(`${ACCOUNT.select} WHERE access_token = ?`, [token])),
    setToken: (userId, token) =>
      void database.run('UPDATE account SET access_token = ? WHERE user_id = ?', [token, userId]),
    charge: (userId, units, requests) =>
      void database.run(
        `UPDATE account SET quota = quota - ?, used_quota = used_quota + ?, request_count = request_count + ?
         WHERE user_id = ?`,
        [units, units, requests, userId],
      ),
  };
}
