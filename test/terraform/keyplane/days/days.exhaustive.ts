import { it } from 'vitest';
import { playRotations } from './play.ts';

const seeds = process.env.DAYS_SEEDS?.split(',').map(Number) ?? Array.from({ length: 300 }, (_, n) => n + 1);

it.for(seeds)(
  'many random days with keys that rotate end with what is declared, after each step: seed %i',
  async (seed) => {
    await playRotations(seed, 30);
  },
);
