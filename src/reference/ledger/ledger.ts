import { type Accounts, accountsIn } from './accounts.ts';
import { openDatabase } from './database.ts';
import { type Files, filesIn } from './files.ts';
import { type Holds, holdsIn } from './holds.ts';
import { type Keys, keysIn } from './keys.ts';
import { type Log, logIn } from './log.ts';
import { prepareTables } from './schema.ts';
import { type Tasks, tasksIn } from './tasks.ts';

/** The durable state of a gateway. Write what belongs together in one {@link Ledger.transact}. */
export interface Ledger {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly log: Log;
  readonly holds: Holds;
  readonly tasks: Tasks;
  readonly files: Files;
  /** Commits all of `work` or none of it, durably. */
  transact<T>(work: () => T): T;
  /** Stores a JSON value under a name: the catalog of the first seed. */
  storeValue(name: string, value: unknown): void;
  tryFindValue(name: string): unknown;
  close(): void;
}

/** @param file the SQLite file; undefined for a ledger in memory. @throws Fault `file.unwritable`. */
export function openLedger(file: string | undefined): Ledger {
  const database = openDatabase(file, prepareTables);
  return {
    accounts: accountsIn(database),
    keys: keysIn(database),
    log: logIn(database),
    holds: holdsIn(database),
    tasks: tasksIn(database),
    files: filesIn(database),
    transact: (work) => database.transact(work),
    storeValue: (name, value) =>
      void database.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [name, JSON.stringify(value)]),
    tryFindValue(name) {
      const row = database.row('SELECT value FROM meta WHERE name = ?', [name]);
      return row === undefined ? undefined : JSON.parse(String(row.value));
    },
    close: () => database.close(),
  };
}
