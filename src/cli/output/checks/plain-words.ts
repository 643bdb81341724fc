import type { CheckReport, CheckResult } from '../../../domain/index.ts';
import { isFlaky } from '../../../domain/index.ts';
import { printable } from '../layout/printable.ts';

/** Results by key, each key once, in the order in which they first occur. */
export function byKey({
  results,
}: Pick<CheckReport, 'results'>): readonly (readonly [string, readonly CheckResult[]])[] {
  const keys = new Map<string, CheckResult[]>();
  for (const result of results) keys.set(result.key, [...(keys.get(result.key) ?? []), result]);
  return [...keys];
}

/** The reason why a result is not simply passed, in a line of plain text. */
export const reasonOf = (result: CheckResult): string =>
  printable(isFlaky(result) ? `passed on attempt ${result.attempts}` : (result.reason ?? ''));

/** The claims that do not hold, each in a line, without those that are in the reason already. */
export const brokenClaims = ({ findings, reason = '' }: CheckResult): readonly string[] =>
  findings
    .filter(({ holds, claim }) => !holds && !reason.includes(claim))
    .map(({ claim, found }) => printable(found === undefined ? claim : `${claim} (found ${found})`));

/** The ids under which the gateway knows the requests of a result. */
export const requestIds = ({ exchanges }: CheckResult): readonly string[] =>
  exchanges.flatMap(({ requestId }) => (requestId === undefined ? [] : [printable(requestId)]));

/** The explanation of a result that did not simply pass, in lines of plain text. */
export function explain(result: CheckResult): readonly string[] {
  const { hint, taskId } = result;
  const ids = requestIds(result);
  const reason = reasonOf(result);
  return [
    ...(reason === '' ? [] : [isFlaky(result) ? `flaky: ${reason}` : reason]),
    ...brokenClaims(result).map((claim) => `- ${claim}`),
    ...(hint === undefined ? [] : [`hint: ${printable(hint)}`]),
    ...(taskId === undefined ? [] : [`task: ${printable(taskId)}`]),
    ...(ids.length > 0 ? [`requests: ${ids.join(' ')}`] : []),
  ];
}
