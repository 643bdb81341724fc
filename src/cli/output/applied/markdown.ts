import type { ApplyReport } from '../../../domain/index.ts';
import { literal } from '../checks/markdown.ts';
import { renderCounts, type Voice } from '../report.ts';
import { type ReportedOutcome, reportedOutcomes, reportedRemarks } from './reported-outcome.ts';

const row = ({ word, verb, subject, lines }: ReportedOutcome): string =>
  `| ${literal(word)} | ${literal(verb)} | ${literal(subject)} | ${lines.map(literal).join('<br>')} |`;

/** An apply for a step summary: its outcomes as a table, and its remarks. */
export function renderAppliedMarkdown(report: ApplyReport, voice: Voice): string {
  const { account } = report.plan;
  const outcomes = reportedOutcomes(report);
  const table = ['| outcome | change | key | details |', '| --- | --- | --- | --- |', ...outcomes.map(row)].join('\n');
  const blocks = [
    `## ${literal(renderCounts(report))}`,
    `User ${account.userId} of ${literal(account.url)}.`,
    outcomes.length > 0 ? table : '',
    ...reportedRemarks(report, voice).map((lines) => lines.map((line) => literal(line.trim())).join('<br>\n')),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
