import { blankCredentials, type Diagnostic, type Place } from '../domain/index.ts';

/** A diagnostic about a source text: its place and all of its texts are required. An omitted severity means error. */
export interface SourceDiagnostic
  extends Required<Pick<Diagnostic, 'code' | 'message' | 'found' | 'expected' | 'hint'>>,
    Pick<Diagnostic, 'remedy' | 'related'> {
  readonly severity?: Diagnostic['severity'];
  readonly at: Place;
}

/** Collects diagnostics, and the ranges of files that must not be shown. */
export interface Report {
  readonly problem: (diagnostic: SourceDiagnostic) => void;
  /** Marks a range of a file's text, by offsets, as secret. */
  readonly hide: (file: string, range: readonly [number, number]) => void;
}

export interface Collected extends Report {
  readonly diagnostics: () => readonly Diagnostic[];
  readonly hasErrors: () => boolean;
  readonly hidden: (file: string) => readonly (readonly [number, number])[];
}

/** Blanks everything in a diagnostic that looks like a credential. */
function diagnosticOf({ severity = 'error', code, at, related, remedy, ...texts }: SourceDiagnostic): Diagnostic {
  return {
    severity,
    code,
    message: blankCredentials(texts.message),
    found: blankCredentials(texts.found),
    expected: blankCredentials(texts.expected),
    hint: blankCredentials(texts.hint),
    ...(remedy ? { remedy } : {}),
    place: at,
    ...(related ? { related } : {}),
  };
}

/** More diagnostics help nobody: a text with a mistake in each of its values would take seconds and a gigabyte. */
const MOST_DIAGNOSTICS = 10_000;

const notListed = ({ at, severity = 'error' }: SourceDiagnostic): Diagnostic =>
  diagnosticOf({
    severity,
    code: 'manifest.syntax',
    at,
    message: `Only the first ${MOST_DIAGNOSTICS.toLocaleString('en')} diagnostics are listed.`,
    found: 'more',
    expected: 'none',
    hint: 'Correct these first: others may have the same cause.',
  });

/** A report that keeps each diagnostic once, in the order of `files`, then of lines and columns, up to a number. */
export function collect(files: () => readonly string[]): Collected {
  const kept = new Map<string, Diagnostic>();
  const ranges = new Map<string, (readonly [number, number])[]>();
  let hasErrors = false;
  let last: Diagnostic | undefined;
  const sorted = (): readonly Diagnostic[] => {
    const ranks = new Map(files().map((name, rank) => [name, rank]));
    const rank = (file: string): number => ranks.get(file) ?? -1;
    const order = ({ place: a }: Diagnostic, { place: b }: Diagnostic): number => {
      if (!a || !b) return a ? 1 : b ? -1 : 0;
      return rank(a.file) - rank(b.file) || a.line - b.line || a.column - b.column;
    };
    return [...[...kept.values()].sort(order), ...(last ? [last] : [])];
  };
  return {
    problem: (problem) => {
      const { severity = 'error' } = problem;
      hasErrors ||= severity === 'error';
      if (kept.size === MOST_DIAGNOSTICS) {
        if (last?.severity !== 'error') last = notListed(problem);
        return;
      }
      const diagnostic = diagnosticOf(problem);
      const { file, line, column, endLine, endColumn } = problem.at;
      // One line of Terraform JSON may declare many keys: report it once.
      const at = [file, line, column, endLine, endColumn];
      const identity = [diagnostic.code, ...at, diagnostic.message, diagnostic.found].join('\0');
      if (kept.has(identity)) return;
      kept.set(identity, diagnostic);
    },
    hide: (file, range) => {
      const known = ranges.get(file);
      if (known) known.push(range);
      else ranges.set(file, [range]);
    },
    diagnostics: sorted,
    hasErrors: () => hasErrors,
    hidden: (file) => ranges.get(file) ?? [],
  };
}
