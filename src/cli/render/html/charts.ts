import { type CheckReport, type CheckResult, quota } from '../../../domain/index.ts';
import { renderUsd } from '../amount.ts';
import { renderTime } from '../checks/summary.ts';
import { html, type Markup } from './markup.ts';

/** One row of a chart: a check over all keys that it ran for. */
interface Row {
  readonly check: string;
  readonly runs: number;
  readonly median: number;
  readonly most: number;
  readonly firstByte: number | undefined;
  readonly charged: number | undefined;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

const numbersOf = (
  results: readonly CheckResult[],
  pick: (result: CheckResult) => number | undefined,
): readonly number[] => results.flatMap((result) => pick(result) ?? []);

function rowsOf({ results }: CheckReport): readonly Row[] {
  const ran = results.filter(({ durationMs }) => durationMs !== undefined);
  const checks = [...new Set(ran.map(({ check }) => check))];
  return checks.map((check) => {
    const own = ran.filter((result) => result.check === check);
    const times = numbersOf(own, ({ durationMs }) => durationMs);
    const bytes = numbersOf(own, ({ firstByteMs }) => firstByteMs);
    const charges = numbersOf(own, ({ cost }) => cost.charged);
    return {
      check,
      runs: own.length,
      median: median(times),
      most: Math.max(...times),
      firstByte: bytes.length > 0 ? median(bytes) : undefined,
      charged: charges.length > 0 ? charges.reduce((sum, units) => sum + units, 0) : undefined,
    };
  });
}

/** The numbers stand beside it, so the bar itself says nothing to who can not see it. */
const bar = (part: number, whole: number): Markup => {
  const percent = (value: number): string => `${Math.max(0.5, (100 * value) / Math.max(whole, 1)).toFixed(1)}%`;
  return html`<svg class="bar" aria-hidden="true"><rect class="range" width="${percent(whole === 0 ? 0 : part)}" height="100%" rx="3"/></svg>`;
};

const doubleBar = ({ median: middle, most }: Row, whole: number): Markup => {
  const percent = (value: number): string => `${Math.max(0.5, (100 * value) / Math.max(whole, 1)).toFixed(1)}%`;
  return html`<svg class="bar" aria-hidden="true"><rect class="range" width="${percent(most)}" height="100%" rx="3"/><rect width="${percent(middle)}" height="100%" rx="3"/></svg>`;
};

function latency(rows: readonly Row[]): Markup {
  const whole = Math.max(...rows.map(({ most }) => most), 1);
  const lines = rows.map(
    (row) => html`<tr><th scope="row">${row.check}</th><td class="number">${row.runs}</td>
<td class="number">${row.firstByte === undefined ? '–' : renderTime(row.firstByte)}</td><td class="number">${renderTime(row.median)}</td><td class="number">${renderTime(row.most)}</td>
<td>${doubleBar(row, whole)}</td></tr>\n`,
  );
  return html`<div class="scroll" role="region" aria-label="Latency by check" tabindex="0"><table>
<caption>Latency by check, over all keys: the middle one dark, the longest light.</caption>
<thead><tr><th scope="col">check</th><th scope="col" class="number">runs</th><th scope="col" class="number">first byte</th><th scope="col" class="number">middle</th><th scope="col" class="number">longest</th><th scope="col">scale</th></tr></thead>
<tbody>${lines}</tbody></table></div>`;
}

function costs(rows: readonly Row[], { quotaPerUnit }: CheckReport): Markup | undefined {
  const paid = rows.filter(({ charged }) => charged !== undefined && charged > 0);
  if (paid.length === 0 || quotaPerUnit === undefined) return undefined;
  const whole = Math.max(...paid.map(({ charged = 0 }) => charged));
  const lines = paid.map(
    ({ check, charged = 0, runs }) => html`<tr><th scope="row">${check}</th><td class="number">${runs}</td>
<td class="number">${renderUsd(quota(charged), quotaPerUnit)}</td><td>${bar(charged, whole)}</td></tr>\n`,
  );
  return html`<div class="scroll" role="region" aria-label="Cost by check" tabindex="0"><table>
<caption>Cost by check, from the usage log.</caption>
<thead><tr><th scope="col">check</th><th scope="col" class="number">runs</th><th scope="col" class="number">charged</th><th scope="col">scale</th></tr></thead>
<tbody>${lines}</tbody></table></div>`;
}

/** How long checks took and what they cost, as tables with bars. Nothing where nothing ran. */
export function renderCharts(report: CheckReport): Markup {
  const rows = rowsOf(report);
  if (rows.length === 0) return html``;
  const money = costs(rows, report);
  return html`<h2>Time and money</h2>
${latency(rows)}
${money}`;
}
