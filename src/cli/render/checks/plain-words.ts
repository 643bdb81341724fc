import type { CheckReport, CheckResult } from '../../../domain/index.ts';
import { isFlaky } from '../../../domain/index.ts';
import { printable } from '../printable.ts';

/** Results by key, each key once, in the order in which they first occur. */
export function byKey({
  results,
}: Pick<CheckReport, 'results'>): readonly (readonly [string, readonly CheckResult[]])[] {
  const keys = new Map<string, CheckResult[]>();
  for (const result of results) keys.set(result.key, [...(keys.get(result.key) ?? []), result]);
  return [...keys];
}

/** All that is to be said of a result that did not simply pass, in lines of plain text. */
export function explain(result: CheckResult): readonly string[] {
  const { reason, hint, findings, taskId, exchanges, attempts } = result;
  const broken = findings.filter(({ holds }) => !holds);
  const ids = exchanges.flatMap(({ requestId }) => (requestId === undefined ? [] : [requestId]));
  const lines = [
    ...(reason === undefined ? [] : [reason]),
    ...(broken.length > 1
      ? broken.map(({ claim, found }) => `- ${claim}${found === undefined ? '' : ` (found ${found})`}`)
      : []),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
    ...(taskId === undefined ? [] : [`task: ${taskId}`]),
    ...(ids.length > 0 ? [`requests: ${ids.join(' ')}`] : []),
    ...(isFlaky(result) ? [`flaky: passed at attempt ${attempts}`] : []),
  ];
  return lines.map(printable);
}
