import type { CheckRecorder } from '../check-module.ts';

/** The usage that an answer reports; a figure is absent if it does not report it. */
export interface UsageFigures {
  readonly input: number | null | undefined;
  readonly output?: number | null | undefined;
  readonly total?: number | null | undefined;
  /** The part of it that was reasoning. */
  readonly reasoning?: number | undefined;
}

interface UsageClaims {
  /** True if the answer has content that takes output. Absent for kinds of answers without output figures. */
  readonly hasOutput?: boolean;
  /** True if the answer shows that the model has reasoned. */
  readonly reasoned?: boolean;
  /** True if the contract has a total in this kind of answer. */
  readonly total: boolean;
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

const render = ({ input, output, total }: UsageFigures): string =>
  `input ${input ?? 'absent'}, output ${output ?? 'absent'}, total ${total ?? 'absent'}`;

/** Reads the reasoning tokens from the details of usage figures, which both APIs have. */
export function reasoningIn(details: unknown): number | undefined {
  const tokens = (details as { readonly reasoning_tokens?: unknown } | null | undefined)?.reasoning_tokens;
  return isCount(tokens) ? tokens : undefined;
}

/** Claims the total. Some vendors count reasoning in the total only, and may not report it. */
function claimSum(
  recorder: CheckRecorder,
  usage: UsageFigures,
  { rest, reasoned }: { rest: number; reasoned: boolean },
): void {
  const { reasoning } = usage;
  const holds = rest === 0 || (reasoning === undefined ? reasoned && rest > 0 : rest === reasoning);
  recorder.claim('the total is the sum of input and output', holds, render(usage));
}

const figuresOf = ({ input, output, total }: UsageFigures, { hasOutput, total: hasTotal }: UsageClaims) => [
  input,
  ...(hasOutput === undefined ? [] : [output]),
  ...(hasTotal ? [total] : []),
];

/** Claims that the usage figures are present, whole, and add up. */
export function claimUsage(recorder: CheckRecorder, usage: UsageFigures | undefined, claims: UsageClaims): void {
  const { hasOutput, reasoned = false, total: hasTotal } = claims;
  recorder.claim('the answer reports its usage', usage !== undefined);
  if (usage === undefined) return;
  const areCounts = figuresOf(usage, claims).every(isCount);
  recorder.claim('the usage figures are whole numbers', areCounts, render(usage));
  if (!areCounts) return;
  const { input: knownInput, output: knownOutput, total } = usage;
  const [input, output] = [knownInput ?? 0, knownOutput ?? 0];
  recorder.used({ input, output });
  recorder.claim('the request used input', input > 0, render(usage));
  if (hasOutput) recorder.claim('the answer used output', output > 0, render(usage));
  if (hasTotal && hasOutput !== undefined) {
    claimSum(recorder, usage, { rest: (total ?? 0) - input - output, reasoned });
  }
  if (hasTotal && hasOutput === undefined) recorder.claim('the total equals the input', total === input, render(usage));
}

/** Claims usage that the contract does not demand: it may be missing, but must be right. */
export function claimReportedUsage(
  recorder: CheckRecorder,
  usage: UsageFigures | undefined,
  claims: UsageClaims,
): void {
  if (usage === undefined) return;
  if (figuresOf(usage, claims).every((figure) => typeof figure === 'number')) claimUsage(recorder, usage, claims);
}

/** Records the usage of a further request of the same check, which identifies its entry in the usage log. */
export function noteUsage(recorder: CheckRecorder, input: number | null | undefined): void {
  if (isCount(input)) recorder.used({ input, output: 0 });
}
