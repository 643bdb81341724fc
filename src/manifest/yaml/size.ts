import type { Report } from '../../source/index.ts';
import type { SourceFile } from '../files/source-file.ts';

/** Each value takes up to two kilobytes of memory while a file is parsed. */
const MOST_VALUES = 500_000;

/**
 * Each kind of token that values are made of, and how many of it a value has at least. A line end, a colon, a comma, a bracket
 * that opens, `?`, and `- ` are of one kind: a valid text has no more values than these, and one. The other kinds bound a text
 * that is not valid, and is parsed all the same.
 */
const KINDS: readonly (readonly [token: RegExp, each: number])[] = [
  [/[\n:,[{?]|-(?=\s)/g, 1],
  [/[\]}]/g, 1],
  [/["']/g, 2],
  [/[&*!]/g, 1],
];

function valuesIn(text: string): number {
  const counts = KINDS.map(([token, each]) => {
    let count = 0;
    for (const _ of text.matchAll(token)) count += 1;
    return count / each;
  });
  return Math.max(...counts);
}

/**
 * Returns the YAML files that can be parsed in reasonable memory, and reports the first that cannot. All files of a manifest
 * count together. Linear, before anything is parsed.
 */
export function parseableFiles(files: readonly SourceFile[], report: Report): ReadonlySet<SourceFile> {
  const parseable = new Set<SourceFile>();
  let values = 0;
  for (const file of files) {
    if (!file.module) values += valuesIn(file.text);
    if (values > MOST_VALUES) {
      report.problem({
        code: 'manifest.syntax',
        at: { file: file.name, line: 1, column: 1 },
        message: 'The manifest is too large.',
        found: `more than ${MOST_VALUES.toLocaleString('en')} lines and values in its YAML files`,
        expected: `at most ${MOST_VALUES.toLocaleString('en')}`,
        hint: 'Split it into several manifests with a scope of their own.',
      });
      return parseable;
    }
    parseable.add(file);
  }
  return parseable;
}
