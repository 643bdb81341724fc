/**
 * Smoke checks: proof that a key works, and that what is forbidden to it is refused, by real requests.
 */

export { canDecodeMedia } from './media/readiness.ts';
export { fatalReport, runChecks } from './run/run.ts';
export type { AlternateRouteOptions, CheckEvent, CheckRunOptions } from './run/run-options.ts';
export { SELECTION_WORDS, type Selected, selectChecks } from './select.ts';
export type { Tasks } from './tasks/ledger.ts';
export { openTaskFile } from './tasks/task-file.ts';
export { judgeCheck } from './validate-check.ts';
