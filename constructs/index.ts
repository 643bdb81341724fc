/**
 * Types of a manifest document, for programs that write one.
 *
 * JSON is YAML: what `JSON.stringify` makes of a {@link KeyplaneManifest} is a manifest that `keyplane` reads. These are
 * types only; whether names, budgets and renames agree with one another is said by `keyplane validate`. Exact amounts
 * that a JavaScript number can not hold are written as text: `{ usd: '0.1' }`.
 */
export type * from './gen/manifest.ts';
