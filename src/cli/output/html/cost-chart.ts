import { type CheckReport, quota } from '../../../domain/index.ts';
import { renderUnits, renderUsd } from '../layout/amount.ts';
import { html, type Markup } from './markup.ts';
import { renderSheet } from './sheet.ts';
import { chargedTo, type Tally } from './tally.ts';

/** Quota units as dollars, where the gateway reports its rate. */
export const renderCharge = (units: number, { quotaPerUnit }: Pick<CheckReport, 'quotaPerUnit'>): string =>
  quotaPerUnit ? renderUsd(quota(units), quotaPerUnit) : `${renderUnits(units)} units`;

/** The remaining budget of a key, in words; undefined: it was not read. */
export function renderRemaining(key: string, report: CheckReport): string | undefined {
  if (!Object.hasOwn(report.remaining, key)) return undefined;
  const units = report.remaining[key];
  if (units === null || units === undefined) return 'unlimited';
  // As exact as what was charged: rounded to cents, it would look as if nothing had been.
  return renderCharge(units, report);
}

/** A bar for a share of the whole, visible even when it is nearly nothing. */
const bar = (part: number, whole: number): Markup =>
  html`<svg class="bar" aria-hidden="true"><rect width="${Math.max(0.5, (100 * part) / whole).toFixed(1)}%" height="100%" rx="2"/></svg>`;

interface ChargedPart {
  readonly name: string;
  readonly charged: number;
}

function sheetOf(kind: 'check' | 'key', items: readonly ChargedPart[], report: CheckReport): Markup {
  const whole = Math.max(...items.map(({ charged }) => charged), 1);
  const ofKeys = kind === 'key';
  const lines = items.map(
    ({
      name,
      charged,
    }) => html`<tr><th scope="row"><span class="name">${name}</span></th><td class="drawing">${bar(charged, whole)}</td>
<td class="number">${renderCharge(charged, report)}</td>${ofKeys ? html`<td class="number">${renderRemaining(name, report) ?? '–'}</td>` : ''}</tr>\n`,
  );
  const head = html`<tr><th scope="col">${kind}</th><th scope="col" class="drawing"><span class="unseen">chart</span></th><th scope="col" class="number">charged</th>${ofKeys ? html`<th scope="col" class="number">remaining</th>` : ''}</tr>`;
  return renderSheet({ label: `Cost by ${kind}`, caption: `Cost by ${kind}, from the usage log.`, head, lines });
}

/** The cost of checks, by check and by key; empty where nothing was charged or the cost is unknown. */
export function renderCosts(rows: readonly Tally[], report: CheckReport): Markup | undefined {
  const checks = rows.flatMap(({ check, charged = 0 }) => (charged > 0 ? [{ name: check, charged }] : []));
  const keys = [...new Set(report.results.map(({ key }) => key))].flatMap((name) => {
    const charged = chargedTo(name, report) ?? 0;
    return charged > 0 ? [{ name, charged }] : [];
  });
  if (checks.length === 0) return undefined;
  return html`<div class="columns">${sheetOf('check', checks, report)}${sheetOf('key', keys, report)}</div>`;
}
