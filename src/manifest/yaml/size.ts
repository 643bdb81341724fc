import type { Report } from '../../source/index.ts';
import type { SourceFile } from '../files/source-file.ts';

/** A value of YAML takes up to two kilobytes of memory while a file is parsed, one of Terraform JSON half of one. */
const MOST_VALUES = { YAML: 500_000, 'Terraform JSON': 2_000_000 } as const;

/**
 * The characters of each kind of token that values are made of, and how many of it a value has at least. A line end, a colon, a
 * comma, a bracket that opens, `?`, and `- ` are of one kind: a valid text has no more values than these, and one. The other kinds
 * bound a text that is not valid, and is parsed all the same.
 */
const KINDS: readonly (readonly [characters: string, each: number])[] = [
  ['\n:,[{?-', 1],
  [']}', 1],
  ['"\'', 2],
  ['&*!', 1],
];

const DASH = '-'.charCodeAt(0);

/** The kind of each character of ASCII; others are of none. */
const KIND_OF = Array.from({ length: 128 }, (_, code) =>
  KINDS.findIndex(([characters]) => characters.includes(String.fromCharCode(code))),
);

function valuesIn(text: string): number {
  const counts = KINDS.map(() => 0);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = KIND_OF[code] ?? -1;
    if (kind < 0 || (code === DASH && !/\s/.test(text[i + 1] ?? ''))) continue;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return Math.max(...counts.map((count, kind) => count / (KINDS[kind]?.[1] ?? 1)));
}

/**
 * Returns the files that can be parsed in reasonable memory, and reports the first that cannot. All files of a manifest that
 * have one language count together. Linear, before anything is parsed.
 */
export function parseableFiles(files: readonly SourceFile[], report: Report): ReadonlySet<SourceFile> {
  const parseable = new Set<SourceFile>();
  const values = { YAML: 0, 'Terraform JSON': 0 };
  for (const file of files) {
    const language = file.module ? 'Terraform JSON' : 'YAML';
    const most = MOST_VALUES[language];
    values[language] += valuesIn(file.text);
    if (values[language] > most) {
      report.problem({
        code: 'manifest.syntax',
        at: { file: file.name, line: 1, column: 1 },
        message: 'The manifest is too large.',
        found: `more than ${most.toLocaleString('en')} lines and values in its ${language} files`,
        expected: `at most ${most.toLocaleString('en')}`,
        hint: 'Split it into several manifests with a scope of their own.',
      });
      return parseable;
    }
    parseable.add(file);
  }
  return parseable;
}
