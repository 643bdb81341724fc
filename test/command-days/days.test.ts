import { expect, it } from 'vitest';
import { playDays } from './play.ts';

/** Some of the steps that days.exhaustive.ts plays. */
it.for([
  ['contract', 4],
  ['deployed', 8],
  ['deployed@1.0', 14],
] as const)(
  'random days of three users of two accounts lose, double and change no key that they should not (%s)',
  async ([profile, seed]) => {
    expect(await playDays(seed, profile, 16)).toEqual([]);
  },
);
