import { describe, expect, it } from 'vitest';
import { type Budget, decimalOf, type KeyId, keyId, type ObservedKey, quota } from '../../../src/domain/index.ts';
import type { RememberedKey, UsageMemory } from '../../../src/reconcile/usage/memory.ts';
import { observeUsage, type UsageOptions } from '../../../src/reconcile/usage/usage.ts';
import { plainKey } from '../../plain-key.ts';
import { declare, emptyAccount, NOW } from '../account.ts';

const MIDNIGHT = NOW - 12 * 3600;
const UNKNOWN_CEILING = 2 ** 52;
const amount = { quota: quota(100) };
const LIFETIME: Budget = { kind: 'lifetime', amount };
const DAILY: Budget = { kind: 'window', amount, per: 'day' };

const limited = (id: number, remain: number, more: Partial<ObservedKey> = {}): ObservedKey =>
  plainKey(id, { unlimited: false, remain: quota(remain), ...more });

/** A reading at noon, of a key that holds 70 of 100 units. */
const latest = (more: object = {}): RememberedKey => {
  const numbers = { at: NOW, remain: 70, since: MIDNIGHT, granted: 100, ceiling: UNKNOWN_CEILING, least: 30, most: 30 };
  return { latest: { ...numbers, ...more } } as RememberedKey;
};
/** A memory in a form that is compared strictly. */
const listed = (memory: UsageMemory): object => ({ ...memory, used: [...memory.used], keys: [...memory.keys] });
const memoryOf = (keys: readonly [number, RememberedKey][], more: Partial<UsageMemory> = {}): UsageMemory => {
  return { through: 0, used: new Map(), keys: new Map(keys.map(([id, key]) => [keyId(id), key])), ...more };
};

const savedOf = (...given: Parameters<typeof memoryOf>): object => listed(memoryOf(...given));

interface Scene {
  readonly keys: readonly (readonly [Budget, ObservedKey])[];
  readonly memory?: UsageMemory;
  /** The units of entries of key 1, a second before noon. */
  readonly entries?: readonly number[];
  readonly options?: Partial<UsageOptions>;
}

async function observed({ keys, memory, entries = [], options }: Scene) {
  const store = emptyAccount();
  for (const [n, units] of entries.entries()) {
    const entry = { identity: `e${n}`, at: NOW - 1, keyId: keyId(1), keyName: 'key-1', spent: quota(units) };
    store.log.push(entry);
  }
  let loads = 0;
  const saved: object[] = [];
  store.readMany = async (ids) => {
    const asked = keys.filter(([, key]) => ids.includes(key.id));
    return new Map(asked.map(([, key]): [KeyId, ObservedKey] => [key.id, key]));
  };
  const usageCache = {
    load: async () => {
      loads += 1;
      return memory;
    },
    save: async (given: UsageMemory) => void saved.push(listed(given)),
  };
  const pairs = keys.map(([budget, live]) => ({ desired: declare(live.name, { budget }), live }));
  const sides = { pairs, keys: keys.map(([, key]) => key), quotaPerUnit: decimalOf(500_000) };
  const { used, unverified } = await observeUsage(store, sides, { now: NOW, usageCache, ...options });
  return { used, unverified, loads, saved, pages: store.calls.usage ?? 0 };
}

describe('what is remembered of the use of keys', () => {
  it.each<[string, Scene, Partial<Awaited<ReturnType<typeof observed>>>]>([
    [
      'is nothing of a key without a window whose record shows its use',
      { keys: [[LIFETIME, limited(1, 70, { used: quota(30) })]] },
      { loads: 0, saved: [], pages: 0 },
    ],
    [
      'is a reading of a key with a window, for the next window',
      { keys: [[DAILY, limited(1, 100, { used: quota(0) })]] },
      { loads: 1, saved: [savedOf([[1, latest({ remain: 100, least: 0, most: 0, used: 0 })]])], pages: 0 },
    ],
    [
      'leaves out the key without a window next to another one',
      {
        keys: [
          [LIFETIME, limited(1, 70, { used: quota(30) })],
          [DAILY, limited(2, 70, { used: quota(30), createdAt: MIDNIGHT })],
        ],
      },
      { loads: 1, saved: [savedOf([[2, latest({ used: 30 })]])], pages: 0 },
    ],
    [
      'is nothing of a key without a limit',
      { keys: [[DAILY, limited(1, 0, { unlimited: true, used: quota(0) })]] },
      { loads: 1, saved: [], pages: 1 },
    ],
    [
      'moves on with the counter, without the log',
      {
        keys: [[DAILY, limited(1, 60, { used: quota(540) })]],
        memory: memoryOf([[1, latest({ at: NOW - 60, ceiling: 100, used: 530 })]]),
      },
      {
        loads: 1,
        saved: [savedOf([[1, latest({ remain: 60, ceiling: 100, least: 40, most: 40, used: 540 })]])],
        pages: 0,
      },
    ],
    [
      'is bounded by what the key was granted and does not hold',
      {
        keys: [[DAILY, limited(1, 70)]],
        memory: memoryOf([[1, latest({ at: NOW - 60, remain: 80, ceiling: 100, least: 10, most: 100 })]]),
        entries: [10, 10],
      },
      { saved: [savedOf([[1, latest({ ceiling: 100, least: 20, most: 30 })]], { through: NOW - 3601 })], pages: 2 },
    ],
    [
      'stays as it was where the log is too long',
      {
        keys: [[DAILY, limited(1, 70, { used: quota(300) })]],
        memory: memoryOf([[9, latest()]], { through: 500, used: new Map([[keyId(9), quota(7)]]) }),
        entries: Array.from({ length: 200 }, () => 1),
        options: { maxLogPages: 1, mayLeaveUnverified: true },
      },
      {
        unverified: new Map([[keyId(1), 'log-too-long']]),
        saved: [savedOf([[9, latest()]], { through: 500, used: new Map([[keyId(9), quota(7)]]) })],
      },
    ],
  ])('%s', async (_, scene, expected) => {
    const found = await observed(scene);
    const some = Object.fromEntries(Object.keys(expected).map((name) => [name, found[name as keyof typeof found]]));
    expect(some).toStrictEqual(expected);
  });
});
