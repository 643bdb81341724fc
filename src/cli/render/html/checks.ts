import type { CheckReport } from '../../../domain/index.ts';
import type { History } from '../../history.ts';
import type { Thumbnails } from '../../thumbnails.ts';
import { countLooks, LOOKS } from '../checks/signs.ts';
import { renderCost, renderCounts, renderEarlyEnd, renderTime } from '../checks/summary.ts';
import { renderCharts } from './charts.ts';
import { renderDetails } from './details.ts';
import { html, type Markup } from './markup.ts';
import { anchorsOf, renderMatrix } from './matrix.ts';
import { renderPage } from './page.ts';

/** All that a page of checks is made from. */
export interface CheckPage {
  readonly report: CheckReport;
  readonly thumbnails: Thumbnails;
  readonly history?: History;
}

const instant = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function heading(report: CheckReport): Markup {
  const { account, startedAt, durationMs } = report;
  const where = account ? `User ${account.userId} of ${account.url}` : 'The gateway was not reached';
  const early = renderEarlyEnd(report);
  return html`<h1>Checks: ${renderCounts(report)}</h1>
<p class="wrap">${where}</p>
<p class="faint">${instant(startedAt)}, ${renderTime(durationMs)}, ${renderCost(report)}</p>
${early === undefined ? '' : html`<p class="banner" role="status">${early}${report.fatal?.hint === undefined ? '' : ` ${report.fatal.hint}`}</p>`}`;
}

function figures({ results }: CheckReport): Markup {
  const items = countLooks(results).map(
    ([name, count]) =>
      html`<li class="${count > 0 ? name : 'skipped'}"><b>${count}</b>${LOOKS[name].sign} ${LOOKS[name].word}</li>`,
  );
  return html`<ul class="figures" aria-label="Counts">${items}</ul>`;
}

/** The history as it is told on the page: how many runs it is made from. */
const pastNote = (history: History | undefined): Markup | undefined =>
  history === undefined || history.runs.length === 0
    ? undefined
    : html`<p class="faint">With ${history.runs.length} earlier ${history.runs.length === 1 ? 'run' : 'runs'}.</p>`;

/** What a run of checks found out, as one page for people: no network, no script, safe whatever the gateway answered. */
export function renderCheckHtml({ report, thumbnails, history }: CheckPage): string {
  const anchors = anchorsOf(report);
  const around = { report, thumbnails, anchors, history };
  const { results } = report;
  const content = html`${heading(report)}
${figures(report)}
${pastNote(history)}
${results.length === 0 ? '' : html`<h2>Matrix</h2>${renderMatrix(report, anchors)}`}
${renderCharts(report)}
${results.length === 0 ? '' : html`<h2>Details</h2>${results.map((result) => renderDetails(result, around))}`}`;
  return renderPage(`Checks: ${renderCounts(report)}`, content);
}
