import { expect, it } from 'vitest';
import { pauseFor } from '../../../src/cli/session/pause.ts';

const DAY_MS = 86_400_000;

/** A timer as that of Node: one that is too long ends at once. */
function openTimer(abort?: AbortController) {
  let ms = 0;
  const delay = async (wait: number): Promise<void> => {
    ms += wait >= 2 ** 31 ? 1 : wait;
    abort?.abort();
  };
  return { delay, steady: () => ms };
}

it('waits longer than a timer of Node can', async () => {
  const timer = openTimer();
  await pauseFor(100 * DAY_MS, new AbortController().signal, timer);
  expect(timer.steady()).toBe(100 * DAY_MS);
});

it('ends a long wait at an interruption', async () => {
  const abort = new AbortController();
  const timer = openTimer(abort);
  await pauseFor(100 * DAY_MS, abort.signal, timer);
  expect(timer.steady()).toBeLessThan(25 * DAY_MS);
});
