/**
 * Checks of keys by program: without a manifest, with modules of Keyplane and checks of one’s own.
 */

import type { ReportFormat } from './cli/output/index.ts';
import type { CheckReport } from './domain/index.ts';

export {
  type AlternateRouteOptions,
  CHECK_MODULE_FACTS,
  type CheckEvent,
  type CheckInput,
  type CheckKeysRequest,
  type CheckRunOptions,
  type CustomCheck,
  type CustomCheckContext,
  checkKeys,
  defineCheck,
  type ModuleFacts,
  openLedger,
  runChecks,
  SELECTION_WORDS,
  type Selected,
  selectChecks,
  type TaskLedger,
  validateCheck,
} from './checks/index.ts';
export type { ReportFormat } from './cli/output/index.ts';
export type { CheckReport, CheckResult, Verdict } from './domain/index.ts';

/** Renders a report of checks as the command line does. @throws KeyplaneError `usage.invalid` for another format */
export async function renderChecks(report: CheckReport, format: ReportFormat): Promise<string> {
  const { renderResult } = await import('./cli/output/index.ts');
  return await renderResult(report, format);
}
