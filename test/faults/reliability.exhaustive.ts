import { describe, expect, it } from 'vitest';
import { combinationsOf, measure, PROFILES, problemsOf } from './combinations.ts';
import { SCENARIOS } from './scenarios.ts';

const measured = await Promise.all(SCENARIOS.map(measure));

/** One test for each request, so that `-t` continues a stopped run, and its progress is visible. */
const requests = measured.flatMap(({ scenario, runs }) =>
  PROFILES.flatMap((profile) => {
    const clean = runs[profile];
    const combinations = combinationsOf(clean);
    return clean.routes.map((route, i) => ({
      title: `${scenario.title}, ${profile}, request ${i + 1} (${route})`,
      scenario,
      profile,
      clean,
      combinations: combinations.filter(({ position }) => position === i + 1),
    }));
  }),
);

describe('the report is true after every fault in', () => {
  it.each(requests.map((request) => [request.title, request] as const))(
    '%s',
    async (_title, { scenario, profile, clean, combinations }) => {
      const wrong: string[] = [];
      for (const combination of combinations) {
        const problems = await problemsOf({ scenario, profile, clean }, combination);
        wrong.push(...problems.map((problem) => `${combination.fault.title}: ${problem}`));
      }
      expect(wrong).toEqual([]);
    },
  );
});
