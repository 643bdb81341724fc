import { beforeEach, describe, expect, it } from 'vitest';
import { type RemoteClock, watchGatewayClock } from '../../src/gateway/index.ts';

const DAY = 86_400;
const NOW = 1_800_000_000;

describe('the clock of a gateway', () => {
  let ours: number;
  let clock: RemoteClock;
  beforeEach(() => {
    ours = NOW;
    clock = watchGatewayClock(() => ours);
  });

  /** An answer that arrives now, in so many seconds, with the time of the gateway at its begin. */
  const answer = (date: number, seconds = 0): void =>
    clock.watch({
      kind: 'answer',
      method: 'GET',
      path: '/',
      attempt: 1,
      status: 200,
      ms: seconds * 1000,
      date: new Date(date * 1000).toUTCString(),
    });

  it.each([3 * DAY, -3600])('follows the gateway when ours is set by %d seconds during a run', (jump) => {
    answer(NOW - 500);
    ours += jump + 10;
    answer(NOW - 490);
    expect(clock.now()).toBe(NOW - 490);
  });

  it('does not go back for an answer that took long, or for one of a server whose clock differs by less than a minute', () => {
    answer(NOW);
    ours += 300;
    answer(NOW, 300);
    answer(NOW + 300 + 59);
    expect(clock.now()).toBe(NOW + 300);
  });
});
