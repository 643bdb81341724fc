/**
 * The reports of the command line for programs: the same renderers, with the options of a program for the flags. The second door of
 * this room, behind which no command is.
 */
import { type ApplyReport, type CheckReport, Fault, type Outcome, type Plan } from '../../domain/index.ts';
import type { DriftReview, Review } from '../../engine/index.ts';
import { renderApplied } from './applied/formats.ts';
import { renderChanges } from './changes/formats.ts';
import { FAILS_BY_DEFAULT, outlookLines } from './changes/outlook.ts';
import { ownerGroups } from './changes/owners.ts';
import type { ChangePage } from './changes/reported-change.ts';
import { renderCheckReport } from './checks/formats.ts';
import { PROGRAM, PROGRAM_REMEDIES } from './guidance.ts';
import { hintOf, wordedChecks } from './remedies.ts';
import type { Voice } from './report.ts';
import { isReportFormat, REPORT_FORMATS, type ReportFormat } from './report-format.ts';
import { DRIFT_WORDING, PLAN_WORDING } from './wording.ts';

export type { ReportFormat } from './report-format.ts';

function planPage({ plan, refusals, now }: Pick<Review, 'plan' | 'refusals' | 'now'>): ChangePage {
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

const IN_PROGRAMS: Voice = {
  guidance: PROGRAM,
  remedies: PROGRAM_REMEDIES,
  lookAgain: 'Look for drift to see it.',
};

const wordedOutcome = <O extends Outcome | NonNullable<ApplyReport['deliveries']>[number]>(outcome: O): O =>
  'fault' in outcome ? { ...outcome, fault: worded(outcome.fault) } : outcome;

const appliedForPrograms = ({ checks, deliveries, fatal, ...report }: ApplyReport): ApplyReport => ({
  ...report,
  outcomes: report.outcomes.map(wordedOutcome),
  ...(deliveries ? { deliveries: deliveries.map(wordedOutcome) } : {}),
  ...(checks ? { checks: wordedForPrograms(checks) } : {}),
  ...(fatal ? { fatal: worded(fatal) } : {}),
});

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const unreportable = (): Fault =>
  new Fault('usage.invalid', 'The result has no report: it is not a plan, a review, drift, or the report of a run.');

/** The results that have a report. */
export type Reportable = Plan | Review | DriftReview | ApplyReport | CheckReport;

/** @throws Fault `usage.invalid` */
export async function renderResult(result: Reportable, format: ReportFormat): Promise<string> {
  if (!isReportFormat(format)) {
    throw new Fault('usage.invalid', `There is no format ${JSON.stringify(format)}.`, {
      hint: `The formats are ${REPORT_FORMATS.join(', ')}.`,
    });
  }
  if (!isObject(result)) throw unreportable();
  if ('changes' in result) return await renderChanges(planPage({ plan: result, refusals: [], now: result.at }), format);
  if ('outlook' in result) return await renderChanges(driftPage(result), format);
  if ('refusals' in result) return await renderChanges(planPage(result), format);
  if ('results' in result) return await renderCheckReport(wordedForPrograms(result), format);
  if ('outcomes' in result && 'plan' in result)
    return await renderApplied(appliedForPrograms(result), format, IN_PROGRAMS);
  throw new Fault(
    'usage.invalid',
    'The result has no report: it is not a plan, a review, drift, or the report of a run.',
  );
}
