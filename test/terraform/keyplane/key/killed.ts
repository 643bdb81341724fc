import { expect } from 'vitest';
import type { KeyId } from '../../../../src/domain/index.ts';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
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
