import { it } from 'vitest';
import { PROFILES } from '../place.ts';
import { openReference } from './days/bench.ts';
import { playDays } from './days/run.ts';
import { skipWhereNobodyKills } from './killed.ts';
import { skipWithoutTerraform } from './stack.ts';

const STEPS = 40;
/** Fewer: the engine starts the provider three times for each command. */
const STEPS_OF_TWO = 20;
const seeds = process.env.DAYS_SEEDS?.split(',').map(Number) ?? Array.from({ length: 12 }, (_, n) => n + 1);

it.for(PROFILES.flatMap((profile) => seeds.map((seed) => [profile, seed] as const)))(
  'many random days of one user end with what is declared, after each step: %s, seed %i',
  async ([profile, seed], context) => {
    skipWithoutTerraform(context);
    await playDays(seed, await openReference(profile), STEPS);
  },
);

it.for(PROFILES.flatMap((profile) => seeds.map((seed) => [profile, seed] as const)))(
  'many random days with two accounts, and with applies that are killed, end with what is declared: %s, seed %i',
  async ([profile, seed], context) => {
    skipWhereNobodyKills(context);
    await playDays(seed, await openReference(profile, true), STEPS_OF_TWO);
  },
);
