import { isInt64 } from '../int64.ts';
import { tableOf } from './columns.ts';
import type { Database } from './database.ts';
import { KeptRows } from './kept-rows.ts';
import type { DatabaseRow } from './statements.ts';

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

/** The sums are made as SQLite would make them: of fractions, which its column takes as far as they are integers of 64 bits. */
function sum(one: number, other: number): number {
  const result = one + other;
  if (isInt64(result)) return result;
  throw new RangeError(`a wallet cannot hold ${result}`);
}

export function accountsIn(database: Database): Accounts {
  const kept = new KeptRows<StoredAccount>(database, {
    idOf: ({ user_id: id }) => id,
    decode: ACCOUNT.decode,
    update: {
      sql: 'UPDATE account SET quota = ?, used_quota = ?, request_count = ? WHERE user_id = ?',
      bindings: ({ quota, used_quota: used, request_count: count }) => [quota, used, count],
    },
  });
  const tryFind = (userId: number): StoredAccount | undefined =>
    kept.tryFind(userId) ?? kept.tryLoad(`${ACCOUNT.select} WHERE user_id = ?`, [userId]);
  const decoded = (row: DatabaseRow | undefined): StoredAccount | undefined => row && ACCOUNT.decode(row);
  return {
    insert: (account) => void database.run(ACCOUNT.insert, ACCOUNT.encode(account)),
    all: () => database.rows(`${ACCOUNT.select} ORDER BY user_id`).map(ACCOUNT.decode),
    tryFind,
    tryFindByToken: (token) => decoded(database.row(`${ACCOUNT.select} WHERE access_token = ?`, [token])),
    setToken(userId, token) {
      database.run('UPDATE account SET access_token = ? WHERE user_id = ?', [token, userId]);
      kept.drop(userId);
    },
    charge(userId, units, requests) {
      const account = tryFind(userId);
      if (account === undefined) return;
      kept.change(userId, {
        ...account,
        quota: sum(account.quota, -units),
        used_quota: sum(account.used_quota, units),
        request_count: account.request_count + requests,
      });
    },
  };
}
