import { relative, resolve } from 'node:path';
import { fileTrouble } from '../domain/index.ts';
import type { Report } from './problem.ts';

/** How files are looked for. */
export interface Looking {
  readonly cwd: string;
  readonly report: Report;
}

/** A path as places name it: relative to the working folder when it lies in it, else absolute. */
export function displayName(path: string, cwd: string): string {
  const name = relative(cwd, path);
  return name === '' || name.startsWith('..') || resolve(name) === name ? path : name;
}

export function reportUnreadable(path: string, error: unknown, { cwd, report }: Looking): void {
  const isMissing = (error as { code?: unknown }).code === 'ENOENT';
  report.problem({
    code: 'manifest.unreadable',
    at: { file: displayName(path, cwd), line: 1, column: 1 },
    message: `${displayName(path, cwd)} can not be read.`,
    found: fileTrouble(error),
    expected: 'a readable file of UTF-8 text, or a folder',
    hint: isMissing ? 'Is the path right? `keyplane init` writes a first manifest.' : `The path is ${path}.`,
  });
}
