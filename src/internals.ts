/**
 * Parts of Keyplane for those who build on them. Excluded from semantic versioning: any release may change or remove them. What
 * would write to an account without the guard is not among them.
 */
export * from './domain/index.ts';
export * from './gateway/index.ts';
export type { FrontEnd } from './library/index.ts';
export * from './manifest/index.ts';
export {
  comparable,
  diff,
  fingerprint,
  guard,
  type Limits,
  match,
  narrow,
  type ObserveOptions,
  observe,
  type PlanOptions,
  plan,
  planDestroy,
  resume,
} from './reconcile/index.ts';
