import { closeSync, openSync } from 'node:fs';
import type Libsql from 'libsql';
import { Fault } from '../../domain/index.ts';
import { CommitGroup, type KeptTable } from './commit-group.ts';
import { loadDriver } from './driver.ts';
import { lockLedger } from './lock.ts';
import { type Binding, type DatabaseRow, rejectNul, type Statements } from './statements.ts';

/**
 * Synchronous SQLite. Changes that tables keep in memory are part of what every statement sees: they are written before it
 * runs.
 */
export interface Database extends Statements {
  /** Commits all of `work` or none of it. The result is durable when this returns. Cannot be nested. */
  transact<T>(work: () => T): T;
  /**
   * Does all of `work` or none of it, and commits it soon, together with what others stage meanwhile. The result is
   * durable when {@link Database.committed} resolves.
   *
   * @param work changes only what tables keep in memory, and runs no statement
   */
  stage<T>(work: () => T): T;
  /** Resolves when all that was staged is durable; rejects if it was lost. Undefined if nothing is waiting. */
  committed(): Promise<void> | undefined;
  /** Registers what a table keeps in memory. */
  keep(table: KeptTable): KeptTables;
  close(): void;
}

/** For a table that keeps changes in memory. */
export interface KeptTables {
  /** Looks up a row that is not kept: nothing is written before. */
  tryLookUp(sql: string, bindings: readonly Binding[]): DatabaseRow | undefined;
  /** Reports a change in memory, with the function that undoes it. */
  changed(undo: () => void): void;
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

function statementsOf(connection: InstanceType<typeof Libsql>): Statements {
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
  };
}

function wrapConnection(connection: InstanceType<typeof Libsql>): Database {
  const statements = statementsOf(connection);
  const group = new CommitGroup(statements, () => connection.inTransaction);
  const { tryLookUp, changed } = { tryLookUp: statements.row, changed: (undo: () => void) => group.changed(undo) };
  return {
    rows: (sql, bindings) => group.before(() => statements.rows(sql, bindings)),
    row: (sql, bindings) => group.before(() => statements.row(sql, bindings)),
    run: (sql, bindings) => group.before(() => statements.run(sql, bindings)),
    exec: (sql) => group.before(() => statements.exec(sql)),
    transact: (work) => group.transact(work),
    stage: (work) => group.stage(work),
    committed: () => group.committed(),
    keep(table) {
      group.add(table);
      return { tryLookUp, changed };
    },
    close() {
      group.commit();
      // After an orderly shutdown the file alone is the whole ledger, without its companions.
      connection.pragma('wal_checkpoint(TRUNCATE)');
      connection.close();
    },
  };
}
