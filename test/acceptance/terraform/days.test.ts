import { it } from 'vitest';
import { openReference } from './days/bench.ts';
import { playDays } from './days/run.ts';
import { skipWhereNobodyKills } from './killed.ts';
import { skipWithoutTerraform } from './stack.ts';

/** Some of the steps that days.exhaustive.ts plays. */
it.for([
  ['deployed', 4],
  ['contract', 5],
] as const)(
  'random days of one user end with what is declared, after each step (%s)',
  async ([profile, seed], context) => {
    skipWithoutTerraform(context);
    await playDays(seed, await openReference(profile), 6);
  },
);

it('random days with two accounts, and with applies that are killed, end with what is declared', async (context) => {
  skipWhereNobodyKills(context);
  await playDays(1, await openReference('contract', true), 4);
});
