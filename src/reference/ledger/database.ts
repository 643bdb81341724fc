import { closeSync, openSync } from 'node:fs';
import type Libsql from 'libsql';
import { Fault } from '../../domain/index.ts';
import { loadDriver } from './driver.ts';
import { lockLedger } from './lock.ts';

export type DatabaseRow = Readonly<Record<string, unknown>>;
export type Binding = number | string | null | Uint8Array;

/** Synchronous SQLite: a statement has completed when its method returns. */
export interface Database {
  rows(sql: string, bindings?: readonly Binding[]): readonly DatabaseRow[];
  row(sql: string, bindings?: readonly Binding[]): DatabaseRow | undefined;
  run(sql: string, bindings?: readonly Binding[]): { changes: number; id: number };
  /** Executes a statement that returns and binds nothing. */
  exec(sql: string): void;
  /** Commits all of `work` or none of it. The result is durable when this returns. Cannot be nested. */
  transact<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens the ledger's file, or a ledger in memory, and creates the tables in an empty one.
 *
 * A file uses a write-ahead log and is synced at every commit, so acknowledged writes survive SIGKILL and power loss.
 *
 * @throws Fault `file.unwritable` if the file cannot be opened, is not a ledger, or has another version; `file.locked`
 *   if another gateway uses it.
 */
export function openDatabase(file: string | undefined, prepare: (database: Database) => void): Database {
  const Driver = loadDriver();
  let unlock = (): void => undefined;
  try {
    // The file holds secrets, so only its owner may read it. SQLite gives its companions (-wal, -shm) the same mode.
    if (file !== undefined) closeSync(openSync(file, 'a', 0o600));
    if (file !== undefined) unlock = lockLedger(file);
    const connection = new Driver(file ?? ':memory:');
    // Another program may read the file.
    connection.exec('PRAGMA busy_timeout = 5000');
    connection.exec('PRAGMA foreign_keys = ON');
    if (file !== undefined) {
      connection.pragma('journal_mode = WAL');
      connection.exec('PRAGMA synchronous = FULL');
    }
    const database = wrapConnection(connection);
    prepare(database);
    return {
      ...database,
      close() {
        database.close();
        unlock();
      },
    };
  } catch (cause) {
    unlock();
    if (cause instanceof Fault) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Fault('file.unwritable', `The ledger ${file ?? 'in memory'} cannot be opened: ${reason}.`, { cause });
  }
}

/** The driver silently cuts a text off at a NUL, and would report that it stored all of it. */
function rejectNul(bindings: readonly Binding[]): Binding[] {
  if (bindings.some((value) => typeof value === 'string' && value.includes('\0')))
    throw new RangeError('a text with a NUL cannot be stored');
  return [...bindings];
}

function wrapConnection(connection: InstanceType<typeof Libsql>): Database {
  const prepared = new Map<string, Libsql.Statement>();
  const statement = (sql: string): Libsql.Statement => {
    let known = prepared.get(sql);
    if (!known) {
      known = connection.prepare(sql);
      prepared.set(sql, known);
    }
    return known;
  };
  // Always `all`: `get` would leave the statement open, and an open read delays the checkpoint.
  const rows = (sql: string, bindings: readonly Binding[] = []): readonly DatabaseRow[] =>
    statement(sql).all(rejectNul(bindings)) as DatabaseRow[];
  return {
    rows,
    row: (sql, bindings) => rows(sql, bindings)[0],
    run(sql, bindings = []) {
      const { changes, lastInsertRowid } = statement(sql).run(rejectNul(bindings));
      return { changes, id: Number(lastInsertRowid) };
    },
    exec: (sql) => void connection.exec(sql),
    transact(work) {
      connection.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        connection.exec('COMMIT');
        return result;
      } catch (thrown) {
        if (connection.inTransaction) connection.exec('ROLLBACK');
        throw thrown;
      }
    },
    close() {
      // After an orderly shutdown the file alone is the whole ledger, without its companions.
      connection.pragma('wal_checkpoint(TRUNCATE)');
      connection.close();
    },
  };
}
