import { type Accounts, accountsIn } from './accounts.ts';
import { type Database, openDatabase } from './database.ts';
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
  /**
   * Does all of `work` or none of it, and commits it together with what other requests stage. Whoever acknowledges it
   * first waits for {@link Ledger.committed}.
   *
   * @param work looks up keys and accounts, charges them, opens and closes holds, and appends to the log
   */
  stage<T>(work: () => T): T;
  /** Resolves when all that was staged is durable; rejects if it was lost. Undefined if nothing is waiting. */
  committed(): Promise<void> | undefined;
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
    ...valuesIn(database),
    transact: (work) => database.transact(work),
    stage: (work) => database.stage(work),
    committed: () => database.committed(),
    close: () => database.close(),
  };
}

/** Values are kept after they were looked up, because every request asks for some. */
function valuesIn(database: Database): Pick<Ledger, 'storeValue' | 'tryFindValue'> {
  const kept = new Map<string, unknown>();
  const { tryLookUp } = database.keep({ write: () => undefined, forget: () => kept.clear() });
  return {
    storeValue(name, value) {
      database.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [name, JSON.stringify(value)]);
      kept.delete(name);
    },
    tryFindValue(name) {
      if (kept.has(name)) return kept.get(name);
      const row = tryLookUp('SELECT value FROM meta WHERE name = ?', [name]);
      const value: unknown = row === undefined ? undefined : JSON.parse(String(row.value));
      kept.set(name, value);
      return value;
    },
  };
}
