import { type ApplyReport, declaredName, type Outcome } from '../../../domain/index.ts';
import { PLAIN } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';
import { changeSubject, changeTitle } from '../plan.ts';
import { hintOf } from '../remedies.ts';
import { renderRemarks, type Voice } from '../report.ts';
import { OUTCOME_WORDS, PLAN_WORDING } from '../wording.ts';

/** The outcome of a change as every format shows it. */
export interface ReportedOutcome {
  readonly name: string;
  readonly subject: string;
  readonly title: string;
  readonly verb: string;
  readonly word: string;
  /** `unknown`: whether it was made. */
  readonly ending: 'done' | 'failed' | 'unknown' | 'skipped';
  readonly lines: readonly string[];
}

const ENDINGS: Readonly<Record<Outcome['state'], ReportedOutcome['ending']>> = {
  applied: 'done',
  failed: 'failed',
  'left-enabled': 'failed',
  indeterminate: 'unknown',
  skipped: 'skipped',
};

function linesOf(outcome: Outcome): readonly string[] {
  if (outcome.state === 'applied') return outcome.remark === undefined ? [] : [outcome.remark];
  if (outcome.state === 'skipped') return [outcome.reason];
  const hint = hintOf(outcome.fault);
  return [`${outcome.fault.code}: ${outcome.fault.message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])];
}

export const reportedOutcomes = ({ outcomes }: ApplyReport): readonly ReportedOutcome[] =>
  outcomes.map((outcome) => ({
    name: printable(declaredName(outcome.change)),
    subject: changeSubject(outcome.change, PLAN_WORDING),
    title: changeTitle(outcome.change).replace(/ +/g, ' '),
    verb: PLAN_WORDING.verbs[outcome.change.verb],
    word: OUTCOME_WORDS[outcome.state],
    ending: ENDINGS[outcome.state],
    lines: linesOf(outcome),
  }));

/** The remarks on changes that were made, for formats in which a success has no text. */
export const doneRemarks = (report: ApplyReport): readonly string[] =>
  reportedOutcomes(report).flatMap(({ ending, title, lines }) =>
    ending === 'done' ? lines.map((line) => `${title}: ${line}`) : [],
  );

/** Everything else about a run, in blocks of lines that are not wrapped. */
export const reportedRemarks = (report: ApplyReport, voice: Voice): readonly (readonly string[])[] =>
  renderRemarks(report, { paint: PLAIN, width: Number.MAX_SAFE_INTEGER }, voice).map((block) => block.split('\n'));
