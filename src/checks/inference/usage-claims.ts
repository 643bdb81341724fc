import type { Examination } from '../module.ts';

/** What an answer says it used. Absent: it says nothing of it. */
export interface UsageFigures {
  readonly input: number | null | undefined;
  readonly output?: number | null | undefined;
  readonly total?: number | null | undefined;
}

export interface UsageClaims {
  /** Was there something in the answer that took output? Undefined: the kind of answer has none. */
  readonly spoke?: boolean;
  /** Contract: these figures are part of the answer. */
  readonly total: boolean;
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

const shown = ({ input, output, total }: UsageFigures): string =>
  `input ${input ?? 'absent'}, output ${output ?? 'absent'}, total ${total ?? 'absent'}`;

/**
 * The usage figures are there, whole, and add up. Some vendors count reasoning in the total only: it may be more than the
 * parts, and never less.
 */
export function claimUsage(
  exam: Examination,
  usage: UsageFigures | undefined,
  { spoke, total: hasTotal }: UsageClaims,
): void {
  exam.claim('the usage figures are there', usage !== undefined);
  if (usage === undefined) return;
  const { input, output, total } = usage;
  const given = [input, ...(spoke === undefined ? [] : [output]), ...(hasTotal ? [total] : [])];
  exam.claim('the usage figures are whole numbers', given.every(isCount), shown(usage));
  if (!given.every(isCount)) return;
  exam.used({ input: input as number, output: output ?? 0 });
  exam.claim('the request used input', (input as number) > 0, shown(usage));
  if (spoke) exam.claim('the answer used output', (output as number) > 0, shown(usage));
  if (hasTotal)
    exam.claim(
      'the total is no less than its parts',
      (total as number) >= (input as number) + (output ?? 0),
      shown(usage),
    );
  if (hasTotal && spoke === undefined) exam.claim('the total is what was used', total === input, shown(usage));
}

/** The figures of a further request of the same check: only for the log to be known again. */
export function noteUsage(exam: Examination, input: number | null | undefined): void {
  if (isCount(input)) exam.used({ input, output: 0 });
}
