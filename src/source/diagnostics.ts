import { blankCredentials, type Diagnostic, type Place } from '../domain/index.ts';

/** A diagnostic about a source text. Its place, what was found, what was expected and what to do are all required. */
export interface Problem {
  readonly code: Diagnostic['code'];
  /** Absent: error. */
  readonly severity?: Diagnostic['severity'];
  readonly at: Place;
  readonly message: string;
  readonly found: string;
  readonly expected: string;
  readonly hint: string;
  readonly remedy?: Diagnostic['remedy'];
  readonly related?: Diagnostic['related'];
}

/** Collects diagnostics, and the ranges of files that must not be shown. */
export interface Report {
  readonly problem: (problem: Problem) => void;
  /** Marks a range of a file's text, by offsets, as secret. */
  readonly hide: (file: string, range: readonly [number, number]) => void;
}

export interface Collected extends Report {
  readonly diagnostics: () => readonly Diagnostic[];
  readonly hidden: (file: string) => readonly (readonly [number, number])[];
}

/** Blanks everything in a diagnostic that looks like a credential. */
function diagnosticOf({ severity = 'error', code, at, related, remedy, ...texts }: Problem): Diagnostic {
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

/** A report that keeps each diagnostic once, in the order of `files`, then of lines and columns. */
export function collect(files: () => readonly string[]): Collected {
  const kept = new Map<string, Diagnostic>();
  const ranges = new Map<string, (readonly [number, number])[]>();
  const order = (a: Diagnostic, b: Diagnostic): number => {
    const names = files();
    const [p, q] = [a.place, b.place];
    if (!p || !q) return p ? 1 : q ? -1 : 0;
    return names.indexOf(p.file) - names.indexOf(q.file) || p.line - q.line || p.column - q.column;
  };
  return {
    problem: (problem) => {
      const diagnostic = diagnosticOf(problem);
      // One line of Terraform JSON may declare many keys: report it once.
      const { construct: _construct, ...place } = problem.at;
      const identity = JSON.stringify([diagnostic.code, place, diagnostic.message, diagnostic.found]);
      if (!kept.has(identity)) kept.set(identity, diagnostic);
    },
    hide: (file, range) => {
      ranges.set(file, [...(ranges.get(file) ?? []), range]);
    },
    diagnostics: () => [...kept.values()].sort(order),
    hidden: (file) => ranges.get(file) ?? [],
  };
}
