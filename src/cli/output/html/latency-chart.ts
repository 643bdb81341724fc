import { renderTime } from '../checks/summary.ts';
import { html, type Markup } from './markup.ts';
import { renderSheet } from './sheet.ts';
import type { Tally } from './tally.ts';

/** Milliseconds to a place on the page, by decades: a chat and a video are both to be seen. */
interface LatencyScale {
  readonly ticks: readonly number[];
  readonly at: (ms: number) => string;
}

function scaleOf(rows: readonly Tally[]): LatencyScale {
  const times = rows.flatMap(({ shortest, longest, firstByte }) => [shortest, longest, firstByte ?? longest]);
  const low = Math.floor(Math.log10(Math.max(1, Math.min(...times))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...times))));
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step)),
    at: (ms) => `${((100 * (Math.log10(Math.max(1, ms)) - low)) / (high - low)).toFixed(2)}%`,
  };
}

const tickLabel = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

const tickLines = ({ ticks, at }: LatencyScale): readonly Markup[] =>
  ticks.map((ms) => html`<line class="tick" x1="${at(ms)}" x2="${at(ms)}" y1="0" y2="100%"/>`);

const axis = ({ ticks, at }: LatencyScale): Markup =>
  html`<svg class="axis" aria-hidden="true">${ticks.map((ms) => html`<text x="${at(ms)}" y="75%">${tickLabel(ms)}</text>`)}</svg>`;

/** Hidden from screen readers: the numbers next to it state the same. */
function track({ shortest, median, longest, firstByte }: Tally, scale: LatencyScale): Markup {
  const { at } = scale;
  return html`<svg class="track" aria-hidden="true">${tickLines(scale)}
<line class="range" x1="${at(shortest)}" x2="${at(longest)}" y1="50%" y2="50%"/>
${firstByte === undefined ? '' : html`<circle class="first" cx="${at(firstByte)}" cy="50%" r="4"/>`}
<circle class="middle" cx="${at(median)}" cy="50%" r="4.5"/></svg>`;
}

const CAPTION =
  'Latency by check, over all keys. Dot: the median; line: from the shortest to the longest; ring: the median time to first byte.';

/** The durations of checks: drawn on a logarithmic scale, and in numbers. */
export function renderLatency(rows: readonly Tally[]): Markup {
  const scale = scaleOf(rows);
  const lines = rows.map(
    (
      row,
    ) => html`<tr><th scope="row"><span class="name">${row.check}</span></th><td class="drawing">${track(row, scale)}</td>
<td class="number">${row.firstByte === undefined ? '–' : renderTime(row.firstByte)}</td><td class="number">${renderTime(row.median)}</td><td class="number">${renderTime(row.longest)}</td><td class="number">${row.runs}</td></tr>\n`,
  );
  const head = html`<tr><th scope="col">check</th><th scope="col" class="drawing"><span class="unseen">chart</span>${axis(scale)}</th><th scope="col" class="number">first byte</th><th scope="col" class="number">median</th><th scope="col" class="number">longest</th><th scope="col" class="number">runs</th></tr>`;
  return renderSheet({ label: 'Latency by check', caption: CAPTION, head, lines });
}
