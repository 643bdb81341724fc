import { type CheckResult, isFlaky } from '../../../domain/index.ts';
import type { Paint } from '../layout/paint.ts';

/** The sign, word and colour of a result. Each sign has the same meaning without colour. */
export interface Mark {
  readonly sign: string;
  readonly word: string;
  readonly colour: keyof Paint;
}

export const MARKS = {
  passed: { sign: '✓', word: 'passed', colour: 'good' },
  flaky: { sign: '~', word: 'flaky', colour: 'change' },
  failed: { sign: '✗', word: 'failed', colour: 'bad' },
  skipped: { sign: '–', word: 'skipped', colour: 'faint' },
  unprovable: { sign: '?', word: 'unprovable', colour: 'change' },
} as const satisfies Record<string, Mark>;

export type MarkName = keyof typeof MARKS;

/** Passed at the first attempt and passed at a later one are two things. */
export const markOf = (result: CheckResult): MarkName => (isFlaky(result) ? 'flaky' : result.verdict);

/** The number of results with each mark, in the order of the table. */
export function countMarks(results: readonly CheckResult[]): readonly (readonly [MarkName, number])[] {
  return (Object.keys(MARKS) as MarkName[]).map(
    (name) => [name, results.filter((result) => markOf(result) === name).length] as const,
  );
}
