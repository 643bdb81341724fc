import type { CheckReport, CheckResult } from '../../../domain/index.ts';
import { axesOf } from '../checks/matrix.ts';
import { MARKS, markOf } from '../checks/signs.ts';
import { renderTime } from '../checks/summary.ts';
import { html, type Markup } from './markup.ts';
import { renderSheet } from './sheet.ts';

/** The anchor of the details of a result: a number, because names may hold anything. */
export type Anchors = ReadonlyMap<CheckResult, string>;

export const anchorsOf = ({ results }: Pick<CheckReport, 'results'>): Anchors =>
  new Map(results.map((result, index) => [result, `result-${index + 1}`]));

function cell(result: CheckResult | undefined, anchors: Anchors): Markup {
  if (result === undefined) return html`<td><span class="unseen">not requested</span></td>`;
  const look = markOf(result);
  const { sign, word } = MARKS[look];
  const time = result.durationMs === undefined ? '' : html` <small>${renderTime(result.durationMs)}</small>`;
  return html`<td class="${look}"><a class="${look}" href="#${anchors.get(result)}"><span class="sign" aria-hidden="true">${sign}</span><span class="word">${word}</span>${time}<span class="unseen">: ${result.check} of ${result.key}</span></a></td>`;
}

/** With more columns than this, a cell has a sign and no word; screen readers read the word. */
const WORDY_COLUMNS = 6;

/** Keys down, checks across; every cell leads to its details. */
export function renderMatrix(report: CheckReport, anchors: Anchors): Markup {
  const axes = axesOf(report);
  return renderSheet({
    label: 'Matrix of keys and checks',
    look: axes.checks.length > WORDY_COLUMNS ? 'matrix terse' : 'matrix',
    caption: 'Keys and checks. Select a cell to see its details.',
    head: html`<tr><th scope="col">key</th>${axes.checks.map((check) => html`<th scope="col"><span class="name">${check}</span></th>`)}</tr>`,
    lines: axes.keys.map(
      (key) =>
        html`<tr><th scope="row"><span class="name">${key}</span></th>${axes.checks.map((check) => cell(axes.at(key, check), anchors))}</tr>\n`,
    ),
  });
}
