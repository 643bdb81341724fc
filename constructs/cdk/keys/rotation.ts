import { tryParseDuration, type UnixSeconds } from '../../../src/domain/index.ts';

const DAY = 86_400;

/** How often a successor comes, and how long the one before it stays. Both in Unix seconds, from the first generation on. */
export interface Timetable {
  readonly since: UnixSeconds;
  readonly every: number;
  readonly overlap: number;
}

/** @returns what is wrong with the lengths of time, or with how they go together */
export function timetableProblem({
  every,
  overlap,
}: {
  readonly every: string;
  readonly overlap: string;
}): string | undefined {
  const [period, rest] = [tryParseDuration(String(every)), tryParseDuration(String(overlap))];
  if (period === undefined || period % DAY !== 0)
    return `\`every\` has to be a number of days such as 90d, not ${JSON.stringify(every)}`;
  if (rest === undefined) return `\`overlap\` has to be a length of time such as 7d, not ${JSON.stringify(overlap)}`;
  return rest < period ? undefined : `\`overlap\`, ${overlap}, has to be shorter than \`every\`, ${every}`;
}

const dateOf = (at: UnixSeconds): string => new Date(at * 1000).toISOString().slice(0, 10);

/**
 * The generations that exist at a time, each by the day on which it becomes the current one: the current one first, and
 * during the overlap the one before it. Before the first day there is the first generation.
 */
export function generationsAt({ since, every, overlap }: Timetable, now: UnixSeconds): readonly string[] {
  const n = Math.max(0, Math.floor((now - since) / every));
  const begin = since + n * every;
  const isOverlapping = n > 0 && now - begin < overlap;
  return [begin, ...(isOverlapping ? [begin - every] : [])].map(dateOf);
}
