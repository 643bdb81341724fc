import type { ApplyReport } from '../../../domain/index.ts';
import { renderCounts, type Voice } from '../report.ts';
import { renderPoints } from '../tap-lines.ts';
import { doneRemarks, reportedOutcomes, reportedRemarks } from './reported-outcome.ts';

/** An apply as TAP version 14: a point for each change. */
export const renderAppliedTap = (report: ApplyReport, voice: Voice): string =>
  renderPoints(
    reportedOutcomes(report).map(({ title, ending, lines }) => ({
      ok: ending === 'done' || ending === 'skipped',
      name: title,
      ...(ending === 'skipped' ? { skipped: lines.join(' ') } : {}),
      ...(ending === 'failed' || ending === 'unknown' ? { details: { message: lines[0] ?? title, lines } } : {}),
    })),
    {
      nothing: 'no changes',
      comments: [renderCounts(report), ...doneRemarks(report), ...reportedRemarks(report, voice).flat()],
      ...(report.fatal ? { bailOut: report.fatal.message } : {}),
    },
  );
