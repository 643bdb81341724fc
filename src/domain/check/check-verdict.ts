import { Fault } from '../fault.ts';
import type { CheckReport } from './check-report.ts';

/**
 * Reduces a report to one fault; undefined if every check that ran has passed.
 *
 * @param strict counts unprovable checks as failed
 */
export function checkVerdict(report: CheckReport, strict = false): Fault | undefined {
  const { fatal, interrupted, results, capReached } = report;
  if (fatal) return fatal;
  const failed = results.filter(({ verdict }) => verdict === 'failed' || (strict && verdict === 'unprovable'));
  if (interrupted) {
    return new Fault('gateway.interrupted', 'Interrupted before all checks had run.', { hint: 'Run it again.' });
  }
  if (failed.length > 0) {
    const noun = failed.length === 1 ? 'check' : 'checks';
    return new Fault('check.failed', `${failed.length} ${noun} failed.`, {
      hint: 'The report names them, with the reasons.',
      detail: { failed: failed.map(({ key, check }) => ({ key, check })) },
    });
  }
  if (!capReached) return undefined;
  return new Fault('check.cost-cap', 'Some checks were skipped: they might have exceeded the cost limit.', {
    hint: 'Raise the limit or run fewer checks.',
    remedy: 'raise-cost-cap',
  });
}
