import type { Report, SourceDiagnostic } from '../../source/index.ts';

/** `version: 1` as a field of a map in block or flow style. */
const VERSION = /(?:^|[{,])[ \t]*(?:-[ \t]+)?(["']?)version\1[ \t]*:[ \t]*1(?:\.0*)?(?=[\s,}#]|$)/m;

/** Returns whether a text declares itself a manifest: only then are its lines shown. */
export const isManifest = (text: string): boolean => VERSION.test(text);

export const HIDDEN_LINE = 'a line that is not shown, because the file does not contain `version: 1`';

/** The diagnostics that quote nothing but the version, and names of fields. */
const HARMLESS: readonly SourceDiagnostic['code'][] = ['manifest.missing-field', 'manifest.unsupported-version'];

export const NOT_A_MANIFEST = {
  code: 'manifest.wrong-type',
  message: 'The file is not a manifest.',
  found: HIDDEN_LINE,
  expected: 'a map of fields that begins with `version: 1`',
  hint: 'Check the path: in a folder, Keyplane reads every YAML and JSON file.',
} as const;

/**
 * The report for a document of a file that is not a manifest: passes on the first diagnostic, and none of the text. Whoever can
 * change a path or add a link could otherwise read any file of the machine.
 */
export function reportOfForeign(report: Report): Report {
  let isReported = false;
  return {
    hide: report.hide,
    problem: (problem) => {
      if (!isReported) report.problem(HARMLESS.includes(problem.code) ? problem : { ...problem, ...NOT_A_MANIFEST });
      isReported = true;
    },
  };
}

/** A report of what is found before it is clear that a file is not a manifest. */
export const SILENT: Report = { problem: () => {}, hide: () => {} };
