import type { Statements } from './statements.ts';

/** The rows that a table has looked up, and its changes that wait for the next commit. */
export interface KeptTable {
  /** Writes the changes to the database. */
  write(statements: Statements): void;
  /** Drops the rows and the changes: the database has something else now. */
  forget(): void;
}

/** The changes that are committed together, and those who wait for it. */
interface PendingCommit {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(cause: unknown): void;
  readonly timer: NodeJS.Immediate;
}

/**
 * Lets requests that are served at the same time share a commit, because each costs a sync of the disk. What they stage
 * waits in memory, at most until the event loop has served all that has arrived, and is then written in one transaction.
 */
export class CommitGroup {
  readonly #statements: Statements;
  readonly #inTransaction: () => boolean;
  readonly #tables: KeptTable[] = [];
  /** Undo the work that is being staged, the last change last. */
  #undo: (() => void)[] | undefined;
  #group: PendingCommit | undefined;
  #isTransacting = false;

  constructor(statements: Statements, inTransaction: () => boolean) {
    this.#statements = statements;
    this.#inTransaction = inTransaction;
  }

  add(table: KeptTable): void {
    this.#tables.push(table);
  }

  /** Runs a statement on all that was changed so far. */
  before<T>(run: () => T): T {
    if (this.#undo) throw new Error('A staged change cannot run a statement');
    if (this.#isTransacting) this.#write();
    else this.commit();
    return run();
  }

  changed(undo: () => void): void {
    this.#undo?.push(undo);
    if (!this.#isTransacting) this.#group ??= this.#open();
  }

  stage<T>(work: () => T): T {
    if (this.#undo || this.#isTransacting) throw new Error('A staged change cannot be part of another transaction');
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      return work();
    } catch (thrown) {
      for (const each of undo.reverse()) each();
      throw thrown;
    } finally {
      this.#undo = undefined;
    }
  }

  committed(): Promise<void> | undefined {
    return this.#group?.promise;
  }

  /** Commits what was staged by now. A failure is reported to those who wait for it, and to nobody else. */
  commit(): void {
    const group = this.#group;
    if (!group) return;
    this.#group = undefined;
    clearImmediate(group.timer);
    try {
      this.#commitAll(() => undefined);
      group.resolve();
    } catch (cause) {
      group.reject(cause);
    }
  }

  transact<T>(work: () => T): T {
    if (this.#undo) throw new Error('A staged change cannot contain another transaction');
    // What others have staged is not undone together with this.
    this.commit();
    return this.#commitAll(work);
  }

  #commitAll<T>(work: () => T): T {
    this.#isTransacting = true;
    try {
      this.#statements.exec('BEGIN IMMEDIATE');
      const result = work();
      this.#write();
      this.#statements.exec('COMMIT');
      return result;
    } catch (thrown) {
      if (this.#inTransaction()) this.#statements.exec('ROLLBACK');
      for (const table of this.#tables) table.forget();
      throw thrown;
    } finally {
      this.#isTransacting = false;
    }
  }

  #write(): void {
    for (const table of this.#tables) table.write(this.#statements);
  }

  #open(): PendingCommit {
    let settle: Pick<PendingCommit, 'resolve' | 'reject'> | undefined;
    const promise = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // Whether anyone waits is for them to decide.
    promise.catch(() => undefined);
    const timer = setImmediate(() => this.commit());
    return { promise, timer, resolve: () => settle?.resolve(), reject: (cause) => settle?.reject(cause) };
  }
}
