import { type JunitCase, renderSuites } from '../junit-suites.ts';
import { exposureLine } from '../policy.ts';
import { reportedRefusals } from '../refusals.ts';
import type { OutlookLine } from './outlook.ts';
import { ownerLines } from './owners.ts';
import { type ChangePage, noteText, type ReportedKey, reportedKeys } from './reported-change.ts';

function caseOf({ name, failed, skipped, title, lines }: ReportedKey): JunitCase {
  const head = { classname: 'keys', name, ms: 0 };
  if (failed) return { ...head, ending: { as: 'failure', message: title, type: 'pending', lines } };
  return skipped ? { ...head, ending: { as: 'skipped', message: title, lines } } : head;
}

/** A case of its own: it fails only where the job was asked to fail on it. */
function outlookCase({ kind, name, text }: OutlookLine, failOn: ChangePage['failOn']): JunitCase {
  const as = failOn?.has(kind) ? 'failure' : 'skipped';
  return { classname: kind, name, ms: 0, ending: { as, message: text, type: kind, lines: [text] } };
}

/** Drift for CI systems: a case for each owned key, failed where something differs, skipped where that is not to fail. */
export function renderChangeJunit(page: ChangePage): string {
  const { account, at, notes } = page.plan;
  const { outlook = [], failOn } = page;
  const reasons = reportedRefusals(page.refusals, page.wording);
  const exposure = exposureLine(page.plan, page.wording);
  return renderSuites([
    {
      name: `${page.wording.title} of user ${account.userId}`,
      startedAt: at * 1000,
      cases: [...reportedKeys(page).map(caseOf), ...outlook.map((line) => outlookCase(line, failOn))],
      properties: { gateway: account.url, user: String(account.userId) },
      remarks: [
        ...(exposure === undefined ? [] : [exposure]),
        ...reasons.map(({ head, sentence }) => `${head}: ${sentence}`),
        ...notes.map((note) => noteText(note, page.wording.guidance)),
        ...ownerLines(page.owners ?? []),
      ],
    },
  ]);
}
