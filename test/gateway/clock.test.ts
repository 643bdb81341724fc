import { beforeEach, describe, expect, it } from 'vitest';
import { type RemoteClock, watchGatewayClock } from '../../src/gateway/index.ts';

const DAY = 86_400;
const NOW = 1_800_000_000;

describe('the clock of a gateway', () => {
  let ours: number;
  let steady: number;
  let clock: RemoteClock;
  beforeEach(() => {
    ours = NOW;
    steady = 100;
    clock = watchGatewayClock(
      () => ours,
      () => steady,
    );
  });

  const pass = (seconds: number): void => {
    ours += seconds;
    steady += seconds;
  };
  const answer = (date: number): void =>
    clock.watch({
      kind: 'answer',
      method: 'GET',
      path: '/',
      attempt: 1,
      status: 200,
      ms: 0,
      date: new Date(date * 1000).toUTCString(),
    });

  it.each([3 * DAY, -3600])('follows the gateway when ours is set by %d seconds during a run', (jump) => {
    answer(NOW - 500);
    pass(10);
    ours += jump;
    answer(NOW - 490);
    pass(5);
    answer(NOW - 485);
    expect(clock.now()).toBe(NOW - 485);
  });

  it('follows neither an old answer of a cache nor another node of the gateway', () => {
    answer(NOW);
    pass(300);
    answer(NOW);
    answer(NOW + 3600);
    expect(clock.now()).toBe(NOW + 300);
  });
});
