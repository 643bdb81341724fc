import { literal } from '../checks/markdown.ts';
import type { UsageReport } from './page.ts';
import { sparkline, usageTable } from './table.ts';
import { usageHead, walletLine } from './text.ts';

/** The report for a step summary or a comment. */
export function renderUsageMarkdown(page: UsageReport): string {
  const { columns, rows } = usageTable(page);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = [
    line([...columns, 'TREND'].map((title) => literal(title.toLowerCase()))),
    line([...columns, 'TREND'].map((_, i) => (i === 0 ? '---' : '---:'))),
    ...rows.map(({ name, cells, days }) => line([literal(name), ...cells.map(literal), sparkline(days)])),
  ];
  const blocks = [
    `## ${literal(usageHead(page))}`,
    literal(walletLine(page)),
    ...page.findings.map(({ text }) => `> **${literal(text)}**`),
    rows.length === 0 ? '' : table.join('\n'),
    page.remarks.map((remark) => `- ${literal(remark)}`).join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
