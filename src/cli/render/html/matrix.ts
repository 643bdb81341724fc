import type { CheckReport, CheckResult } from '../../../domain/index.ts';
import { axesOf } from '../checks/matrix.ts';
import { LOOKS, lookOf } from '../checks/signs.ts';
import { html, type Markup } from './markup.ts';

/** Where the details of a result stand: a number, because names may hold anything. */
export type Anchors = ReadonlyMap<CheckResult, string>;

export const anchorsOf = ({ results }: Pick<CheckReport, 'results'>): Anchors =>
  new Map(results.map((result, index) => [result, `result-${index + 1}`]));

function cell(result: CheckResult | undefined, anchors: Anchors): Markup {
  if (result === undefined) return html`<td></td>`;
  const look = lookOf(result);
  const { sign, word } = LOOKS[look];
  return html`<td class="${look}"><a class="${look}" href="#${anchors.get(result)}"><span class="sign" aria-hidden="true">${sign}</span>${word}</a></td>`;
}

/** Keys down, checks across; every cell leads to its details. */
export function renderMatrix(report: CheckReport, anchors: Anchors): Markup {
  const axes = axesOf(report);
  return html`<div class="scroll" role="region" aria-label="Matrix of keys and checks" tabindex="0">
<table class="matrix">
<caption>Keys and checks. Every cell leads to its details.</caption>
<thead><tr><th scope="col">key</th>${axes.checks.map((check) => html`<th scope="col">${check}</th>`)}</tr></thead>
<tbody>
${axes.keys.map((key) => html`<tr><th scope="row" title="${key}">${key}</th>${axes.checks.map((check) => cell(axes.at(key, check), anchors))}</tr>\n`)}
</tbody>
</table>
</div>`;
}
