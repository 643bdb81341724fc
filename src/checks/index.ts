/**
 * Smoke checks: real requests that prove that a key works, and that it is rejected where it must be.
 *
 * The door `keyplane/checks` of the library. A program needs `checkKeys`; front ends that select and show checks themselves
 * use the rest.
 */

export { CHECK_MODULE_FACTS } from './catalog.ts';
export type { ModuleFacts } from './check-module.ts';
export { costLimit } from './cost/cost-limit.ts';
export { type CustomCheck, type CustomCheckContext, defineCheck, validCustomChecks } from './custom-check.ts';
export { type CheckInput, type CheckKeysRequest, checkKeys } from './run/check-keys.ts';
export { fatalReport, runChecks } from './run/run.ts';
export type { AlternateRouteOptions, CheckEvent, CheckRunOptions } from './run/run-options.ts';
export { adoptedIds, SELECTION_WORDS, type Selected, selectChecks } from './select.ts';
export { openLedger } from './tasks/account-ledger.ts';
export type { TaskLedger } from './tasks/ledger.ts';
export { validateCheck } from './validate-check.ts';
