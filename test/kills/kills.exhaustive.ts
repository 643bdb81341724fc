import { describe, expect, it } from 'vitest';
import { PROFILES } from '../acceptance/place.ts';
import { problemsOf, stepsOf } from './kills.ts';
import { VICTIMS } from './victims.ts';

describe.each(PROFILES)('with profile %s', (profile) => {
  it.each(VICTIMS)('$title loses and doubles nothing when it is killed after any step', async (victim) => {
    const steps = await stepsOf(victim, profile);
    console.log(`${victim.title}, ${profile}: ${steps.length} steps`);
    const wrong: string[] = [];
    for (const [i, step] of steps.entries()) {
      const problems = await problemsOf(victim, profile, i + 1);
      wrong.push(...problems.map((problem) => `${i + 1} ${step}: ${problem}`));
    }
    expect(wrong).toEqual([]);
  });
});
