import type { SettingKind } from '../../domain/index.ts';
import { NEVER_EXPIRES, renderJson, SETTING_FIELDS, type SettingFields } from '../../wire/index.ts';
import { type ExactSettingFields, type Int64, nearestSum } from '../int64.ts';
import { type Column, tableOf } from './columns.ts';
import { type Condition, ownedBy } from './condition.ts';
import type { Database } from './database.ts';
import { KeptRows } from './kept-rows.ts';
import type { DatabaseRow } from './statements.ts';

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

/** Accepts any number of IDs as one binding. */
const OWNED_IDS = 'user_id = ? AND id IN (SELECT value FROM json_each(?))';

/** The keys whose secrets were looked up. More than are in use at a time are dropped. */
const MOST_SECRETS = 10_000;

/** Finds keys by what every use of them names, and keeps those that it has found. */
function keysInUse(database: Database) {
  const kept = new KeptRows<StoredKey>(database, {
    idOf: ({ id }) => id,
    decode: KEY.decode,
    update: {
      sql: 'UPDATE key SET remain_quota = ?, used_quota = ?, accessed_time = ?, status = ? WHERE id = ?',
      // As text, because the driver binds every number as a fraction.
      bindings: ({ remain_quota: remain, used_quota: used, accessed_time: at, status }) => [
        String(remain),
        String(used),
        at,
        String(status),
      ],
    },
  });
  const idBySecret = new Map<string, number>();
  return {
    drop: (id: number) => kept.drop(id),
    change(id: number, next: (key: StoredKey) => StoredKey) {
      const key = this.tryFindById(id);
      if (key) kept.change(id, next(key));
    },
    tryFindById: (id: number): StoredKey | undefined =>
      kept.tryFind(id) ?? kept.tryLoad(`${KEY.select} WHERE id = ?`, [id]),
    tryFindBySecret(stored: string): StoredKey | undefined {
      const known = kept.tryFind(idBySecret.get(stored) ?? Number.NaN);
      // The ID may be that of a key that has another secret now.
      if (known?.key === stored) return known;
      const found = kept.tryLoad(`${KEY.select} WHERE key = ?`, [stored]);
      if (idBySecret.size >= MOST_SECRETS) idBySecret.clear();
      if (found) idBySecret.set(stored, found.id);
      return found;
    },
  };
}

export function keysIn(database: Database): Keys {
  const decoded = (row: DatabaseRow | undefined): StoredKey | undefined => row && KEY.decode(row);
  const inUse = keysInUse(database);
  return {
    // A missing ID is stored as NULL, for which SQLite generates the next one.
    insert: (key) => database.run(KEY.insert, KEY.encode(key)).id,
    write(key) {
      database.run(KEY.update, [...KEY.encode(key), key.id]);
      inUse.drop(key.id);
    },
    all: () => database.rows(`${KEY.select} ORDER BY id`).map(KEY.decode),
    tryFind: (userId, id) => decoded(database.row(`${KEY.select} WHERE user_id = ? AND id = ?`, [userId, id])),
    tryFindById: inUse.tryFindById,
    tryFindBySecret: inUse.tryFindBySecret,
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
    setStatus: (id, status) => inUse.change(id, (key) => ({ ...key, status })),
    charge: (id, units, at) =>
      inUse.change(id, (key) => ({
        ...key,
        remain_quota: nearestSum(key.remain_quota, -units),
        used_quota: nearestSum(key.used_quota, units),
        accessed_time: at,
      })),
    remove(userId, ids) {
      const { changes } = database.run(`DELETE FROM key WHERE ${OWNED_IDS}`, [userId, renderJson(ids)]);
      for (const id of ids) inUse.drop(Number(id));
      return changes;
    },
  };
}
