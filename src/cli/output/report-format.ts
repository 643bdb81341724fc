/** The format of a report for people, or for CI systems. */
export type ReportFormat = 'text' | 'markdown' | 'html' | 'junit' | 'tap';
export const REPORT_FORMATS: readonly ReportFormat[] = ['text', 'markdown', 'html', 'junit', 'tap'];

export const isReportFormat = (word: string): word is ReportFormat => REPORT_FORMATS.some((format) => format === word);

/** The width of a text that is not for a terminal. */
export const REPORT_WIDTH = 100;
