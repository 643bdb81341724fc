import { heldEnables } from '../../../domain/index.ts';
import { literal } from '../checks/markdown.ts';
import { renderHeld } from '../held.ts';
import { exposureLine } from '../policy.ts';
import { reportedRefusals } from '../refusals.ts';
import { wordedNote } from '../remedies.ts';
import { renderSummary } from '../summary.ts';
import { renderOutlookCounts } from './outlook.ts';
import { ownerLines } from './owners.ts';
import { type ChangePage, type ReportedChange, reportedChanges } from './reported-change.ts';

function row({ subject, symbol, word, lines }: ReportedChange): string {
  const sign = symbol.trim() === '' ? '' : `${literal(symbol)} `;
  return `| ${sign}${word} | ${literal(subject)} | ${lines.map(literal).join('<br>')} |`;
}

/** A plan or a drift for a step summary: its changes as a table, and its notes. */
export function renderChangeMarkdown(page: ChangePage): string {
  const { plan, wording, refusals, outlook = [] } = page;
  const reasons = reportedRefusals(refusals, wording).map(
    ({ head, sentence }) => `> **${literal(head)}**: ${literal(sentence)}`,
  );
  const shown = reportedChanges(page).filter(({ reported }) => reported);
  const table = ['| change | key | details |', '| --- | --- | --- |', ...shown.map(row)].join('\n');
  const notes = plan.notes.map(
    (note) =>
      `- ${note.data === undefined ? '' : `${literal(note.data.name)}: `}${literal(wordedNote(note, wording.guidance))}`,
  );
  const owners = ownerLines(page.owners ?? []);
  const exposure = exposureLine(plan, wording);
  const held = renderHeld(heldEnables(plan));
  const blocks = [
    ...reasons,
    exposure === undefined ? '' : `**${literal(exposure)}**`,
    `## ${renderSummary(plan, wording)}`,
    held === undefined ? '' : `> [!CAUTION]\n> ${literal(held)}`,
    `User ${plan.account.userId} of ${literal(plan.account.url)}.`,
    shown.length > 0 ? table : '',
    notes.join('\n'),
    ...(outlook.length > 0 ? [`### Not drift: ${renderOutlookCounts(outlook)}`] : []),
    outlook.map(({ kind, text }) => `- ${kind}: ${literal(text)}`).join('\n'),
    owners.length > 0 ? '### Owners' : '',
    owners.map((line) => `- ${literal(line)}`).join('\n'),
    page.digest === undefined ? '' : `Digest: \`${page.digest}\``,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
