import type { Binding } from './database.ts';

/** What rows must satisfy; `sql` is ours, what a caller gave is only ever bound. */
export interface Condition {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** The `WHERE` of every listing: rows of one account, and of no other. */
export const ownedBy = (userId: number, where: readonly Condition[]): Condition => ({
  sql: `WHERE user_id = ?${where.map(({ sql }) => ` AND (${sql})`).join('')}`,
  bindings: [userId, ...where.flatMap(({ bindings }) => bindings)],
});
