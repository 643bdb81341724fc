import { type Diagnostic, visibleJson } from '../../domain/index.ts';
import { renderDiagnosticsSarif } from '../output/diagnostics-sarif.ts';
import { exitCodeOf, strongestExit } from '../output/exit-codes.ts';
import { envelopeOf } from '../output/json/envelope.ts';
import { PLAIN, type TextStyle } from '../output/layout/paint.ts';
import { REPORT_WIDTH } from '../output/report-format.ts';
import { type Context, type Format, kindOf, type Result } from '../program/command.ts';
import { writeReports } from '../session/files/report-files.ts';

interface ValidatedManifest {
  readonly diagnostics: readonly Diagnostic[];
  readonly textIn: (style: TextStyle) => string;
}

/** Writes the files of `--report`, and returns the result in the requested format. */
export async function reported(
  context: Context,
  result: Result,
  { diagnostics, textIn }: ValidatedManifest,
): Promise<Result> {
  const { command, tree, format } = context;
  const sarif = (): string => renderDiagnosticsSarif(diagnostics, tree.version());
  const renderIn = async (each: Format): Promise<string> => {
    if (each === 'sarif') return sarif();
    if (each === 'json') return `${visibleJson(envelopeOf(kindOf(command), result, diagnostics))}\n`;
    return `${textIn({ paint: PLAIN, width: REPORT_WIDTH })}\n`;
  };
  const faults = await writeReports(context, renderIn);
  return {
    ...result,
    exit: strongestExit([result.exit, ...faults.map(exitCodeOf)]),
    text: format === 'sarif' ? sarif() : result.text,
    ...(faults[0] ? { fault: faults[0] } : {}),
  };
}
