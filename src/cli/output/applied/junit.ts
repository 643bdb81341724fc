import type { ApplyReport } from '../../../domain/index.ts';
import { type JunitCase, renderSuites } from '../junit-suites.ts';
import { renderCounts, type Voice } from '../report.ts';
import { doneRemarks, type ReportedOutcome, reportedOutcomes, reportedRemarks } from './reported-outcome.ts';

const AS = { failed: 'failure', unknown: 'error', skipped: 'skipped' } as const;

function caseOf({ name, title, ending, lines }: ReportedOutcome): JunitCase {
  const head = { classname: 'keys', name: title || name, ms: 0 };
  if (ending === 'done') return head;
  const [message = title] = lines;
  return { ...head, ending: { as: AS[ending], message, type: ending, lines } };
}

/** The fault that ended a run early, as an error of its own: a run without a change would look like a success. */
const endOf = ({ fatal }: ApplyReport): readonly JunitCase[] =>
  fatal
    ? [
        {
          classname: 'run',
          name: 'the run',
          ms: 0,
          ending: { as: 'error', message: fatal.message, type: fatal.code, lines: [fatal.message] },
        },
      ]
    : [];

/** An apply for CI systems: a case for each change. */
export function renderAppliedJunit(report: ApplyReport, voice: Voice): string {
  const { account, at } = report.plan;
  return renderSuites([
    {
      name: `Apply of user ${account.userId}`,
      startedAt: at * 1000,
      cases: [...reportedOutcomes(report).map(caseOf), ...endOf(report)],
      properties: { gateway: account.url, user: String(account.userId) },
      remarks: [renderCounts(report), ...doneRemarks(report), ...reportedRemarks(report, voice).flat()],
    },
  ]);
}
