import { expect, it } from 'vitest';
import { playAll } from './play.ts';

it('four runs, people who edit and keys that spend leave no twin, lose no edit and grant no more than declared', async () => {
  const { problems, ...seen } = await playAll(1, 40);
  expect(problems).toEqual([]);
  // The histories are violent enough to show something.
  expect(seen.edits).toBeGreaterThan(400);
  expect(seen.crashes).toBeGreaterThan(10);
  expect(seen.twins).toBeGreaterThan(10);
  expect(seen.roundTrips).toBeLessThan(seen.edits / 20);
});
