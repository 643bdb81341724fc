/**
 * Types of a manifest document, for programs that write one.
 *
 * JSON is YAML, so `keyplane` reads the `JSON.stringify` output of a {@link KeyplaneManifest}. These are only types;
 * `keyplane validate` verifies that names, budgets and renames are consistent. Write exact amounts that a JavaScript
 * number cannot represent as text: `{ usd: '0.1' }`.
 */
export type * from './gen/manifest.ts';
