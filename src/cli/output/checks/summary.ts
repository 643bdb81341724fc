import type { CheckReport, Quota } from '../../../domain/index.ts';
import { quota } from '../../../domain/index.ts';
import { counted, renderEstimated, renderUsd } from '../layout/amount.ts';
import { countMarks, MARKS } from './signs.ts';

/** `2.4 s`, `1 min 12 s`; short times in milliseconds. */
export function renderTime(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const inDollars = (units: number, { quotaPerUnit }: CheckReport): string =>
  quotaPerUnit ? renderUsd(quota(units) as Quota, quotaPerUnit) : `${units} units`;

/** The cost of the run, as far as it is known. */
export function renderCost(report: CheckReport): string {
  const paid = report.results.filter(
    ({ attempts, schedule, cost }) => attempts > 0 && (schedule !== 'free' || (cost.charged ?? 0) > 0),
  );
  const known = paid.filter(({ cost }) => cost.charged !== undefined);
  const charged = known.reduce((sum, { cost }) => sum + (cost.charged ?? 0), 0);
  const open = paid.filter(({ cost }) => cost.charged === undefined);
  const estimated = open.reduce((sum, { cost }) => sum + (cost.estimated ?? 0), 0);
  const isNothing = charged === 0 && open.length === 0;
  const parts = isNothing ? ['nothing spent'] : known.length > 0 ? [`${inDollars(charged, report)} charged`] : [];
  if (open.length > 0) {
    const isMaximum = open.every(({ cost }) => cost.estimateIsMaximum === true);
    const estimate = estimated > 0 ? ` (${renderEstimated(inDollars(estimated, report), isMaximum)})` : '';
    parts.push(`${counted(open.length, 'check')} of unknown cost${estimate}`);
  }
  if (report.cap !== undefined) parts.push(`limit ${inDollars(report.cap, report)}`);
  return parts.join(', ');
}

/** `12 passed, 1 flaky, 2 failed`; without what there is none of. */
export function renderCounts({ results }: Pick<CheckReport, 'results'>): string {
  const counts = countMarks(results).filter(([, count]) => count > 0);
  return counts.length === 0
    ? 'nothing to check'
    : counts.map(([name, count]) => `${count} ${MARKS[name].word}`).join(', ');
}

/** The reasons why the run ended early, in sentences; undefined: it did not. */
export function renderEarlyEnd(report: CheckReport): string | undefined {
  const { fatal, interrupted, capReached, cap, excess } = report;
  const most = cap === undefined ? '' : ` of ${inDollars(cap, report)}`;
  const sentences = [
    ...(fatal ? [`The run ended early: ${fatal.message.replace(/\s*\n\s*/g, ' ')}`] : []),
    ...(interrupted ? ['The run was interrupted; checks that had not started were skipped.'] : []),
    ...(excess === undefined ? [] : [`The checks cost ${inDollars(excess, report)} more than the cost limit${most}.`]),
    ...(capReached ? [`Some checks were skipped: they might have exceeded the cost limit${most}.`] : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
