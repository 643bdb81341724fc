import { parseJson, renderJson } from '../../wire/index.ts';
import { isInt64, parseInt64 } from '../int64.ts';
import type { Binding, DatabaseRow } from './statements.ts';

/** The translation of a value to its column. SQLite has no booleans, no objects and no undefined. */
interface Codec {
  /** The column's type, as in `CREATE TABLE`. */
  readonly type: string;
  /** Reads the column as something that the driver does not change; omitted: as it is. */
  readonly read?: (column: string) => string;
  decode(stored: unknown): unknown;
  encode(value: unknown): Binding;
}

const same = { decode: (stored: unknown) => stored, encode: (value: unknown) => (value ?? null) as Binding };
const optional = { decode: (stored: unknown) => stored ?? undefined, encode: same.encode };
const json = {
  decode: (stored: unknown) => (stored === null ? undefined : JSON.parse(String(stored))),
  encode: (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value)),
};

/** Rejects here what the column would reject when it is written, together with what others write then. */
function exactInteger(value: unknown): Binding {
  if (typeof value === 'number' && isInt64(value)) return value;
  throw new RangeError(`${value} cannot be stored as an integer`);
}

/** Stands for a NUL with a 0 after it, and for itself with a 1: the driver cannot store a NUL. */
const MARK = '\uffff';
const anyText = {
  decode: (stored: unknown) =>
    typeof stored === 'string' ? stored.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK) : stored,
  encode: (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`) : same.encode(value),
};

const CODECS = {
  text: { ...same, type: 'TEXT NOT NULL' },
  anyText: { ...anyText, type: 'TEXT NOT NULL' },
  nullableAnyText: { ...anyText, type: 'TEXT' },
  optionalText: { ...optional, type: 'TEXT' },
  number: { decode: same.decode, encode: exactInteger, type: 'INTEGER NOT NULL' },
  // As text, because the driver rounds an integer above 2^53.
  int64: {
    type: 'INTEGER NOT NULL',
    read: (column) => `CAST(${column} AS TEXT)`,
    decode: (stored) => parseInt64(String(stored)),
    encode: (value) => String(value),
  },
  optionalNumber: { ...optional, type: 'INTEGER' },
  flag: { type: 'INTEGER NOT NULL', decode: (stored) => stored === 1, encode: (value) => (value ? 1 : 0) },
  json: { ...json, type: 'TEXT NOT NULL' },
  exactJson: {
    type: 'TEXT NOT NULL',
    decode: (stored) => parseJson(String(stored)),
    encode: (value) => renderJson(value),
  },
  optionalJson: { ...json, type: 'TEXT' },
  blob: { type: 'BLOB NOT NULL', decode: (stored) => new Uint8Array(stored as Uint8Array), encode: same.encode },
} satisfies Record<string, Codec>;

type ColumnKind = keyof typeof CODECS;

/** A column with its constraints or its default, in SQL. */
interface DetailedColumn {
  readonly kind: ColumnKind;
  readonly sql: string;
}

export type Column = ColumnKind | DetailedColumn;

/** The columns of a table. Its definition, its statements and both translations are derived from them. */
export type Columns<T> = { readonly [C in keyof Required<T>]: Column };

export interface Table<T> {
  readonly name: string;
  /** The definition of each column, by name. */
  readonly definitions: Readonly<Record<string, string>>;
  readonly create: string;
  readonly select: string;
  readonly insert: string;
  /** Sets every column of the row that `identity` names. */
  readonly update: string;
  decode(row: DatabaseRow): T;
  encode(value: Partial<T>): readonly Binding[];
}

const quoted = (name: string): string => `"${name}"`;

interface ColumnDetails<T> extends DetailedColumn {
  readonly column: keyof T & string;
  readonly codec: Codec;
}

const readAs = (column: string, { read }: Codec): string =>
  read ? `${read(quoted(column))} AS ${quoted(column)}` : quoted(column);

/** @param identity the column that an update selects by; it is bound last. */
export function tableOf<T extends object>(name: string, columns: Columns<T>, identity: keyof T & string): Table<T> {
  const names = Object.keys(columns) as (keyof T & string)[];
  const list = names.map(quoted).join(', ');
  const details = names.map((column): ColumnDetails<T> => {
    const given = columns[column];
    const detailed: DetailedColumn = typeof given === 'string' ? { kind: given, sql: '' } : given;
    return { ...detailed, column, codec: CODECS[detailed.kind] };
  });
  const definitions = details.map(({ column, codec, sql }) => [
    column,
    `${quoted(column)} ${codec.type} ${sql}`.trimEnd(),
  ]);
  const read = details.map(({ column, codec }) => readAs(column, codec)).join(', ');
  return {
    name,
    definitions: Object.fromEntries(definitions),
    create: `CREATE TABLE ${name} (${definitions.map(([, sql]) => sql).join(', ')}) STRICT`,
    select: `SELECT ${read} FROM ${name}`,
    insert: `INSERT INTO ${name} (${list}) VALUES (${names.map(() => '?').join(', ')})`,
    update: `UPDATE ${name} SET ${names.map((column) => `${quoted(column)} = ?`).join(', ')} WHERE ${quoted(identity)} = ?`,
    decode: (row) => Object.fromEntries(details.map(({ column, codec }) => [column, codec.decode(row[column])])) as T,
    encode: (value) => details.map(({ column, codec }) => codec.encode(value[column])),
  };
}
