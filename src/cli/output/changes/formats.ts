import { PLAIN } from '../layout/paint.ts';
import { REPORT_WIDTH, type ReportFormat } from '../report-format.ts';
import type { ChangePage } from './reported-change.ts';

/** A plan or a drift as a file of the format holds it. */
export async function renderChanges(page: ChangePage, format: ReportFormat): Promise<string> {
  switch (format) {
    case 'markdown':
      return (await import('./markdown.ts')).renderChangeMarkdown(page);
    case 'junit':
      return (await import('./junit.ts')).renderChangeJunit(page);
    case 'tap':
      return (await import('./tap.ts')).renderChangeTap(page);
    case 'html':
      return (await import('../html/changes.ts')).renderChangeHtml(page);
    case 'text':
      return `${(await import('./text.ts')).renderChangeText(page, { paint: PLAIN, width: REPORT_WIDTH })}\n`;
  }
}
