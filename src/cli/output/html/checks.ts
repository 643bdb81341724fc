import type { CheckReport } from '../../../domain/index.ts';
import type { History } from '../../session/files/history.ts';
import { byKey } from '../checks/plain-words.ts';
import { renderCosts } from './cost-chart.ts';
import { type DetailContext, renderFilter, renderKeyDetails } from './details.ts';
import { renderHeading, renderVerdict } from './heading.ts';
import { renderLatency } from './latency-chart.ts';
import { html, type Markup } from './markup.ts';
import { anchorsOf, renderMatrix } from './matrix.ts';
import { renderPage } from './page.ts';
import { tallies } from './tally.ts';
import type { Thumbnails } from './thumbnails.ts';

/** All that a page of checks is made from. */
export interface CheckPage {
  readonly report: CheckReport;
  readonly thumbnails: Thumbnails;
  readonly history?: History;
}

function charts(report: CheckReport): Markup | undefined {
  const rows = tallies(report);
  return rows.length === 0
    ? undefined
    : html`<h2>Time and money</h2>\n${renderLatency(rows)}\n${renderCosts(rows, report)}`;
}

function details(around: DetailContext): Markup {
  const sections = byKey(around.report).map(([key, results]) => renderKeyDetails(key, results, around));
  return html`<section class="details"><h2>Details</h2>\n${renderFilter(around.report)}\n${sections}</section>`;
}

/** The report of a run of checks as one page for people: no network, no script, safe whatever the gateway answered. */
export function renderCheckHtml({ report, thumbnails, history }: CheckPage): string {
  const anchors = anchorsOf(report);
  const hasResults = report.results.length > 0;
  const content = html`${renderHeading(report, history)}
${hasResults && html`<h2>Matrix</h2>\n${renderMatrix(report, anchors)}`}
${charts(report)}
${hasResults && details({ report, thumbnails, anchors, history })}`;
  return renderPage(`Checks: ${renderVerdict(report)}`, content);
}
