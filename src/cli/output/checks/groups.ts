import type { CheckResult } from '../../../domain/index.ts';
import { renderFirst } from '../layout/amount.ts';
import { printable } from '../layout/printable.ts';
import { markOf } from './signs.ts';

/** Checks, and the keys that each of them is about. */
interface ChecksOfKeys {
  readonly checks: readonly string[];
  readonly keys: readonly string[];
}

/** Results with the same text. */
export interface ResultGroup {
  readonly results: readonly [CheckResult, ...CheckResult[]];
  readonly rows: readonly ChecksOfKeys[];
}

/** Values under what they have in common, in the order in which that first occurs. */
function groupBy<T>(values: readonly T[], by: (value: T) => unknown): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const value of values) {
    const common = JSON.stringify(by(value));
    const group = groups.get(common);
    if (group) group.push(value);
    else groups.set(common, [value]);
  }
  return [...groups.values()];
}

/** Groups the keys that have the same checks here. */
function rowsOf(results: readonly CheckResult[]): readonly ChecksOfKeys[] {
  const ofKeys = groupBy(results, ({ key }) => key).map((own) => ({
    key: own[0].key,
    checks: own.map(({ check }) => check),
  }));
  return groupBy(ofKeys, ({ checks }) => checks).map((same) => ({
    checks: same[0].checks,
    keys: same.map(({ key }) => key),
  }));
}

/** Groups results, so that one problem of thirty keys is reported once. */
export function groupsOf(results: readonly CheckResult[]): readonly ResultGroup[] {
  const same = groupBy(results, (result) => {
    const { reason, hint, attempts, findings } = result;
    const look = markOf(result);
    return [look, reason, hint, findings.filter(({ holds }) => !holds), look === 'flaky' ? attempts : 0];
  });
  return same.map((group) => ({ results: group, rows: rowsOf(group) }));
}

const MOST_NAMES = 6;

/** `a, b, c`; of many names the first, and how many more there are. */
export function renderNames(names: readonly string[]): string {
  return renderFirst(names.map(printable), MOST_NAMES);
}
