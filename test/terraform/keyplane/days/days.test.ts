import { it } from 'vitest';
import { playRotations } from './play.ts';

/** Some of the days that days.exhaustive.ts plays. */
it.each([1, 2, 3])(
  'random days with keys that rotate end with what is declared, after each step (seed %i)',
  async (seed) => {
    await playRotations(seed, 20);
  },
);
