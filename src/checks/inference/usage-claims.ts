import type { CheckRecorder } from '../check-module.ts';

/** What an answer says it used. Absent: it says nothing of it. */
export interface UsageFigures {
  readonly input: number | null | undefined;
  readonly output?: number | null | undefined;
  readonly total?: number | null | undefined;
  /** What of it went into reasoning; undefined: the answer tells nothing of that. */
  readonly reasoning?: number | undefined;
}

export interface UsageClaims {
  /** Was there something in the answer that took output? Undefined: the kind of answer has none. */
  readonly spoke?: boolean;
  /** Does the answer show that the model reasoned? */
  readonly reasoned?: boolean;
  /** Contract: these figures are part of the answer. */
  readonly total: boolean;
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

const shown = ({ input, output, total }: UsageFigures): string =>
  `input ${input ?? 'absent'}, output ${output ?? 'absent'}, total ${total ?? 'absent'}`;

/** What the details of usage figures say of reasoning, whatever the API calls them. */
export function reasoningIn(details: unknown): number | undefined {
  const reported = (details as { readonly reasoning_tokens?: unknown } | null | undefined)?.reasoning_tokens;
  return isCount(reported) ? reported : undefined;
}

/** Some vendors count reasoning in the total only: it may be more by what they say of that, or show without a figure. */
function claimSum(recorder: CheckRecorder, usage: UsageFigures, reasoned: boolean): void {
  const { input, output, total, reasoning } = usage;
  const more = (total as number) - (input as number) - (output ?? 0);
  const holds = more === 0 || (reasoning === undefined ? reasoned && more > 0 : more === reasoning);
  recorder.claim('the total is the sum of input and output', holds, shown(usage));
}

/** The usage figures are there, whole, and add up. */
export function claimUsage(
  recorder: CheckRecorder,
  usage: UsageFigures | undefined,
  { spoke, reasoned = false, total: hasTotal }: UsageClaims,
): void {
  recorder.claim('the usage figures are there', usage !== undefined);
  if (usage === undefined) return;
  const { input, output, total } = usage;
  const given = [input, ...(spoke === undefined ? [] : [output]), ...(hasTotal ? [total] : [])];
  recorder.claim('the usage figures are whole numbers', given.every(isCount), shown(usage));
  if (!given.every(isCount)) return;
  recorder.used({ input: input as number, output: output ?? 0 });
  recorder.claim('the request used input', (input as number) > 0, shown(usage));
  if (spoke) recorder.claim('the answer used output', (output as number) > 0, shown(usage));
  if (hasTotal && spoke !== undefined) claimSum(recorder, usage, reasoned);
  if (hasTotal && spoke === undefined) recorder.claim('the total is what was used', total === input, shown(usage));
}

/** For answers whose shape the contract does not show: the figures need not be there, but what is reported must be right. */
export function claimUsageIfReported(
  recorder: CheckRecorder,
  usage: UsageFigures | undefined,
  claims: UsageClaims,
): void {
  if (usage === undefined) return;
  const { input, output, total } = usage;
  const figures = [input, ...(claims.spoke === undefined ? [] : [output]), ...(claims.total ? [total] : [])];
  if (figures.every((figure) => typeof figure === 'number')) claimUsage(recorder, usage, claims);
}

/** The figures of a further request of the same check: only for the log to be known again. */
export function noteUsage(recorder: CheckRecorder, input: number | null | undefined): void {
  if (isCount(input)) recorder.used({ input, output: 0 });
}
