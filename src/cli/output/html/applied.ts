import { type ApplyReport, renderInstant } from '../../../domain/index.ts';
import { type ReportedOutcome, reportedOutcomes, reportedRemarks } from '../applied/reported-outcome.ts';
import { renderCounts, type Voice } from '../report.ts';
import { html } from './markup.ts';
import { renderPage } from './page.ts';

const LOOKS = { done: 'passed', failed: 'failed', unknown: 'unprovable', skipped: 'skipped' } as const;

const row = ({ ending, word, verb, subject, lines }: ReportedOutcome) =>
  html`<tr><td class="verb ${LOOKS[ending]}">${word}</td><td>${verb}</td><th scope="row">${subject}</th><td class="wrap">${lines.map((line) => html`<div>${line}</div>`)}</td></tr>\n`;

/** An apply as one page for people. */
export function renderAppliedHtml(report: ApplyReport, voice: Voice): string {
  const { account, at } = report.plan;
  const title = renderCounts(report);
  const outcomes = reportedOutcomes(report);
  const table = html`<div class="scroll" role="region" aria-label="Outcomes" tabindex="0"><table>
<caption>Outcomes of the changes.</caption>
<thead><tr><th scope="col">outcome</th><th scope="col">change</th><th scope="col">key</th><th scope="col">details</th></tr></thead>
<tbody>${outcomes.map(row)}</tbody></table></div>`;
  const remarks = reportedRemarks(report, voice).map(
    (lines) => html`<div class="wrap">${lines.map((line) => html`<div>${line}</div>`)}</div>\n`,
  );
  const content = html`<h1>${title}</h1>
<p class="wrap">User ${account.userId} of ${account.url}</p>
<p class="faint">${renderInstant(at)}</p>
${outcomes.length > 0 ? table : ''}
${remarks}`;
  return renderPage(title, content);
}
