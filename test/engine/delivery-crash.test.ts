import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSink } from '../../src/delivery/index.ts';
import { Fault } from '../../src/domain/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import type { SecretSink } from '../../src/reconcile/index.ts';
import { MemorySink, sinksBy } from '../contract/memory-sink.ts';
import { declareNew, emptyAccount, NOW, state } from '../reconcile/account.ts';

const OPERATIONS = ['probe', 'compare', 'write', 'read', 'remove'] as const;

/** Counts the steps of a run, and stops every step from one on, as a crash does. */
class Crash {
  steps = 0;
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }

  readonly step = (): void => {
    this.steps += 1;
    if (this.steps > this.at) throw new Fault('gateway.connection-lost', 'crashed');
  };
}

/** A sink that a crash stops before and after each of its operations. */
function crashing(sink: SecretSink, crash: Crash): SecretSink {
  const stopped = OPERATIONS.map((name) => [
    name,
    async (...values: readonly never[]) => {
      crash.step();
      const result: unknown = await Reflect.apply(sink[name], sink, values);
      crash.step();
      return result;
    },
  ]);
  return { ...sink, id: sink.id, kind: sink.kind, adopt: sink.adopt, ...Object.fromEntries(stopped) };
}

const MOST_STEPS = 200;

describe('a run that ends at any step', () => {
  it('is completed by the next one: one key, and its secret in three sinks', async () => {
    let steps = 0;
    for (let at = 0; at < MOST_STEPS; at += 1) {
      const folder = await mkdtemp(join(tmpdir(), 'keyplane-crash-'));
      const file = (as: string) =>
        openSink(
          {
            target: { file: '.env', format: 'dotenv', as },
            adopt: false,
            propagateSeconds: 0,
            onDestroy: 'keep',
            folder,
          },
          { exec: 'never', env: () => undefined },
        );
      const memory = new MemorySink('memory');
      const sinks = [file('ONE'), file('TWO'), memory];
      const store = emptyAccount();
      const crash = new Crash(at);
      const engine = { store, now: () => NOW, concurrency: 1 };
      const run = (own: readonly SecretSink[]) =>
        createEngine({ ...engine, sinks: sinksBy({ a: own }) }).apply(state([declareNew('a')]), {
          confirm: async () => {},
        });
      store.hook = crash.step;
      await run(sinks.map((sink) => crashing(sink, crash))).catch(() => undefined);
      store.hook = () => {};
      await run(sinks);
      const [key, ...others] = await store.walk();
      const secret = key && (await store.reveal([key.id])).get(key.id)?.reveal();
      const text = await readFile(join(folder, '.env'), 'utf8');
      expect([others, text.split('\n').sort(), memory.held?.secret.reveal()], `a crash at step ${at}`).toEqual([
        [],
        ['', `ONE=${secret}`, `TWO=${secret}`],
        secret,
      ]);
      expect(memory.writes, `a crash at step ${at}`).toBeLessThanOrEqual(2);
      await rm(folder, { recursive: true });
      steps = crash.steps;
      if (steps <= at) break;
    }
    // The last one was not stopped at all.
    expect(steps).toBeGreaterThan(20);
    expect(steps).toBeLessThan(MOST_STEPS);
  });
});
