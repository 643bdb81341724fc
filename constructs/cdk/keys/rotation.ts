import { tryParseDuration, type UnixSeconds } from '../../../src/domain/index.ts';

const DAY = 86_400;

/** The schedule of a rotation. `since` is the start of the first generation in Unix seconds, the others are seconds. */
export interface Schedule {
  readonly since: UnixSeconds;
  readonly every: number;
  readonly overlap: number;
}

/** Returns the error of a schedule, if any. */
export function scheduleError({
  every,
  overlap,
}: {
  readonly every: string;
  readonly overlap: string;
}): string | undefined {
  const [period, rest] = [tryParseDuration(String(every)), tryParseDuration(String(overlap))];
  if (period === undefined || period % DAY !== 0)
    return `\`every\` must be a number of days such as 90d, not ${JSON.stringify(every)}`;
  if (rest === undefined) return `\`overlap\` must be a duration such as 7d, not ${JSON.stringify(overlap)}`;
  return rest < period ? undefined : `\`overlap\`, ${overlap}, must be shorter than \`every\`, ${every}`;
}

const dateOf = (at: UnixSeconds): string => new Date(at * 1000).toISOString().slice(0, 10);

/**
 * Returns the generations that exist at a time, each by the day on which it becomes current: the current one first, and
 * during the overlap the one before it. Before the first day, the first generation exists.
 */
export function generationsAt({ since, every, overlap }: Schedule, now: UnixSeconds): readonly string[] {
  const n = Math.max(0, Math.floor((now - since) / every));
  const begin = since + n * every;
  const isOverlapping = n > 0 && now - begin < overlap;
  return [begin, ...(isOverlapping ? [begin - every] : [])].map(dateOf);
}
