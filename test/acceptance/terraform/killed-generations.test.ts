import { expect, it } from 'vitest';
import { skipWhereNobodyKills } from './killed.ts';
import { openGenerations, recoverGenerations } from './killed-generations.ts';

/** Some of the kills that killed-generations.exhaustive.ts plays: around the create, and around the disable. */
const PLAYED = [
  { step: 0, at: 8, victim: 'both', kind: 'hold-after' },
  { step: 1, at: 8, victim: 'provider', kind: 'hold-after' },
] as const;

it('a rotation of generations that is killed leaves a key that works, and the next apply goes on', async (context) => {
  skipWhereNobodyKills(context);
  const killed = await openGenerations();
  try {
    for (const { step, ...kill } of PLAYED) {
      expect(await recoverGenerations(killed, new Map([[step, kill]])), JSON.stringify(kill)).toBe(1);
    }
  } finally {
    await killed.place.close();
  }
});
