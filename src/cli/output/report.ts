import {
  type ApplyReport,
  type Outcome,
  type OutcomeState,
  type PlanNote,
  pendingChanges,
} from '../../domain/index.ts';
import { noteText } from './changes/reported-change.ts';
import { renderChecks } from './checks/text.ts';
import { renderDeliveryOutcomes } from './deliveries.ts';
import { renderFault } from './fault.ts';
import { COMMAND_LINE, type Guidance } from './guidance.ts';
import { renderLeftDisabled } from './held.ts';
import { counted, renderFirst, renderMoney } from './layout/amount.ts';
import { hang } from './layout/columns.ts';
import { foldEqual } from './layout/fold.ts';
import type { Paint, TextStyle } from './layout/paint.ts';
import { printable, quoted } from './layout/printable.ts';
import { changeTitle } from './plan.ts';
import { hintOf, REMEDY_TEXTS, type RemedyTexts } from './remedies.ts';
import { renderSummary } from './summary.ts';
import { OUTCOME_WORDS } from './wording.ts';

/** The words of a front end for what to do next. */
export interface Voice {
  readonly guidance: Guidance;
  readonly remedies: RemedyTexts;
  /** The advice where the result could not be read back. */
  readonly lookAgain: string;
}

const AT_COMMAND_LINE: Voice = {
  guidance: COMMAND_LINE,
  remedies: REMEDY_TEXTS,
  lookAgain: 'Run `keyplane drift` to see it.',
};

const COLOURS: Readonly<Record<OutcomeState, keyof Pick<Paint, 'good' | 'bad' | 'change'>>> = {
  'left-enabled': 'bad',
  applied: 'good',
  failed: 'bad',
  indeterminate: 'bad',
  skipped: 'change',
};

/** One line for one outcome, with its reason under it when there is one. */
function renderOutcome(outcome: Outcome, { paint, width }: TextStyle): string {
  const { state, change } = outcome;
  const made = change.verb === 'create' && 'id' in outcome && outcome.id ? ` (id ${outcome.id})` : '';
  const head = `${paint[COLOURS[state]](OUTCOME_WORDS[state].padEnd(7))} ${changeTitle(change)}${made}`;
  const indent = ' '.repeat(8);
  const more: string[] = [];
  if (outcome.state === 'applied' && outcome.remark) more.push(...hang(indent, printable(outcome.remark), width));
  if (outcome.state === 'skipped') {
    const code = outcome.code === undefined ? '' : `${outcome.code}: `;
    more.push(...hang(`${indent}${code}`, printable(outcome.reason), width));
  }
  if ('fault' in outcome) {
    more.push(...hang(`${indent}${outcome.fault.code}: `, printable(outcome.fault.message), width));
    const hint = hintOf(outcome.fault);
    if (hint) more.push(...hang(`${indent}hint: `, printable(hint), width));
  }
  return [head, ...more].join('\n');
}

/** Equal reasons up to this number are shown one by one. */
const MOST_EQUAL = 10;
/** The changes that a line for many names. */
const MOST_NAMED = 5;
/** The pending changes that a report lists; JSON has all. */
const MOST_LEFT = 10;

const reasonOf = (outcome: Outcome): string | undefined =>
  outcome.state === 'skipped' ? JSON.stringify([outcome.code, outcome.reason]) : undefined;

/** Many changes that were skipped for one reason: an interrupted run may have skipped hundreds. */
function renderSkipped(group: readonly Outcome[], look: TextStyle): string {
  const [first] = group;
  if (first?.state !== 'skipped' || group.length === 1)
    return group.map((each) => renderOutcome(each, look)).join('\n');
  const titles = renderFirst(
    group.map(({ change }) => changeTitle(change)),
    MOST_NAMED,
  );
  const head = hang(
    `${look.paint.change(OUTCOME_WORDS.skipped)} `,
    `${counted(group.length, 'change')}: ${titles}`,
    look.width,
  );
  const code = first.code === undefined ? '' : `${first.code}: `;
  return [...head, ...hang(`${' '.repeat(8)}${code}`, printable(first.reason), look.width)].join('\n');
}

const renderOutcomes = (outcomes: readonly Outcome[], look: TextStyle): string =>
  foldEqual(outcomes, MOST_EQUAL, reasonOf)
    .map((group) => renderSkipped(group, look))
    .join('\n');

const STATES: readonly OutcomeState[] = ['left-enabled', 'applied', 'failed', 'indeterminate', 'skipped'];

export function countOutcomes(report: ApplyReport): Readonly<Record<OutcomeState, number>> {
  const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<OutcomeState, number>;
  for (const { state } of report.outcomes) counts[state] += 1;
  return counts;
}

const SUMMARY: Readonly<Record<OutcomeState, string>> = {
  'left-enabled': 'left enabled',
  applied: 'applied',
  failed: 'failed',
  indeterminate: 'of unknown outcome',
  skipped: 'skipped',
};

/** `Apply: 2 applied, 1 failed, interrupted.` */
export function renderCounts(report: ApplyReport): string {
  const { plan, after = plan } = report;
  const { deliveries = [] } = report;
  if (pendingChanges(plan).length + pendingChanges(after).length + deliveries.length === 0)
    return 'Apply: nothing to do.';
  const counts = countOutcomes(report);
  const parts = STATES.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${SUMMARY[state]}`);
  const undelivered = deliveries.filter(({ state }) => state !== 'delivered' && state !== 'removed').length;
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  if (delivered > 0) parts.push(`${counted(delivered, 'secret')} delivered`);
  if (undelivered > 0) parts.push(`${counted(undelivered, 'secret')} NOT delivered`);
  return `Apply: ${parts.length > 0 ? parts.join(', ') : 'nothing was sent'}${report.interrupted ? ', interrupted' : ''}.`;
}

function renderAfter(report: ApplyReport, { lookAgain }: Voice): readonly string[] {
  const left = report.after ? pendingChanges(report.after) : [];
  if (!report.after) {
    const why = report.interrupted
      ? 'The run was interrupted before it read the result back'
      : 'Keyplane could not read the result back';
    return report.outcomes.length > 0 ? [`${why}. ${lookAgain}`] : [];
  }
  if (left.length === 0) return [];
  return [
    'Still pending after the apply:',
    ...left.slice(0, MOST_LEFT).map((change) => `  ${changeTitle(change)}`),
    ...(left.length > MOST_LEFT ? [`  and ${counted(left.length - MOST_LEFT, 'more change')}`] : []),
    renderSummary(report.after),
  ];
}

function renderCorrections(report: ApplyReport, width: number): readonly string[] {
  const scale = report.plan.quotaPerUnit;
  return report.corrections.flatMap(({ name, id, units, takenBack }) => {
    const spent = `${quoted(name)} (id ${id}) spent ${renderMoney(units, scale)} while it was being updated`;
    const end = takenBack
      ? 'its budget was corrected accordingly.'
      : 'its budget could NOT be corrected: until the next apply, it may spend that much more than declared.';
    return hang('  - ', `${spent}; ${end}`, width);
  });
}

/** The ways to have the skipped changes made, each once. */
function renderWaysOut({ outcomes }: ApplyReport, { remedies: texts }: Voice, width: number): readonly string[] {
  const remedies = new Set(outcomes.flatMap((outcome) => (outcome.state === 'skipped' ? [outcome.remedy] : [])));
  return [...remedies].flatMap((remedy) => {
    const hint = hintOf({ remedy }, texts);
    return hint === undefined ? [] : hang('hint: ', hint, width);
  });
}

const textIn =
  ({ guidance }: Voice) =>
  (note: PlanNote): string =>
    noteText(note, guidance);

/** The budgets that are not as declared for sure. The counts alone would call that a success. */
function renderUnverified({ after, unverified = [] }: ApplyReport, voice: Voice, width: number): string {
  const notes = after?.notes.filter(({ code }) => code === 'budget-unverified' || code === 'log-incomplete') ?? [];
  const noted = new Set(notes.map(({ data }) => data?.name));
  const unread = unverified.filter((name) => !noted.has(name));
  const lines = [
    ...notes.map(textIn(voice)),
    ...unread.map((name) => `${name}: what it spent meanwhile could not be read`),
  ];
  return lines.length === 0
    ? ''
    : ['Budgets that could not be verified', ...lines.flatMap((line) => hang('  - ', printable(line), width))].join(
        '\n',
      );
}

/** The settings without effect that only the records of new keys show. The counts alone would call that a success. */
function renderUnsupported({ plan, after }: ApplyReport, voice: Voice, width: number): string {
  const textOf = textIn(voice);
  const known = new Set(plan.notes.map(textOf));
  const notes = after?.notes.filter(({ code }) => code === 'not-supported').map(textOf) ?? [];
  const lines = notes.filter((text) => !known.has(text)).flatMap((text) => hang('  - ', printable(text), width));
  return lines.length === 0 ? '' : ['Settings that the gateway did not keep', ...lines].join('\n');
}

/** Lists what moved harmlessly since a plan was saved. */
const renderMoved = ({ moved = [] }: ApplyReport, width: number): readonly string[] =>
  moved.flatMap(({ name, id, what }) =>
    hang('  - ', `${quoted(name)}${id === undefined ? '' : ` (id ${id})`}: ${printable(what)}`, width),
  );

/** Everything about a run but its outcomes and its counts, in blocks. */
export function renderRemarks(report: ApplyReport, look: TextStyle, voice: Voice): readonly string[] {
  const { width } = look;
  const blocks = [
    renderWaysOut(report, voice, width).join('\n'),
    renderDeliveryOutcomes(report.deliveries ?? [], look),
    report.checks ? renderChecks(report.checks, look) : '',
    report.moved?.length ? ['Since the plan was saved', ...renderMoved(report, width)].join('\n') : '',
    report.corrections.length > 0 ? ['Spending', ...renderCorrections(report, width)].join('\n') : '',
    renderUnverified(report, voice, width),
    renderUnsupported(report, voice, width),
    report.fatal ? renderFault(report.fatal, look.paint, width) : '',
    renderAfter(report, voice).join('\n'),
    renderLeftDisabled(report, look),
  ];
  return blocks.filter((block) => block !== '');
}

/**
 * The report of an apply: one line for each change that was planned and did not simply succeed, or for all of them when
 * they are few; corrections; what is left; the counts.
 */
export function renderReport(report: ApplyReport, look: TextStyle, voice: Voice = AT_COMMAND_LINE): string {
  const many = report.outcomes.length > 200;
  const shown = many ? report.outcomes.filter(({ state }) => state !== 'applied') : report.outcomes;
  const hidden = report.outcomes.length - shown.length;
  const blocks = [
    renderOutcomes(shown, look),
    hidden > 0 ? `${counted(hidden, 'change')} applied (not listed).` : '',
    ...renderRemarks(report, look, voice),
    look.paint.strong(renderCounts(report)),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}
