import { expect, it } from 'vitest';
import { playAll } from './play.ts';

const HISTORIES = 2_000;

it(`${HISTORIES} histories of four runs, people who edit and keys that spend`, async () => {
  const { problems, ...seen } = await playAll(1, HISTORIES);
  expect(problems).toEqual([]);
  console.info(`${HISTORIES} histories: ${JSON.stringify(seen)}`);
});
