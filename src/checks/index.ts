/**
 * Smoke checks: real requests that prove that a key works, and that it is rejected where it must be.
 */

export { canDecodeMedia } from './media/decoded-image.ts';
export { fatalReport, runChecks } from './run/run.ts';
export type { AlternateRouteOptions, CheckEvent, CheckRunOptions } from './run/run-options.ts';
export { adoptedIds, SELECTION_WORDS, type Selected, selectChecks } from './select.ts';
export type { TaskLedger } from './tasks/ledger.ts';
export { openTaskFile } from './tasks/task-file.ts';
export { validateCheck } from './validate-check.ts';
