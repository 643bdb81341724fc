import { expect, it } from 'vitest';
import { playDays } from './play.ts';

const STEPS = 45;
const PROFILES = ['contract', 'deployed', 'deployed@1.0'] as const;
const seeds = process.env.COMMAND_DAYS_SEEDS?.split(',').map(Number) ?? Array.from({ length: 100 }, (_, n) => n + 1);

it.for(PROFILES.flatMap((profile) => seeds.map((seed) => [profile, seed] as const)))(
  'many random days of three users of two accounts lose, double and change no key that they should not: %s, seed %i',
  async ([profile, seed]) => {
    expect(await playDays(seed, profile, STEPS)).toEqual([]);
  },
);
