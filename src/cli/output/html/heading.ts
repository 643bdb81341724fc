import type { CheckReport } from '../../../domain/index.ts';
import type { History } from '../../session/files/history.ts';
import { countMarks, MARKS, type MarkName, markOf } from '../checks/signs.ts';
import { renderCost, renderEarlyEnd, renderTime } from '../checks/summary.ts';
import { counted } from '../layout/amount.ts';
import { hintOf } from '../remedies.ts';
import { html, type Markup } from './markup.ts';

export const renderMoment = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** The result of the run in words, which a reader wants to know first. */
export function renderVerdict({ fatal, results }: Pick<CheckReport, 'fatal' | 'results'>): string {
  const of = (name: MarkName): number => results.filter((result) => markOf(result) === name).length;
  const failed = of('failed');
  if (failed > 0) return `${failed} of ${results.length} failed`;
  if (fatal) return 'the run ended early';
  if (results.length === 0) return 'nothing to check';
  const passed = of('passed') + of('flaky');
  if (passed === 0) return 'nothing was proven';
  const late = of('flaky') > 0 ? `, ${of('flaky')} only after a retry` : '';
  if (passed === results.length) return `all ${passed} passed${late}`;
  return `none failed, ${passed} of ${results.length} passed${late}`;
}

function banner(report: CheckReport): Markup | undefined {
  const early = renderEarlyEnd(report);
  if (early === undefined) return undefined;
  const { fatal, interrupted } = report;
  const advice = fatal && hintOf(fatal);
  const hint = advice === undefined ? '' : ` ${advice}`;
  return html`<p class="banner ${fatal || interrupted ? 'failed' : 'unprovable'}" role="status">${early}${hint}</p>`;
}

function figures({ results }: CheckReport): Markup {
  const items = countMarks(results).map(
    ([name, count]) =>
      html`<li class="${count > 0 ? name : 'none'}"><span class="sign" aria-hidden="true">${MARKS[name].sign}</span> <b>${count}</b> ${MARKS[name].word}</li>`,
  );
  return html`<ul class="figures" aria-label="Counts">${items}</ul>`;
}

/** The runs of the comparison, and those that could not be read. */
function pastNote({ runs, passedOver }: History): Markup {
  const strange = passedOver > 0 ? ` ${counted(passedOver, 'file')} of the history ignored.` : '';
  return html`<p class="faint">${runs.length === 0 ? 'No earlier run.' : `With ${counted(runs.length, 'earlier run')}.`}${strange}</p>`;
}

/** The top of a page: the verdict, where it was found, when, in what time and for how much. */
export function renderHeading(report: CheckReport, history: History | undefined): Markup {
  const { account, startedAt, durationMs, results } = report;
  const where = account ? `User ${account.userId} of ${account.url}` : 'The gateway was not reached';
  return html`<h1>Checks: ${renderVerdict(report)}</h1>
<p class="wrap">${where}</p>
<p class="faint">${renderMoment(startedAt)} UTC · ${renderTime(durationMs)} · ${renderCost(report)}</p>
${history === undefined ? '' : pastNote(history)}
${banner(report)}
${results.length === 0 ? '' : figures(report)}`;
}
