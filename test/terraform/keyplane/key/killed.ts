import { expect } from 'vitest';
import type { KeyId } from '../../../../src/domain/index.ts';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import { live } from '../../../reconcile/account.ts';
import { budgetOf, configOf, type Kill, openCore } from '../core.ts';

const BUDGETS = [{ usd: 5 }, { unlimited: true }, { usd: 5, per: 'month' }, { usd: 5, initial: true }];

/** Keys of all budgets, every third one declared disabled. */
export const keysOf = (count: number, more: TerraformObject = {}): ReadonlyMap<string, TerraformObject> =>
  new Map(
    Array.from({ length: count }, (_, n) => {
      const enabled = n % 3 === 2 ? false : null;
      const budget = budgetOf(BUDGETS[n % BUDGETS.length] ?? {});
      return [`k${n}`, configOf({ name: `key-${n}`, models: ['m'], budget, enabled, ...more })];
    }),
  );

export type Core = ReturnType<typeof openCore>;

export const idsIn = ({ states }: Core): readonly unknown[] => [...states.values()].map(({ state }) => state.id);
export const idsOf = async ({ store }: Core): Promise<readonly KeyId[]> => (await store.walk()).map(({ id }) => id);
const adoptions = (warnings: readonly string[]): readonly string[] => warnings.filter((text) => /^Adopts/.test(text));

export async function positions(reportsUse: boolean, count: number): Promise<readonly Kill[]> {
  const { steps } = await openCore(reportsUse).run(keysOf(count));
  return Array.from({ length: steps }, (_, n) => n + 1).flatMap((at) => [
    { at, when: 'before' },
    { at, when: 'after' },
  ]);
}

/** After a kill, the next plan names each orphan, the next apply adopts it, and the plan after that is empty. */
export async function expectRecovery(
  core: Core,
  configs: ReadonlyMap<string, TerraformObject>,
  kill: Kill,
): Promise<number> {
  const before = await idsOf(core);
  const orphans = before.filter((id) => !idsIn(core).includes(id));
  const planned = await core.plan(configs);
  expect(adoptions(planned.warnings), JSON.stringify(kill)).toHaveLength(orphans.length);
  const { errors, warnings } = await core.run(configs);
  expect([errors, new Set(adoptions(warnings)).size], JSON.stringify(kill)).toEqual([[], orphans.length]);
  const keys = await core.store.walk();
  expect(keys.map(({ name }) => name).sort()).toEqual([...configs.values()].map(({ name }) => name).sort());
  const ids = keys.map(({ id }) => id);
  expect(new Set(idsIn(core))).toEqual(new Set(ids));
  // Adopted, and not replaced.
  expect(before.filter((id) => !ids.includes(id))).toEqual([]);
  expect((await core.plan(configs)).changes).toEqual([]);
  expect(core.memory.entries).toEqual([]);
  return orphans.length;
}

/** Kills an apply at every position. @returns the number of keys that were adopted */
export async function recoverFromKills(reportsUse: boolean, count: number): Promise<number> {
  let orphans = 0;
  for (const kill of await positions(reportsUse, count)) {
    const core = openCore(reportsUse);
    expect((await core.run(keysOf(count), kill)).isKilled).toBe(true);
    orphans += await expectRecovery(core, keysOf(count), kill);
  }
  return orphans;
}

/** Every kind of change to the keys of {@link keysOf}: settings, name, budget, both states, an end and a beginning. */
function changedKeys(): ReadonlyMap<string, TerraformObject> {
  const keys = new Map(keysOf(7));
  const change = (label: string, more: TerraformObject): unknown => keys.set(label, { ...keys.get(label), ...more });
  change('k0', { group: 'vip', models: ['n'] });
  change('k1', { name: 'renamed', budget: budgetOf({ usd: 7 }) });
  change('k2', { enabled: null });
  change('k3', { enabled: false, group: 'vip' });
  keys.delete('k4');
  change('k5', { budget: budgetOf({ usd: 9, initial: true }) });
  return keys;
}

/** An account with six keys that were used, in the state of a core, and one that is none of its business. */
async function openUsedCore(reportsUse: boolean): Promise<Core> {
  const core = openCore(reportsUse, { changesKeys: true });
  core.store.seed(live('foreign', { group: 'theirs' }));
  expect((await core.run(keysOf(6))).errors).toEqual([]);
  for (const id of (await idsOf(core)).slice(1, 3)) core.store.spend(id, 10);
  return core;
}

/** Kills an apply with every kind of change at every position; the next one finishes it. @returns the number of kills */
export async function recoverFromKilledChanges(reportsUse: boolean): Promise<number> {
  const { steps } = await (await openUsedCore(reportsUse)).run(changedKeys());
  for (let at = 1; at <= steps; at += 1) {
    for (const when of ['before', 'after'] as const) {
      const core = await openUsedCore(reportsUse);
      const foreign = structuredClone([...core.store.records].filter(([, { name }]) => name === 'foreign'));
      const before = new Map([...core.states].map(([label, { state }]) => [label, state.id]));
      const position = JSON.stringify({ at, when });
      expect((await core.run(changedKeys(), { at, when })).isKilled, position).toBe(true);
      expect((await core.run(changedKeys())).errors, position).toEqual([]);
      const after = new Map([...core.states].map(([label, { state }]) => [label, state.id]));
      for (const label of ['k0', 'k1', 'k2', 'k3', 'k5']) expect(after.get(label), position).toBe(before.get(label));
      const keys = await core.store.walk();
      const names = [...changedKeys().values()].map(({ name }) => name);
      expect(keys.map(({ name }) => name).sort(), position).toEqual([...names, 'foreign'].sort());
      expect([...core.store.records].filter(([, { name }]) => name === 'foreign')).toEqual(foreign);
      expect((await core.plan(changedKeys())).changes, position).toEqual([]);
      expect(core.memory.entries, position).toEqual([]);
    }
  }
  return 2 * steps;
}
