import type { CheckReport, CheckResult } from '../../../domain/index.ts';

/** One check over all keys that it ran for. Times in milliseconds, charges in quota units. */
export interface Tally {
  readonly check: string;
  readonly runs: number;
  readonly shortest: number;
  readonly median: number;
  readonly longest: number;
  readonly firstByte?: number;
  /** Absent: the usage log does not report it. */
  readonly charged?: number;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

const numbersOf = (
  results: readonly CheckResult[],
  pick: (result: CheckResult) => number | undefined,
): readonly number[] => results.flatMap((result) => pick(result) ?? []);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function tallyOf(check: string, own: readonly CheckResult[]): Tally {
  const times = numbersOf(own, ({ durationMs }) => durationMs);
  const firstBytes = numbersOf(own, ({ firstByteMs }) => firstByteMs);
  const charges = numbersOf(own, ({ cost }) => cost.charged);
  return {
    check,
    runs: own.length,
    shortest: Math.min(...times),
    median: median(times),
    longest: Math.max(...times),
    ...(firstBytes.length > 0 ? { firstByte: median(firstBytes) } : {}),
    ...(charges.length > 0 ? { charged: sum(charges) } : {}),
  };
}

/** The tally of every check that ran, in the order of their first runs. */
export function tallies({ results }: Pick<CheckReport, 'results'>): readonly Tally[] {
  const byCheck = new Map<string, CheckResult[]>();
  for (const result of results) {
    if (result.durationMs === undefined) continue;
    byCheck.set(result.check, [...(byCheck.get(result.check) ?? []), result]);
  }
  return [...byCheck].map(([check, own]) => tallyOf(check, own));
}

/** The charges of one key; undefined where they are unknown. */
export function chargedTo(key: string, { results }: Pick<CheckReport, 'results'>): number | undefined {
  const charges = numbersOf(
    results.filter((result) => result.key === key),
    ({ cost }) => cost.charged,
  );
  return charges.length > 0 ? sum(charges) : undefined;
}
