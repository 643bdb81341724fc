import { playHistory } from './history.ts';
import { judge } from './verdict.ts';

export interface Played {
  /** Each with its seed, which repeats the history. */
  readonly problems: readonly string[];
  readonly edits: number;
  /** The edits that fell into the one round trip between the last read and the write, and were overwritten. */
  readonly roundTrips: number;
  readonly crashes: number;
  /** The twins that concurrent runs made and deleted again. */
  readonly twins: number;
}

/** Plays and judges the histories of these seeds. */
export async function playAll(first: number, last: number): Promise<Played> {
  const problems: string[] = [];
  const sums = { edits: 0, roundTrips: 0, crashes: 0, twins: 0 };
  for (let seed = first; seed <= last; seed += 1) {
    const verdict = judge(await playHistory(seed));
    problems.push(...verdict.problems.map((problem) => `history ${seed}: ${problem}`));
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += verdict[name];
  }
  return { problems, ...sums };
}
