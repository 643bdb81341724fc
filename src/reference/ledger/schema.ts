import { Fault } from '../../domain/index.ts';
import { ACCOUNT } from './accounts.ts';
import type { Table } from './columns.ts';
import type { Database } from './database.ts';
import { FILE } from './files.ts';
import { HOLD } from './holds.ts';
import { KEY } from './keys.ts';
import { ENTRY } from './log.ts';
import { TASK_WITH_REQUEST } from './tasks.ts';

/** The file's `user_version`. Version 1 had no holds, tasks and files. */
const SCHEMA_VERSION = 2;

type TableDefinition = Pick<Table<unknown>, 'name' | 'create' | 'definitions'>;

const META: TableDefinition = {
  name: 'meta',
  create: 'CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT',
  definitions: {},
};

/** IDs of deleted keys are never used again (AUTOINCREMENT), because log entries still refer to them. */
const TABLES: readonly TableDefinition[] = [META, ACCOUNT, KEY, ENTRY, HOLD, TASK_WITH_REQUEST, FILE];

const INDEXES = [
  'key_of_account ON key (user_id, id)',
  'log_of_account ON log (user_id, created_at, id)',
  'task_unsettled ON task (settled_at, model, created_at)',
  'task_settled ON task (model, settled_at)',
  "task_undelivered ON task (task_id) WHERE json_array_length(callback, '$.due') > 0",
  'file_by_expiry ON file (expires_at)',
];

const namesIn = (database: Database, sql: string, bindings: readonly string[] = []): ReadonlySet<unknown> =>
  new Set(database.rows(sql, bindings).map(({ name }) => name));

/** Adds the columns that a table of an older ledger lacks: settings that keys have gained since. */
function addMissingColumns(database: Database, { name, definitions }: TableDefinition): void {
  const present = namesIn(database, 'SELECT name FROM pragma_table_info(?)', [name]);
  for (const [column, definition] of Object.entries(definitions))
    if (!present.has(column)) database.exec(`ALTER TABLE ${name} ADD COLUMN ${definition}`);
}

/**
 * Creates the tables of an empty ledger, and adds what an older one lacks.
 *
 * @throws Fault `file.unwritable` if the file is not a ledger, or is one of a later version.
 */
export function prepareTables(database: Database): void {
  database.transact(() => {
    const version = Number(database.row('PRAGMA user_version')?.user_version ?? 0);
    const present = namesIn(database, "SELECT name FROM sqlite_schema WHERE type = 'table'");
    if (version > SCHEMA_VERSION || (version === 0 && present.size > 0)) {
      throw new Fault('file.unwritable', `The file is not a ledger of this version (found version ${version}).`, {
        hint: 'Choose another file, or remove this one to start with an empty ledger.',
      });
    }
    for (const table of TABLES) {
      if (present.has(table.name)) addMissingColumns(database, table);
      else database.exec(table.create);
    }
    for (const index of INDEXES) database.exec(`CREATE INDEX IF NOT EXISTS ${index}`);
    if (version !== SCHEMA_VERSION) database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}
