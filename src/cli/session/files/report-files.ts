import { extname, resolve } from 'node:path';
import { writePrivately } from '../../../disk/index.ts';
import { asFault, Fault } from '../../../domain/index.ts';
import { ALL_FORMATS, type Context, ENDINGS, type Format } from '../../program/command.ts';
import { texts } from '../../program/option.ts';

/** The format that the ending of a file name stands for; undefined for any other ending. */
export const formatOfEnding = (file: string): Format | undefined =>
  ALL_FORMATS.find((format) => ENDINGS[format] === extname(file).toLowerCase());

/** A report in addition to the result. */
export interface ReportFile {
  readonly file: string;
  readonly format: Format;
}

/** One output would replace the other: a report in place of the saved plan. */
function refuseSharedFiles(files: readonly string[], cwd: string): void {
  const paths = files.map((file) => resolve(cwd, file));
  const shared = files.find((_, i) => paths.indexOf(paths[i] ?? '') !== i);
  if (shared === undefined) return;
  throw new Fault('usage.invalid', `${JSON.stringify(shared)} is given for two outputs of one run.`, {
    hint: 'Give each --out and --report its own file.',
  });
}

/**
 * The files of `--report`, each in the format of its ending, else in that of `--format`.
 *
 * @throws Fault `usage.invalid` when neither determines a format that the command has, or two outputs share a file
 */
export function reportFiles({ given, command, format, io }: Context): readonly ReportFile[] {
  refuseSharedFiles([...texts(given, 'out'), ...texts(given, 'report')], io.cwd);
  return texts(given, 'report').map((file) => {
    const found = formatOfEnding(file) ?? (given.has('format') ? format : undefined);
    if (found !== undefined && command.formats.includes(found)) return { file, format: found };
    const endings = command.formats.map((each) => ENDINGS[each]);
    throw new Fault(
      'usage.invalid',
      `Invalid value ${JSON.stringify(file)} for --report: its extension does not select a format of this command.`,
      { hint: `Use one of the extensions ${endings.join(', ')}, or select the format with --format.` },
    );
  });
}

/**
 * Writes every file of `--report` that can be written, except those whose format has no text.
 *
 * @returns the faults of the files that cannot be written
 */
export async function writeReports(
  context: Context,
  render: (format: Format) => Promise<string | undefined>,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const { file, format } of reportFiles(context)) {
    try {
      const text = await render(format);
      if (text !== undefined) await writePrivately(resolve(context.io.cwd, file), context.mask(text));
    } catch (thrown) {
      faults.push(asFault(thrown));
    }
  }
  return faults;
}
