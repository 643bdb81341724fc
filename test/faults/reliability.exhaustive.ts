import { describe, expect, it } from 'vitest';
import { combinationsOf, PROFILES, problemsOf, runClean } from './combinations.ts';
import { SCENARIOS } from './scenarios.ts';

describe.each(PROFILES)('with profile %s', (profile) => {
  it.each(SCENARIOS)('$title reports the truth after every fault at every request', async (scenario) => {
    const clean = await runClean(scenario, profile);
    const wrong: string[] = [];
    for (const combination of combinationsOf(clean)) {
      const at = `${combination.position} ${clean.routes[combination.position - 1]}, ${combination.fault.title}`;
      const problems = await problemsOf(scenario, { profile, clean }, combination);
      wrong.push(...problems.map((problem) => `${at}: ${problem}`));
    }
    expect(wrong).toEqual([]);
  });
});
