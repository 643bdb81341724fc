import type { CheckReport } from '../../../domain/index.ts';
import type { History } from '../../session/files/history.ts';
import { PLAIN } from '../layout/paint.ts';
import { REPORT_WIDTH, type ReportFormat } from '../report-format.ts';

async function html(report: CheckReport, history: History | undefined): Promise<string> {
  const { renderCheckHtml } = await import('../html/checks.ts');
  const { thumbnailsOf } = await import('../html/thumbnails.ts');
  return renderCheckHtml({ report, thumbnails: await thumbnailsOf(report), ...(history ? { history } : {}) });
}

/** A run of checks as a file of the format holds it. Pages compare it with the history. */
export async function renderCheckReport(report: CheckReport, format: ReportFormat, history?: History): Promise<string> {
  switch (format) {
    case 'html':
      return await html(report, history);
    case 'junit':
      return (await import('./junit.ts')).renderJunit(report);
    case 'tap':
      return (await import('./tap.ts')).renderTap(report);
    case 'markdown':
      return (await import('./markdown.ts')).renderCheckMarkdown(report);
    case 'text':
      return `${(await import('./text.ts')).renderChecks(report, { paint: PLAIN, width: REPORT_WIDTH })}\n`;
  }
}
