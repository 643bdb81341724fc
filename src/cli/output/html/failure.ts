import { renderInstant } from '../../../domain/index.ts';
import { type FailedRun, failuresOf, failureTitle } from '../failure/failed-run.ts';
import { html } from './markup.ts';
import { renderPage } from './page.ts';

/** A run that ended without a result, as one page for people. */
export function renderFailureHtml(run: FailedRun): string {
  const title = failureTitle(run);
  const failures = failuresOf(run).map(
    ({ name, title: reason, lines }) => html`<h2>${name}</h2>
<p class="wrap failed" role="alert">${reason}</p>
${lines.map((line) => html`<p class="wrap">${line}</p>\n`)}`,
  );
  return renderPage(title, html`<h1>${title}</h1>\n<p class="faint">${renderInstant(run.at)}</p>\n${failures}`);
}
