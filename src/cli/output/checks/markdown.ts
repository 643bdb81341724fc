import type { CheckReport, CheckResult } from '../../../domain/index.ts';
import { printable } from '../layout/printable.ts';
import { axesOf } from './matrix.ts';
import { explain } from './plain-words.ts';
import { MARKS, markOf } from './signs.ts';
import { renderCost, renderCounts, renderEarlyEnd, renderTime } from './summary.ts';

/** Text that stays text: no table, no HTML, no emphasis, no link, no mention of a person or an issue. */
export const literal = (text: string): string =>
  printable(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]()#|~!]/g, '\\$&')
    // A comment, which no page shows, and nobody copies with a name.
    .replace(/@/g, '@<!-- -->')
    // GitHub looks for issues in the rendered text, in which a backslash does not show.
    .replace(/(?:#|\bGH-)(?=\d)/gi, '$&<!-- -->')
    .replace(/:\/\//g, ':<!-- -->//')
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}<!-- -->.`);

function cell(result: CheckResult | undefined): string {
  if (result === undefined) return '';
  const { sign, word } = MARKS[markOf(result)];
  return `${sign} ${word}`;
}

function table(report: CheckReport): string {
  const axes = axesOf(report);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['key', ...axes.checks.map(literal)]),
    row(['---', ...axes.checks.map(() => '---')]),
    ...axes.keys.map((key) => row([literal(key), ...axes.checks.map((check) => cell(axes.at(key, check)))])),
  ].join('\n');
}

function section(result: CheckResult): string {
  const { sign, word } = MARKS[markOf(result)];
  const lines = explain(result).map((line) => `- ${literal(line.replace(/^- /, ''))}`);
  const title = `${sign} ${literal(result.key)} ${literal(result.check)}: ${word}`;
  return ['<details>', `<summary>${title}</summary>`, '', ...lines, '', '</details>'].join('\n');
}

/** For a step summary: the matrix, and what did not pass, folded. */
export function renderCheckMarkdown(report: CheckReport): string {
  const { results, account, durationMs } = report;
  const early = renderEarlyEnd(report);
  const shown = results.filter((result) => !['passed', 'skipped'].includes(markOf(result)));
  const blocks = [
    `## Checks: ${renderCounts(report)}`,
    early === undefined ? '' : `> ${literal(early)}`,
    account
      ? `User ${account.userId} of ${literal(account.url)}. ${renderTime(durationMs)}, ${literal(renderCost(report))}.`
      : '',
    results.length > 0 ? table(report) : '',
    ...shown.map(section),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
