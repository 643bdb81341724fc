import { type CheckResult, isFlaky } from '../../../domain/index.ts';
import type { Paint } from '../layout/paint.ts';

/** How a result looks. Each sign means the same without colour. */
export interface Look {
  readonly sign: string;
  readonly word: string;
  readonly colour: keyof Paint;
}

export const LOOKS = {
  passed: { sign: '✓', word: 'passed', colour: 'good' },
  flaky: { sign: '~', word: 'flaky', colour: 'change' },
  failed: { sign: '✗', word: 'failed', colour: 'bad' },
  skipped: { sign: '–', word: 'skipped', colour: 'faint' },
  unprovable: { sign: '?', word: 'unprovable', colour: 'change' },
} as const satisfies Record<string, Look>;

export type LookName = keyof typeof LOOKS;

/** Passed at the first attempt and passed at a later one are two things. */
export const lookOf = (result: CheckResult): LookName => (isFlaky(result) ? 'flaky' : result.verdict);

/** How many results look so, in the order of the table. */
export function countLooks(results: readonly CheckResult[]): readonly (readonly [LookName, number])[] {
  return (Object.keys(LOOKS) as LookName[]).map(
    (name) => [name, results.filter((result) => lookOf(result) === name).length] as const,
  );
}
