import { renderInstant } from '../../../domain/index.ts';
import type { UsageReport } from '../usage/page.ts';
import { pointsOf, type UsageRow, usageTable } from '../usage/table.ts';
import { usageHead, walletLine } from '../usage/text.ts';
import { html, type Markup } from './markup.ts';
import { renderPage } from './page.ts';
import { renderSheet } from './sheet.ts';

const WIDTH = 120;
const HEIGHT = 24;

/** The units of each day as a line; the numbers are ours. */
function spark({ days }: UsageRow): Markup {
  const points = pointsOf(days);
  const top = points.reduce((a, b) => (a > b ? a : b), 1n);
  const step = WIDTH / Math.max(1, points.length - 1);
  const at = points.map((units, i) => {
    const height = units > 0n ? Number((units * BigInt(HEIGHT)) / top) : 0;
    return `${(i * step).toFixed(1)},${HEIGHT - height}`;
  });
  return html`<svg class="spark" viewBox="0 -1 ${WIDTH} ${HEIGHT + 2}" preserveAspectRatio="none" aria-hidden="true"><polyline points="${at.join(' ')}"/></svg>`;
}

/** A share of the largest line, in steps of a tenth of a percent. */
function bar({ units }: UsageRow, top: bigint): Markup {
  const share = units <= 0n || top <= 0n ? 0 : Math.max(0.5, Number((units * 1000n) / top) / 10);
  return html`<svg class="bar" aria-hidden="true"><rect width="${share}%" height="100%" rx="2"/></svg>`;
}

/** The report as one page for people: bars for the cost, a line for its course. */
export function renderUsageHtml(page: UsageReport): string {
  const { columns, rows } = usageTable(page);
  const top = rows.reduce((most, { units }) => (units > most ? units : most), 0n);
  const lines = rows.map(
    (row) =>
      html`<tr><th scope="row">${row.name}</th>${row.cells.map((cell) => html`<td class="wrap">${cell}</td>`)}<td>${bar(row, top)}</td><td>${spark(row)}</td></tr>\n`,
  );
  const head = html`<tr>${[...columns, 'SHARE', 'TREND'].map((title) => html`<th scope="col">${title.toLowerCase()}</th>`)}</tr>`;
  const findings = page.findings.map(
    ({ text }) => html`<p class="wrap failed" role="alert"><strong>${text}</strong></p>\n`,
  );
  const remarks = html`<h2>Notes</h2><ul>${page.remarks.map((remark) => html`<li>${remark}</li>`)}</ul>`;
  const title = usageHead(page);
  const content = html`${findings}<h1>${title}</h1>
<p class="wrap">${walletLine(page)}</p>
<p class="faint">${renderInstant(page.now)}</p>
${rows.length === 0 ? '' : renderSheet({ label: 'Usage', caption: 'Cost since the beginning of the report.', head, lines })}
${page.remarks.length > 0 ? remarks : ''}`;
  return renderPage(title, content);
}
