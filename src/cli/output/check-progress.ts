import type { CheckEvent } from '../../checks/index.ts';
import { type Decimal, isFlaky, quota } from '../../domain/index.ts';
import { counted, renderEstimated, renderUsd } from './layout/amount.ts';
import { clip } from './layout/columns.ts';
import { renderSpan } from './layout/moment.ts';
import { printable } from './layout/printable.ts';

type ResultEvent = Extract<CheckEvent, { kind: 'result' }>;
type EstimateEvent = Extract<CheckEvent, { kind: 'estimate' }>;

/** Signs that mean the same without colour. */
const SIGNS = { passed: '✓', failed: '✗', skipped: '–', unprovable: '?' } as const;

const LEAST_COLUMNS = 40;

export interface Moment {
  /** The checks under way. */
  readonly open: readonly string[];
  readonly seconds: number;
  /** The estimated cost of the checks so far, in quota units. */
  readonly estimated: number;
  /** True if they cannot cost more. */
  readonly isMaximum: boolean;
  readonly quotaPerUnit: Decimal;
  readonly width: number;
}

/** The text of the moving line: `12/40 · 14 s · $0.02 of about $0.42 · prod-checkout chat`. */
export function renderCheckStep(last: CheckEvent | undefined, moment: Moment): string {
  const { open, seconds, estimated, isMaximum, quotaPerUnit, width } = moment;
  if (last?.kind === 'wait') return `Waiting for ${last.what}`;
  const done = last?.kind === 'result' ? `${last.done}/${last.total}` : 'Proving keys';
  const whole = estimated > 0 ? ` of ${renderEstimated(renderUsd(quota(estimated), quotaPerUnit), isMaximum)}` : '';
  const spent = last?.kind === 'result' && last.spent > 0 ? renderUsd(last.spent, quotaPerUnit) + whole : '';
  const what = open.length > 1 ? `${printable(open[0] ?? '')} and ${open.length - 1} more` : printable(open[0] ?? '');
  const text = [done, renderSpan(Math.floor(seconds)), spent, what].filter(Boolean).join(' · ');
  return clip(text, Math.max(width - 4, LEAST_COLUMNS));
}

/** Before anything is sent: `Estimate: at most $0.42 for 3 costly checks; unknown for delta-H3 (2 checks), …` */
export function renderEstimate({ schedule, estimate }: EstimateEvent, quotaPerUnit: Decimal): string {
  const { units, known, isMaximum, unknown } = estimate;
  const open = Object.entries(unknown).map(([model, count]) => `${printable(model)} (${counted(count, 'check')})`);
  const sum = `${renderEstimated(renderUsd(units, quotaPerUnit), isMaximum)} for ${counted(known, `${schedule} check`)}`;
  const rest = `unknown for ${open.join(', ')}, for which no price is known`;
  return `Estimate: ${[...(known > 0 ? [sum] : []), ...(open.length > 0 ? [rest] : [])].join('; ')}.`;
}

/** A plain line for a log: `[ 3/40] ✓ prod-checkout chat 812 ms`, and why not. */
export function renderCheckLine({ result, done, total }: ResultEvent): string {
  const part = `[${String(done).padStart(String(total).length)}/${total}]`;
  const { key, check, verdict, reason, durationMs, attempts } = result;
  const time = durationMs === undefined ? '' : ` ${Math.round(durationMs)} ms`;
  const flaky = isFlaky(result) ? ` (attempt ${attempts})` : '';
  const why = reason === undefined ? '' : `: ${printable(reason)}`;
  return `${part} ${SIGNS[verdict]} ${printable(key)} ${printable(check)}${time}${flaky}${why}`;
}
