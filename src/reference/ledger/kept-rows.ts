import type { Database, KeptTables } from './database.ts';
import type { Binding, DatabaseRow, Statements } from './statements.ts';

/** More rows than are in use at a time. Those without changes are dropped beyond it. */
const MOST_ROWS = 10_000;

interface RowOptions<Row> {
  readonly idOf: (row: Row) => number;
  readonly decode: (row: DatabaseRow) => Row;
  /** The columns that change in memory. */
  readonly update: { readonly sql: string; readonly bindings: (row: Row) => readonly Binding[] };
}

/**
 * Rows of one table by ID, which are kept after they were looked up, because every use of a key needs them again. A change
 * is made in memory, and written once for all changes of a commit.
 */
export class KeptRows<Row> {
  readonly #options: RowOptions<Row>;
  readonly #database: KeptTables;
  readonly #rows = new Map<number, Row>();
  readonly #changed = new Set<number>();

  constructor(database: Database, options: RowOptions<Row>) {
    this.#options = options;
    this.#database = database.keep({
      write: (statements) => this.#write(statements),
      forget: () => {
        this.#rows.clear();
        this.#changed.clear();
      },
    });
  }

  tryFind(id: number): Row | undefined {
    return this.#rows.get(id);
  }

  /** Returns the row that is kept, or looks it up. */
  tryLoad(sql: string, bindings: readonly Binding[]): Row | undefined {
    const stored = this.#database.tryLookUp(sql, bindings);
    if (stored === undefined) return undefined;
    const row = this.#options.decode(stored);
    const id = this.#options.idOf(row);
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    if (this.#rows.size >= MOST_ROWS && this.#changed.size === 0) this.#rows.clear();
    this.#rows.set(id, row);
    return row;
  }

  /** Replaces a row that is kept. */
  change(id: number, row: Row): void {
    const before = this.#rows.get(id);
    const wasChanged = this.#changed.has(id);
    this.#rows.set(id, row);
    this.#changed.add(id);
    this.#database.changed(() => {
      if (before === undefined) this.#rows.delete(id);
      else this.#rows.set(id, before);
      if (!wasChanged) this.#changed.delete(id);
    });
  }

  /** Drops a row that a statement has changed; its own changes were written before that. */
  drop(id: number): void {
    this.#rows.delete(id);
  }

  #write(statements: Statements): void {
    const { sql, bindings } = this.#options.update;
    for (const id of this.#changed) {
      const row = this.#rows.get(id);
      if (row !== undefined) statements.run(sql, [...bindings(row), id]);
    }
    this.#changed.clear();
  }
}
