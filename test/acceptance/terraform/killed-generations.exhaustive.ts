import { expect, it } from 'vitest';
import { skipWhereNobodyKills } from './killed.ts';
import { countOfSteps, openGenerations, recoverGenerations } from './killed-generations.ts';

const KINDS = ['hold', 'hold-after'] as const;

it.for(['both', 'provider', 'core'] as const)(
  'a rotation of generations goes on after a kill at every request of its applies: %s killed',
  async (victim, context) => {
    skipWhereNobodyKills(context);
    const killed = await openGenerations();
    try {
      const counts = await countOfSteps(killed);
      let kills = 0;
      for (const [step, count] of counts.entries()) {
        for (let at = 1; at <= count; at += 1) {
          for (const kind of KINDS) if (await recoverGenerations(killed, step, { victim, at, kind })) kills += 1;
        }
      }
      console.log(`${victim}: ${kills} kills at ${counts.join(' + ')} requests`);
      expect(kills).toBeGreaterThan(counts.length);
    } finally {
      await killed.place.close();
    }
  },
);
