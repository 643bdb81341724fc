import { expect, it } from 'vitest';
import { recoverFromKills } from './killed.ts';

it.each([true, false])(
  '20 creates leave, at every request, only keys that are adopted (use reported: %s)',
  async (use) => {
    expect(await recoverFromKills(use, 20)).toBeGreaterThan(100);
  },
);
