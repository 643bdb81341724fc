import { describe, expect, it } from 'vitest';
import { type DesiredState, Fault, type KeyId, quota, type UnixSeconds } from '../../src/domain/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import type { ForcedRotation } from '../../src/reconcile/index.ts';
import { MemorySink, sinksBy } from '../contract/memory-sink.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { declare, live, NOW, state } from '../reconcile/account.ts';

const DAY = 86_400;

class Killed extends Error {}

/** An account with three sinks, whose runs can be killed at any of their requests and writes. */
function openWorld() {
  let now: UnixSeconds = NOW;
  const store = new MemoryStore({ reportsUse: true, reportsTimes: true, now: () => now });
  const sinks = ['one', 'two', 'three'].map((id) => new MemorySink(id));
  const old = store.seed(live('app', { remain: quota(1000) }));
  let [step, killAt] = [0, Number.POSITIVE_INFINITY];
  const count = (): void => {
    step += 1;
    // From here on the process is gone: nothing that it would do next happens.
    if (step >= killAt) throw new Fault('gateway.unreachable', 'killed', { cause: new Killed() });
  };
  store.hook = count;
  for (const sink of sinks) {
    sink.before = count;
    sink.after = count;
  }
  const desired: DesiredState = state([
    declare('app', {
      rotate: { every: 90 * DAY, overlap: 7 * DAY },
      budget: { kind: 'window', amount: { quota: quota(1000) }, per: 'month' },
    }),
  ]);
  const engine = createEngine({ store, sinks: sinksBy({ app: sinks }), now: () => now, concurrency: 1 });
  /** Runs an apply, killed at one of its steps; returns how many steps it had. */
  async function run(at = Number.POSITIVE_INFINITY, rotate?: ReadonlyMap<string, ForcedRotation>): Promise<number> {
    step = 0;
    killAt = at;
    const proveSecrets = async (ids: readonly KeyId[]) => {
      count();
      return new Map(ids.map((id) => [id, undefined]));
    };
    await engine
      .apply(desired, { confirm: async () => {}, proveSecrets, ...(rotate && { rotate }) })
      .catch(() => undefined);
    killAt = Number.POSITIVE_INFINITY;
    return step;
  }
  const enabledSecrets = (): readonly string[] =>
    [...store.records.values()].filter(({ status }) => status === 1).map(({ key }) => `sk-${key}`);
  return {
    store,
    sinks,
    run,
    old,
    pass: (seconds: number) => {
      now += seconds;
    },
    /** Every sink holds a secret that the gateway accepts, and no more secrets are live than generations in overlap. */
    verify(): void {
      const live = enabledSecrets();
      for (const { held } of sinks) if (held) expect(live).toContain(held.secret.reveal());
      expect(live.length).toBeLessThanOrEqual(2);
    },
    keys: (): readonly string[] => [...store.records.values()].map(({ name, status }) => `${name} ${status}`),
    /** Runs until nothing is left to do. */
    async settle(): Promise<void> {
      for (let more = 0; more < 3; more += 1) await run();
    },
    verifyDelivered(): void {
      const [newest] = enabledSecrets().toReversed();
      expect(sinks.map(({ held }) => held?.secret.reveal())).toEqual([newest, newest, newest]);
    },
  };
}

type World = ReturnType<typeof openWorld>;

/** The runs of a rotation: delivered first, then due, then past the overlap, then a later run. */
const STAGES: readonly (readonly [name: string, prepare: (world: World) => Promise<void>])[] = [
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
    const whole = openWorld();
    await prepare(whole);
    const steps = await whole.run();
    whole.verify();
    expect(steps).toBeGreaterThan(5);
    await whole.settle();
    const expected = whole.keys();
    for (let at = 1; at <= steps; at += 1) {
      const world = openWorld();
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
    const world = openWorld();
    for (const [, prepare] of STAGES.slice(-1)) await prepare(world);
    await world.run();
    world.verifyDelivered();
    expect(world.keys()).toEqual(['app~20270218-1200 1']);
  });

  it('resumes in the next run: replaces a leaked secret', async () => {
    const leaked = new Map([['app', { end: 'leaked' as const }]]);
    const whole = openWorld();
    await whole.run();
    const steps = await whole.run(undefined, leaked);
    for (let at = 1; at <= steps; at += 1) {
      const world = openWorld();
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
