/**
 * Smoke checks: proof that a key works, and that what is forbidden to it is refused, by real requests.
 */
export { CATALOG, findModule } from './catalog.ts';
