import { type Accounts, accountsIn } from './accounts.ts';
import { openDatabase } from './database.ts';
import { type Files, filesIn } from './files.ts';
import { type Holds, holdsIn } from './holds.ts';
import { type Keys, keysIn } from './keys.ts';
import { type Log, logIn } from './log.ts';
import { type Tasks, tasksIn } from './tasks.ts';

/** Everything that the gateway remembers. What belongs together is written in one {@link Ledger.transact}. */
export interface Ledger {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly log: Log;
  readonly holds: Holds;
  readonly tasks: Tasks;
  readonly files: Files;
  /** All of `work` or nothing of it, durable when it returns. */
  transact<T>(work: () => T): T;
  /** A named JSON value: the catalog that the first seed left. */
  storeValue(name: string, value: unknown): void;
  tryFindValue(name: string): unknown;
  close(): void;
}

/** @param file the SQLite file; absent: in memory, gone with the gateway. @throws Fault `file.unwritable`. */
export function openLedger(file: string | undefined): Ledger {
  const database = openDatabase(file);
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
