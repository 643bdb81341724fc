import type { Binding } from './statements.ts';

/** A condition on rows. Callers' values appear in `bindings` only, never in `sql`. */
export interface Condition {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

/** Builds the `WHERE` of a listing, which always selects the rows of one account. */
export const ownedBy = (userId: number, where: readonly Condition[]): Condition => ({
  sql: `WHERE user_id = ?${where.map(({ sql }) => ` AND (${sql})`).join('')}`,
  bindings: [userId, ...where.flatMap(({ bindings }) => bindings)],
});
