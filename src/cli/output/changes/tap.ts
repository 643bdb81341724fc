import { exposureLine } from '../policy.ts';
import { reportedRefusals } from '../refusals.ts';
import { renderPoints } from '../tap-lines.ts';
import { ownerLines } from './owners.ts';
import { type ChangePage, noteText, reportedKeys } from './reported-change.ts';

/** Drift as TAP version 14: a point for each owned key, not ok where something differs. */
export const renderChangeTap = (page: ChangePage): string =>
  renderPoints(
    [
      ...reportedKeys(page).map(({ name, failed, skipped, title, lines }) => ({
        ok: !failed,
        name,
        ...(skipped ? { skipped: title } : {}),
        ...(failed ? { details: { message: title, fields: lines } } : {}),
      })),
      ...(page.outlook ?? []).map(({ kind, name, text }) =>
        page.failOn?.has(kind)
          ? { ok: false, name: `${name} (${kind})`, details: { message: text } }
          : { ok: true, name: `${name} (${kind})`, skipped: text },
      ),
    ],
    {
      nothing: 'no keys',
      comments: [
        ...reportedRefusals(page.refusals, page.wording).map(({ head, sentence }) => `${head}: ${sentence}`),
        exposureLine(page.plan, page.wording) ?? [],
        ...page.plan.notes.map((note) => noteText(note, page.wording.guidance)),
        ...ownerLines(page.owners ?? []),
      ].flat(),
    },
  );
