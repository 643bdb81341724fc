import { basename, relative, resolve } from 'node:path';
import { fileTrouble } from '../domain/index.ts';
import type { Report } from './diagnostics.ts';

/** The context in which files are found. */
export interface FileContext {
  readonly cwd: string;
  readonly report: Report;
}

/** A path as places name it: relative to the working folder when it lies in it, else absolute. */
export function displayName(path: string, cwd: string): string {
  const name = relative(cwd, path);
  return name === '' || name.startsWith('..') || resolve(name) === name ? path : name;
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

const isNotUtf8 = (error: unknown): boolean => codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA';

export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** @param hint replaces the advice to check the path */
export function reportUnreadable(
  path: string,
  error: unknown,
  { cwd, report, hint }: FileContext & { readonly hint?: string | undefined },
): void {
  const isInput = isMissing(error) && basename(path) === '-';
  const usual = isMissing(error)
    ? 'Is the path right?'
    : isNotUtf8(error)
      ? 'If it is the right file, save it as UTF-8.'
      : `The path is ${path}.`;
  const advice = isInput ? 'To read standard input, pass /dev/stdin.' : usual;
  report.problem({
    code: 'manifest.unreadable',
    at: { file: displayName(path, cwd), line: 1, column: 1 },
    message: `${displayName(path, cwd)} cannot be read.`,
    found: fileTrouble(error),
    expected: 'a readable file of UTF-8 text, or a folder',
    hint: hint ?? advice,
    ...(hint === undefined && isMissing(error) && !isInput ? { remedy: 'create-manifest' } : {}),
  });
}
