import { type CheckReport, type CheckResult, isFlaky } from '../../../domain/index.ts';
import { renderPoints, type TapPoint } from '../tap-lines.ts';
import { explain } from './plain-words.ts';

function detailsOf(result: CheckResult): Pick<TapPoint, 'details'> {
  const { module, model, code, durationMs, findings, verdict } = result;
  if (verdict !== 'failed' && !isFlaky(result)) return {};
  const broken = findings.filter(({ holds }) => !holds).map(({ claim, found }) => ({ claim, found }));
  return {
    details: { message: explain(result).join('\n'), module, model, code, duration_ms: durationMs, broken },
  };
}

function pointOf(result: CheckResult): TapPoint {
  const { key, check, verdict, reason = '' } = result;
  return {
    ok: verdict !== 'failed',
    name: `${key} ${check}`,
    ...(verdict === 'skipped' ? { skipped: reason } : {}),
    ...(verdict === 'unprovable' ? { skipped: `unprovable: ${reason}` } : {}),
    ...detailsOf(result),
  };
}

/** TAP version 14: a point for each check of each key, and why for those that failed. */
export const renderTap = ({ results, fatal }: CheckReport): string =>
  renderPoints(results.map(pointOf), {
    nothing: 'nothing to check',
    ...(fatal ? { bailOut: fatal.message } : {}),
  });
