import { type JunitCase, renderSuites } from '../junit-suites.ts';
import { reportedRefusals } from '../refusals.ts';
import { type ChangePage, type ReportedKey, reportedKeys } from './reported-change.ts';

function caseOf({ name, pending, retained, title, lines }: ReportedKey): JunitCase {
  const head = { classname: 'keys', name, ms: 0 };
  if (pending) return { ...head, ending: { as: 'failure', message: title, type: 'pending', lines } };
  return retained ? { ...head, ending: { as: 'skipped', message: title, lines } } : head;
}

/** Drift for CI systems: a case for each owned key, failed where something is pending, skipped where it is left so. */
export function renderChangeJunit(page: ChangePage): string {
  const { account, at, notes } = page.plan;
  const reasons = reportedRefusals(page.refusals, page.wording.refusal);
  return renderSuites([
    {
      name: `${page.wording.title} of user ${account.userId}`,
      startedAt: at * 1000,
      cases: reportedKeys(page).map(caseOf),
      properties: { gateway: account.url, user: String(account.userId) },
      remarks: [
        ...reasons.map(({ head, sentence }) => `${head}: ${sentence}`),
        ...notes.map(({ data, message }) => (data === undefined ? message : `${data.name}: ${message}`)),
      ],
    },
  ]);
}
