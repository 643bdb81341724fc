import { expect } from 'vitest';
import {
  type ApplyReport,
  type DesiredState,
  Fault,
  type KeyId,
  quota,
  type Rotation,
  Secret,
  type UnixSeconds,
} from '../../src/domain/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import type { ForcedRotation } from '../../src/reconcile/index.ts';
import { MemorySink, sinksBy } from '../contract/memory-sink.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { declare, live, NOW, state } from '../reconcile/account.ts';

export const DAY = 86_400;

class Killed extends Error {}

/** The value of somebody else, which a test put into a sink. */
export const SOMEBODY = new Secret('sk-somebody');

const isOfKey = (secret: Secret): boolean => !secret.equals(SOMEBODY);

interface RotatingOptions {
  readonly rotate?: Partial<Rotation>;
  /** The sinks hold the secret of the key already, as somebody else’s entry. */
  readonly isForeign?: boolean;
  readonly onDestroy?: 'keep' | 'remove';
}

/** An account with one key and three sinks, whose runs can be killed at any of their requests and writes. */
export function openRotatingAccount({ rotate = {}, isForeign = false, onDestroy = 'keep' }: RotatingOptions = {}) {
  let now: UnixSeconds = NOW;
  const store = new MemoryStore({ reportsUse: true, reportsTimes: true, now: () => now });
  const sinks = ['one', 'two', 'three'].map((id) => new MemorySink(id, { onDestroy }));
  const old = store.seed(live('app', { remain: quota(1000) }));
  if (isForeign) for (const sink of sinks) sink.held = { secret: secretOf(old), isOurs: false };
  let [step, killAt] = [0, Number.POSITIVE_INFINITY];
  /** The steps at which a sink held a secret that the gateway no longer accepted. */
  const dead: number[] = [];
  const count = (): void => {
    step += 1;
    const accepted = enabled().map(({ key }) => `sk-${key}`);
    if (sinks.some(({ held }) => held && isOfKey(held.secret) && !accepted.includes(held.secret.reveal()))) {
      dead.push(step);
    }
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
      rotate: { every: 90 * DAY, overlap: 7 * DAY, ...rotate },
      budget: { kind: 'window', amount: { quota: quota(1000) }, per: 'month' },
    }),
  ]);
  function secretOf(id: KeyId): Secret {
    return new Secret(`sk-${store.records.get(id)?.key}`);
  }
  const proveSecrets = async (ids: readonly KeyId[]) => {
    count();
    return new Map(ids.map((id) => [id, undefined]));
  };
  const engine = createEngine({ store, sinks: sinksBy({ app: sinks }), now: () => now, concurrency: 1 });
  const apply = (forced?: ReadonlyMap<string, ForcedRotation>): Promise<ApplyReport> =>
    engine.apply(desired, { confirm: async () => {}, proveSecrets, ...(forced && { rotate: forced }) });
  /** Runs an apply, killed at one of its steps; returns how many steps it had. */
  async function run(at = Number.POSITIVE_INFINITY, forced?: ReadonlyMap<string, ForcedRotation>): Promise<number> {
    step = 0;
    killAt = at;
    await apply(forced).catch(() => undefined);
    killAt = Number.POSITIVE_INFINITY;
    return step;
  }
  function enabled() {
    return [...store.records.values()].filter(({ status }) => status === 1);
  }
  return {
    store,
    sinks,
    engine,
    desired,
    apply,
    run,
    old,
    secretOf,
    now: () => now,
    pass: (seconds: number) => {
      now += seconds;
    },
    enabledSecrets: (): readonly string[] => enabled().map(({ key }) => `sk-${key}`),
    /** Every sink holds a secret that the gateway accepts, and no more secrets are live than generations in overlap. */
    verify(most = 2): void {
      expect(dead).toEqual([]);
      const secrets = enabled().map(({ key }) => `sk-${key}`);
      for (const { held } of sinks) if (held) expect(secrets).toContain(held.secret.reveal());
      expect(secrets.length).toBeLessThanOrEqual(most);
    },
    keys: (): readonly string[] => [...store.records.values()].map(({ name, status }) => `${name} ${status}`),
    remains: (): readonly number[] => [...store.records.values()].map(({ remain_quota }) => remain_quota),
    /** Runs until nothing is left to do. */
    async settle(): Promise<void> {
      for (let more = 0; more < 3; more += 1) await run();
    },
    verifyDelivered(): void {
      const newest = `sk-${enabled().at(-1)?.key}`;
      expect(sinks.map(({ held }) => held?.secret.reveal())).toEqual([newest, newest, newest]);
    },
  };
}

export type RotatingAccount = ReturnType<typeof openRotatingAccount>;
