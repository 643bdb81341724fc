import type { ApplyReport } from '../../../domain/index.ts';
import { PLAIN } from '../layout/paint.ts';
import { renderReport, type Voice } from '../report.ts';
import { REPORT_WIDTH, type ReportFormat } from '../report-format.ts';

/** The report of an apply or of a destruction as a file of the format holds it. */
export async function renderApplied(report: ApplyReport, format: ReportFormat, voice: Voice): Promise<string> {
  switch (format) {
    case 'markdown':
      return (await import('./markdown.ts')).renderAppliedMarkdown(report, voice);
    case 'junit':
      return (await import('./junit.ts')).renderAppliedJunit(report, voice);
    case 'tap':
      return (await import('./tap.ts')).renderAppliedTap(report, voice);
    case 'html':
      return (await import('../html/applied.ts')).renderAppliedHtml(report, voice);
    case 'text':
      return `${renderReport(report, { paint: PLAIN, width: REPORT_WIDTH }, voice)}\n`;
  }
}
