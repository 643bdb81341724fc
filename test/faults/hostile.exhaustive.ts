import { describe, expect, it } from 'vitest';
import { crowded, playedOn, playSeed } from './hostile.ts';
import { SCENARIOS } from './scenarios.ts';

/** Other seeds continue a stopped run, or repeat one that failed. */
const FIRST = Number(process.env.HOSTILE_SEED ?? 1);
const SEEDS = process.env.HOSTILE_SEED ? 1 : 300;
const CROWDED_SEEDS = Math.ceil(SEEDS / 6);

const lanes = SCENARIOS.flatMap((scenario) => [
  { scenario, title: scenario.title, seeds: SEEDS },
  { scenario: crowded(scenario), title: `${scenario.title}, two pages of keys`, seeds: CROWDED_SEEDS },
]);

describe('on a hostile server', () => {
  it.each(lanes)('$title: $seeds seeds show the truth, and the next run converges', async ({ scenario, seeds }) => {
    const played = await playedOn(scenario);
    const failures: string[] = [];
    for (let seed = FIRST; seed < FIRST + seeds; seed += 1) {
      const { failure } = await playSeed(played, seed);
      if (failure !== undefined) failures.push(failure);
    }
    expect(failures).toEqual([]);
  });
});
