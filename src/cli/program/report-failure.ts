import { type Diagnostic, type Fault, visibleJson } from '../../domain/index.ts';
import { renderFailure } from '../output/failure/formats.ts';
import { renderFault } from '../output/fault.ts';
import { envelopeOf } from '../output/json/envelope.ts';
import { isReportFormat } from '../output/report-format.ts';
import { writeReports } from '../session/files/report-files.ts';
import { type Context, type Format, kindOf } from './command.ts';

/**
 * Writes the files of `--report` for a run that ended without a result, in each format that can show it. SARIF
 * cannot: code scanning takes a finding that is missing for one that is fixed.
 *
 * @returns the result in a format of `--format` that is a report; undefined for text and JSON
 */
export async function reportFailure(
  context: Context,
  fault: Fault,
  diagnostics: readonly Diagnostic[],
): Promise<string | undefined> {
  const { command, tree, format, paint, width, now } = context;
  const run = { command: [tree.name, ...command.path].join(' '), fault, diagnostics, at: now() };
  const renderIn = async (each: Format): Promise<string | undefined> => {
    if (isReportFormat(each)) return await renderFailure(run, each);
    if (each !== 'json') return undefined;
    return `${visibleJson(envelopeOf(kindOf(command), { data: null, fault }, diagnostics))}\n`;
  };
  // An invalid --report is the fault itself.
  const unwritten = await writeReports(context, renderIn).catch(() => []);
  for (const each of unwritten) context.print(renderFault(each, paint.err, width.err));
  return format === 'text' || format === 'json' ? undefined : await renderIn(format);
}
