import type { ApplyReport } from '../../domain/index.ts';
import { isConverged, reportFaults } from '../../reconcile/index.ts';
import { exitCodeOf, strongestFault } from '../output/exit-codes.ts';
import { reportData } from '../output/json/plan-data.ts';
import { wordedChecks } from '../output/remedies.ts';
import { renderReport } from '../output/report.ts';
import type { Context, Result } from '../program/command.ts';

/** The result of a command that applied a plan. */
export function reportResult({ checks, ...applied }: ApplyReport, { format, paint, width }: Context): Result {
  const report: ApplyReport = checks ? { ...applied, checks: wordedChecks(checks) } : applied;
  const fault = strongestFault(reportFaults(report));
  return {
    exit: exitCodeOf(fault),
    // A text needs none of it, and it is much of the work on a large report.
    get data() {
      return reportData(report, isConverged(report));
    },
    text: renderReport(report, { paint: paint.out, width: width.out }),
    // The text of a report includes the fault already.
    ...(fault && format === 'json' ? { fault } : {}),
  };
}
