import { heldEnables, renderInstant } from '../../../domain/index.ts';
import { renderOutlookCounts } from '../changes/outlook.ts';
import { ownerLines } from '../changes/owners.ts';
import { type ChangePage, noteText, reportedChanges } from '../changes/reported-change.ts';
import { renderHeld } from '../held.ts';
import { exposureLine } from '../policy.ts';
import { reportedRefusals } from '../refusals.ts';
import { renderSummary } from '../summary.ts';
import { html } from './markup.ts';
import { renderPage } from './page.ts';

/** A plan or a drift as one page for people. */
export function renderChangeHtml(page: ChangePage): string {
  const { plan, wording, refusals, outlook = [] } = page;
  const title = renderSummary(plan, wording);
  const shown = reportedChanges(page).filter(({ reported }) => reported);
  const rows = shown.map(
    ({ subject, word, symbol, pending, lines }) =>
      html`<tr><td class="verb ${pending ? 'unprovable' : 'skipped'}"><span class="sign" aria-hidden="true">${symbol}</span>${word}</td><th scope="row">${subject}</th><td class="wrap">${lines.map((line) => html`<div>${line}</div>`)}</td></tr>\n`,
  );
  const table = html`<div class="scroll" role="region" aria-label="Changes" tabindex="0"><table>
<caption>Changes, in the order in which they are made.</caption>
<thead><tr><th scope="col">change</th><th scope="col">key</th><th scope="col">details</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
  const notes = html`<h2>Notes</h2><ul>${plan.notes.map((note) => html`<li>${noteText(note, wording.guidance)}</li>`)}</ul>`;
  const attention = html`<h2>Not drift: ${renderOutlookCounts(outlook)}</h2><ul>${outlook.map(({ kind, text }) => html`<li>${kind}: ${text}</li>`)}</ul>`;
  const lines = ownerLines(page.owners ?? []);
  const owners = html`<h2>Owners</h2><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  const look = wording.refusal === 'error' ? 'failed' : 'unprovable';
  const reasons = reportedRefusals(refusals, wording).map(
    ({ head, sentence }) => html`<p class="wrap ${look}" role="alert"><strong>${head}</strong>: ${sentence}</p>\n`,
  );
  const exposure = exposureLine(plan, wording);
  const held = renderHeld(heldEnables(plan));
  const content = html`${reasons}${exposure === undefined ? '' : html`<p><strong>${exposure}</strong></p>\n`}<h1>${title}</h1>
${held === undefined ? '' : html`<p class="wrap failed"><strong>${held}</strong></p>\n`}<p class="wrap">User ${plan.account.userId} of ${plan.account.url}</p>
<p class="faint">${renderInstant(plan.at)}</p>
${shown.length > 0 ? table : ''}
${plan.notes.length > 0 ? notes : ''}
${outlook.length > 0 ? attention : ''}
${lines.length > 0 ? owners : ''}
${page.digest === undefined ? '' : html`<p class="wrap">Digest: <code>${page.digest}</code></p>`}`;
  return renderPage(title, content);
}
