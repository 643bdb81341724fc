import type { Clock } from '../../src/http/index.ts';

export interface VirtualClock extends Clock {
  /** Every wait that was asked for, in milliseconds. */
  readonly waits: readonly number[];
}

/**
 * A clock that jumps: when something sleeps, the time moves to the end of the earliest sleep as soon as the requests
 * under way had a turn. Minutes of waiting pass immediately.
 *
 * @param busy returns true while requests are under way: the time does not move until they have a response.
 */
export function virtualClock(start = 1_800_000_000_000, busy: () => boolean = () => false): VirtualClock {
  let now = start;
  let sleepers: { at: number; wake: () => void }[] = [];
  const waits: number[] = [];
  const step = () => {
    if (sleepers.length === 0) return;
    if (busy()) {
      setImmediate(step);
      return;
    }
    sleepers.sort((a, b) => a.at - b.at);
    const first = sleepers.shift();
    if (!first) return;
    now = Math.max(now, first.at);
    first.wake();
  };
  return {
    waits,
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((done) => {
        if (signal?.aborted) return done();
        waits.push(ms);
        const sleeper = { at: now + ms, wake: done };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          done();
        });
        setImmediate(step);
      }),
  };
}
