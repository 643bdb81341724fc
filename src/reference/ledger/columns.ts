import type { Binding, Row } from './database.ts';

/** How a value stands in its column: SQLite knows no booleans and no objects. */
type Codec = 'plain' | 'flag' | 'json';

/** A table's columns, in one list, from which its statements and both translations are made. */
export type Columns<T> = { readonly [C in keyof Required<T>]: Codec };

const quoted = (name: string): string => `"${name}"`;

const DECODE: { readonly [C in Codec]: (value: unknown) => unknown } = {
  plain: (value) => value,
  flag: (value) => value === 1,
  json: (value) => (value === null ? undefined : JSON.parse(String(value))),
};

const ENCODE: { readonly [C in Codec]: (value: unknown) => Binding } = {
  plain: (value) => (value ?? null) as Binding,
  flag: (value) => (value ? 1 : 0),
  json: (value) => (value === undefined || value === null ? null : JSON.stringify(value)),
};

interface Table<T> {
  readonly select: string;
  readonly insert: string;
  /** All columns of the row that `identity` names. */
  readonly update: string;
  decode(row: Row): T;
  encode(value: T): readonly Binding[];
}

/** @param identity the column whose value an update looks for; it is bound last. */
export function tableOf<T extends object>(name: string, columns: Columns<T>, identity: keyof T & string): Table<T> {
  const names = Object.keys(columns) as (keyof T & string)[];
  const list = names.map(quoted).join(', ');
  return {
    select: `SELECT ${list} FROM ${name}`,
    insert: `INSERT INTO ${name} (${list}) VALUES (${names.map(() => '?').join(', ')})`,
    update: `UPDATE ${name} SET ${names.map((column) => `${quoted(column)} = ?`).join(', ')} WHERE ${quoted(identity)} = ?`,
    decode: (row) => Object.fromEntries(names.map((column) => [column, DECODE[columns[column]](row[column])])) as T,
    encode: (value) => names.map((column) => ENCODE[columns[column]](value[column])),
  };
}
