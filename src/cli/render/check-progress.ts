import type { CheckEvent } from '../../checks/index.ts';
import { type Decimal, isFlaky, usdFromQuota } from '../../domain/index.ts';
import { renderSpan } from './moment.ts';
import { printable } from './printable.ts';

type ResultEvent = Extract<CheckEvent, { kind: 'result' }>;

/** Signs that mean the same without colour. */
const SIGNS = { passed: '✓', failed: '✗', skipped: '–', unprovable: '?' } as const;

const LEAST_COLUMNS = 40;

export interface Moment {
  /** What is under way. */
  readonly open: readonly string[];
  readonly seconds: number;
  readonly quotaPerUnit: Decimal;
  readonly width: number;
}

/** The text of the moving line: `12/40 · 14 s · $0.02 · prod-checkout chat`. */
export function renderCheckStep(last: CheckEvent | undefined, { open, seconds, quotaPerUnit, width }: Moment): string {
  if (last?.kind === 'wait') return `Waiting for ${last.what}`;
  const done = last?.kind === 'result' ? `${last.done}/${last.total}` : 'Proving keys';
  const spent = last?.kind === 'result' && last.spent > 0 ? `$${usdFromQuota(last.spent, quotaPerUnit, 4)}` : '';
  const what = open.length > 1 ? `${printable(open[0] ?? '')} and ${open.length - 1} more` : printable(open[0] ?? '');
  const text = [done, renderSpan(Math.floor(seconds)), spent, what].filter(Boolean).join(' · ');
  return text.slice(0, Math.max(width - 4, LEAST_COLUMNS));
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
