import type { SettingKind } from '../../domain/index.ts';
import { NEVER_EXPIRES, renderJson, SETTING_FIELDS, type SettingFields } from '../../wire/index.ts';
import type { ExactSettingFields, Int64 } from '../int64.ts';
import { type Column, tableOf } from './columns.ts';
import { type Condition, ownedBy } from './condition.ts';
import type { Database, DatabaseRow } from './database.ts';

/** A stored key, under the contract's field names. */
export interface StoredKey extends ExactSettingFields {
  readonly id: number;
  readonly user_id: number;
  /** The stored value, without `sk-`. */
  readonly key: string;
  readonly status: Int64;
  readonly used_quota: Int64;
  readonly created_time: number;
  readonly accessed_time: number;
  /** Mutable fields beyond the contract. */
  readonly extra: Readonly<Record<string, unknown>>;
}

type NewKey = Omit<StoredKey, 'id'> & { readonly id?: number };

/** The column of a setting by kind. The defaults are for keys that are older than the setting. */
const SETTING_COLUMNS: { readonly [K in SettingKind]: Column } = {
  flag: { kind: 'flag', sql: 'DEFAULT 0' },
  text: { kind: 'anyText', sql: "DEFAULT ''" },
  json: { kind: 'anyText', sql: "DEFAULT ''" },
  textSet: { kind: 'anyText', sql: "DEFAULT ''" },
  ipSet: 'nullableAnyText',
  instant: { kind: 'int64', sql: `DEFAULT ${NEVER_EXPIRES}` },
  quota: { kind: 'int64', sql: 'DEFAULT 0' },
};

const settingColumns = Object.fromEntries(
  Object.entries(SETTING_FIELDS).map(([field, kind]) => [field, SETTING_COLUMNS[kind]]),
) as { readonly [F in keyof SettingFields]: Column };

export const KEY = tableOf<StoredKey>(
  'key',
  {
    id: { kind: 'optionalNumber', sql: 'PRIMARY KEY AUTOINCREMENT' },
    user_id: { kind: 'number', sql: 'REFERENCES account (user_id)' },
    ...settingColumns,
    key: { kind: 'text', sql: 'UNIQUE' },
    status: 'int64',
    used_quota: 'int64',
    created_time: 'number',
    accessed_time: 'number',
    extra: 'exactJson',
  },
  'id',
);

interface Span {
  readonly order: 'ASC' | 'DESC';
  readonly limit: number;
  readonly offset: number;
}

/** The keys of all accounts. Methods with a user ID affect only keys that this account owns. */
export interface Keys {
  insert(key: NewKey): number;
  write(key: StoredKey): void;
  all(): readonly StoredKey[];
  tryFind(userId: number, id: number): StoredKey | undefined;
  tryFindById(id: number): StoredKey | undefined;
  tryFindBySecret(stored: string): StoredKey | undefined;
  some(userId: number, ids: readonly Int64[]): readonly StoredKey[];
  page(userId: number, where: readonly Condition[], span: Span): readonly StoredKey[];
  count(userId: number, where: readonly Condition[]): number;
  setStatus(id: number, status: number): void;
  /** Moves `units` from the remaining to the used quota, back if negative. Their sum, the grant, does not change. */
  charge(id: number, units: number, at: number): void;
  /** Deletes keys of the account. Returns how many of them existed. */
  remove(userId: number, ids: readonly Int64[]): number;
}

/**
 * The driver binds every number as a fraction, of which no exact sum could be made. Beyond 64 bits, sums are not integers,
 * and a cast leaves the nearest one.
 */
const CHARGE = `UPDATE key SET remain_quota = CAST(remain_quota - CAST(? AS INTEGER) AS INTEGER),
  used_quota = CAST(used_quota + CAST(? AS INTEGER) AS INTEGER), accessed_time = ? WHERE id = ?`;

/** Accepts any number of IDs as one binding. */
const OWNED_IDS = 'user_id = ? AND id IN (SELECT value FROM json_each(?))';

export function keysIn(database: Database): Keys {
  const decoded = (row: DatabaseRow | undefined): StoredKey | undefined => row && KEY.decode(row);
  return {
    // A missing ID is stored as NULL, for which SQLite generates the next one.
    insert: (key) => database.run(KEY.insert, KEY.encode(key)).id,
    write: (key) => void database.run(KEY.update, [...KEY.encode(key), key.id]),
    all: () => database.rows(`${KEY.select} ORDER BY id`).map(KEY.decode),
    tryFind: (userId, id) => decoded(database.row(`${KEY.select} WHERE user_id = ? AND id = ?`, [userId, id])),
    tryFindById: (id) => decoded(database.row(`${KEY.select} WHERE id = ?`, [id])),
    tryFindBySecret: (stored) => decoded(database.row(`${KEY.select} WHERE key = ?`, [stored])),
    some: (userId, ids) =>
      database.rows(`${KEY.select} WHERE ${OWNED_IDS} ORDER BY id`, [userId, renderJson(ids)]).map(KEY.decode),
    page(userId, where, { order, limit, offset }) {
      const condition = ownedBy(userId, where);
      const sql = `${KEY.select} ${condition.sql} ORDER BY id ${order} LIMIT ? OFFSET ?`;
      return database.rows(sql, [...condition.bindings, limit, offset]).map(KEY.decode);
    },
    count(userId, where) {
      const condition = ownedBy(userId, where);
      return Number(database.row(`SELECT count(*) AS n FROM key ${condition.sql}`, condition.bindings)?.n);
    },
    setStatus: (id, status) => void database.run('UPDATE key SET status = ? WHERE id = ?', [status, id]),
    charge: (id, units, at) => void database.run(CHARGE, [units, units, at, id]),
    remove: (userId, ids) => database.run(`DELETE FROM key WHERE ${OWNED_IDS}`, [userId, renderJson(ids)]).changes,
  };
}
