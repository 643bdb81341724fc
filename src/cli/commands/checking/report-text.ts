import { resolve } from 'node:path';
import { asFault, type CheckReport, type Fault, visibleJson } from '../../../domain/index.ts';
import { renderCheckReport } from '../../output/checks/formats.ts';
import { renderChecks } from '../../output/checks/text.ts';
import { EXIT, exitCodeOf } from '../../output/exit-codes.ts';
import { checkReportData } from '../../output/json/check-data.ts';
import { faultData } from '../../output/json/envelope.ts';
import { isReportFormat } from '../../output/report-format.ts';
import type { Context, Format } from '../../program/command.ts';
import { text } from '../../program/option.ts';
import { writeReports } from '../../session/files/report-files.ts';

/** A run, and which of its reports could not be written. */
export interface ReportedRun {
  readonly report: CheckReport;
  readonly unkept?: Fault;
}

/** The history of this account, with the run that has just ended left out. */
async function historyOf({ io, given }: Context, { account }: CheckReport) {
  const folder = text(given, 'history');
  if (folder === undefined || account === undefined) return undefined;
  const { readHistory } = await import('../../session/files/history.ts');
  return await readHistory(resolve(io.cwd, folder), { account, most: 50 });
}

/** The report in a format, as a file of it holds it. */
async function renderIn(format: Format, context: Context, report: CheckReport): Promise<string> {
  if (!isReportFormat(format)) return `${visibleJson(envelopeFor(report))}\n`;
  return await renderCheckReport(report, format, format === 'html' ? await historyOf(context, report) : undefined);
}

const envelopeFor = (report: CheckReport) => ({
  kind: 'check',
  version: 1,
  data: checkReportData(report),
  diagnostics: [],
  ...(report.fatal ? { fault: faultData(report.fatal) } : {}),
});

/** Is only the command line or the manifest wrong? Then the fault on standard error is all that there is to report. */
const isMistake = ({ fatal, results }: CheckReport): boolean =>
  fatal !== undefined && results.length === 0 && exitCodeOf(fatal) === EXIT.usage;

/** The result itself: for a terminal with its colours and width. */
export async function resultText(context: Context, report: CheckReport): Promise<string> {
  const { format, given, paint, width } = context;
  if (format === 'json') return '';
  if (format === 'text') {
    if (isMistake(report) && text(given, 'out') === undefined) return '';
    return renderChecks(report, { paint: paint.out, width: width.out });
  }
  return await renderIn(format, context, report);
}

/** Writes all files of `--report` and `--history` that can be written. @returns the first fault */
export async function keepReport(context: Context, report: CheckReport): Promise<Fault | undefined> {
  const [fault] = await writeReports(context, (format) => renderIn(format, context, report));
  const folder = text(context.given, 'history');
  if (folder === undefined) return fault;
  const { writeHistory } = await import('../../session/files/history.ts');
  const unkept = await writeHistory(resolve(context.io.cwd, folder), report, context.mask).then(
    () => undefined,
    asFault,
  );
  return fault ?? unkept;
}
