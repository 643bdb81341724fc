import { describe, expect, it } from 'vitest';
import { DAY, openRotatingAccount, type RotatingAccount } from './rotating-account.ts';

/** The runs of a rotation: delivered first, then due, then past the overlap, then a later run. */
const STAGES: readonly (readonly [name: string, prepare: (world: RotatingAccount) => Promise<void>])[] = [
  ['delivers the first generation', async () => {}],
  [
    'creates and delivers the successor',
    async ({ run, pass }) => {
      await run();
      pass(90 * DAY);
    },
  ],
  [
    'disables the old generation',
    async ({ run, pass }) => {
      await run();
      pass(90 * DAY);
      await run();
      pass(8 * DAY);
    },
  ],
  [
    'deletes the old generation',
    async ({ run, pass }) => {
      await run();
      pass(90 * DAY);
      await run();
      pass(8 * DAY);
      await run();
    },
  ],
];

describe('a rotation with three sinks that is killed at any request or write', () => {
  it.each(STAGES)('resumes in the next run: %s', async (_, prepare) => {
    const whole = openRotatingAccount();
    await prepare(whole);
    const steps = await whole.run();
    whole.verify();
    expect(steps).toBeGreaterThan(5);
    await whole.settle();
    const expected = whole.keys();
    for (let at = 1; at <= steps; at += 1) {
      const world = openRotatingAccount();
      await prepare(world);
      await world.run(at);
      world.verify();
      await world.run();
      world.verify();
      await world.settle();
      expect(world.keys(), `killed at step ${at} of ${steps}`).toEqual(expected);
      world.verifyDelivered();
    }
  });

  it('ends with one generation, whose secret every sink holds', async () => {
    const world = openRotatingAccount();
    for (const [, prepare] of STAGES.slice(-1)) await prepare(world);
    await world.run();
    world.verifyDelivered();
    expect(world.keys()).toEqual(['app~20270218-1200 1']);
  });

  it('resumes in the next run: replaces a leaked secret', async () => {
    const leaked = new Map([['app', { end: 'leaked' as const }]]);
    const whole = openRotatingAccount();
    await whole.run();
    const steps = await whole.run(undefined, leaked);
    for (let at = 1; at <= steps; at += 1) {
      const world = openRotatingAccount();
      await world.run();
      await world.run(at, leaked);
      world.verify();
      await world.settle();
      world.verifyDelivered();
      // Either nothing was replaced, or the leaked secret has ended.
      expect([['app 1'], ['app 2', 'app~20261120-1200+0 1'], ['app~20261120-1200+0 1']]).toContainEqual(world.keys());
    }
  });
});
