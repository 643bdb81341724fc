import { expect, it } from 'vitest';
import { type Kill, skipWhereNobodyKills } from './killed.ts';
import { momentsOfSteps, openGenerations, recoverGenerations } from './killed-generations.ts';

it.for(['both', 'provider', 'core'] as const)(
  'a rotation of generations goes on after a kill at every request of its applies: %s killed',
  async (victim, context) => {
    skipWhereNobodyKills(context);
    const killed = await openGenerations();
    try {
      const moments = await momentsOfSteps(killed);
      const count = moments.reduce((sum, each) => sum + each.length, 0);
      let kills = 0;
      const [first = [], second = [], third = []] = moments.map((each) =>
        each.map((moment): Kill => ({ victim, ...moment })),
      );
      // A kill in the second apply may bring the third one a step further, so it has a rotation of its own.
      for (let at = 0; at < Math.max(first.length, third.length); at += 1) {
        const played = [[0, first[at]] as const, [2, third[at]] as const];
        kills += await recoverGenerations(
          killed,
          new Map(played.flatMap(([step, kill]) => (kill ? [[step, kill] as const] : []))),
        );
      }
      for (const kill of second) kills += await recoverGenerations(killed, new Map([[1, kill]]));
      console.log(`${victim}: ${kills} kills at ${count} moments`);
      // Which requests share a list depends on the time.
      expect(kills).toBeGreaterThan(count * 0.8);
    } finally {
      await killed.place.close();
    }
  },
);
