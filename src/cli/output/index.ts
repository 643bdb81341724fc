/**
 * The reports of the command line for programs: the same renderers, with the options of a program for the flags. The second door of
 * this room, behind which no command is.
 */
import { type CheckReport, Fault } from '../../domain/index.ts';
import type { DriftReview, Review } from '../../engine/index.ts';
import { renderChanges } from './changes/formats.ts';
import { FAILS_BY_DEFAULT, outlookLines } from './changes/outlook.ts';
import { ownerGroups } from './changes/owners.ts';
import type { ChangePage } from './changes/reported-change.ts';
import { renderCheckReport } from './checks/formats.ts';
import { PROGRAM, PROGRAM_REMEDIES } from './guidance.ts';
import { hintOf, wordedChecks } from './remedies.ts';
import { isReportFormat, REPORT_FORMATS, type ReportFormat } from './report-format.ts';
import { DRIFT_WORDING, PLAN_WORDING } from './wording.ts';

export type { ReportFormat } from './report-format.ts';

function planPage({ plan, refusals, now }: Review): ChangePage {
  return { plan, refusals, now, wording: { ...PLAN_WORDING, guidance: PROGRAM } };
}

function driftPage({ outlook, refusals, now }: DriftReview): ChangePage {
  const lines = outlookLines(outlook, now, PROGRAM);
  return {
    plan: outlook.drift,
    refusals,
    now,
    wording: { ...DRIFT_WORDING, guidance: PROGRAM },
    outlook: lines,
    failOn: new Set(FAILS_BY_DEFAULT),
    owners: ownerGroups({ plan: outlook.drift, outlook: lines, owners: [] }),
  };
}

/** A fault with its hint in words of programs alone. */
function worded(fault: Fault): Fault {
  const { code, message, detail } = fault;
  const hint = hintOf(fault, PROGRAM_REMEDIES);
  return new Fault(code, message, { detail, cause: fault, ...(hint === undefined ? {} : { hint }) });
}

const wordedForPrograms = ({ fatal, ...report }: CheckReport): CheckReport => ({
  ...wordedChecks(report, PROGRAM_REMEDIES),
  ...(fatal ? { fatal: worded(fatal) } : {}),
});

/** @throws Fault `usage.invalid` */
export async function renderResult(result: Review | DriftReview | CheckReport, format: ReportFormat): Promise<string> {
  if (!isReportFormat(format)) {
    throw new Fault('usage.invalid', `There is no format ${JSON.stringify(format)}.`, {
      hint: `The formats are ${REPORT_FORMATS.join(', ')}.`,
    });
  }
  if ('outlook' in result) return await renderChanges(driftPage(result), format);
  if ('refusals' in result) return await renderChanges(planPage(result), format);
  if ('results' in result) return await renderCheckReport(wordedForPrograms(result), format);
  throw new Fault('usage.invalid', 'The result is not a review, drift or a report of checks.');
}
