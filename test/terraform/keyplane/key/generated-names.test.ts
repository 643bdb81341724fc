import { describe, expect, it } from 'vitest';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import { budgetOf, configOf, type Kill, openCore } from '../core.ts';

/** Keys with one prefix: as many as have the same settings, and one with others. */
const keysOf = (same: number): ReadonlyMap<string, TerraformObject> =>
  new Map(
    Array.from({ length: same + 1 }, (_, n) => [
      `k${n}`,
      configOf({ name_prefix: 'p-', models: ['m'], budget: budgetOf({ usd: n === same ? 7 : 5, per: 'lifetime' }) }),
    ]),
  );

const GENERATED = /^p-\d{8}-[a-z2-9]{6}$/;

describe('keys with one generated prefix', () => {
  it.each([true, false])('are adopted after a kill at every step, each once (use reported: %s)', async (reportsUse) => {
    const configs = keysOf(3);
    const { steps } = await openCore(reportsUse).run(configs);
    let orphans = 0;
    for (let at = 1; at <= steps; at += 1) {
      for (const when of ['before', 'after'] as const) {
        const kill: Kill = { at, when };
        const core = openCore(reportsUse);
        expect((await core.run(configs, kill)).isKilled).toBe(true);
        const before = (await core.store.walk()).map(({ id }) => id);
        const stored = new Set([...core.states.values()].map(({ state }) => state.id));
        orphans += before.filter((id) => !stored.has(id)).length;
        const { errors } = await core.run(configs);
        expect(errors, JSON.stringify(kill)).toEqual([]);
        const keys = await core.store.walk();
        expect(keys, JSON.stringify(kill)).toHaveLength(configs.size);
        for (const { name } of keys) expect(name).toMatch(GENERATED);
        // Adopted, and not made again.
        expect(
          keys.map(({ id }) => id),
          JSON.stringify(kill),
        ).toEqual(expect.arrayContaining(before));
        expect(new Set([...core.states.values()].map(({ state }) => state.id)).size).toBe(configs.size);
        expect((await core.plan(configs)).changes).toEqual([]);
        expect(core.memory.entries).toEqual([]);
      }
    }
    expect(orphans).toBeGreaterThan(0);
  });

  it('leave a key with other settings alone, and warn of it', async () => {
    const core = openCore(true);
    const one = (usd: number) =>
      new Map([['k', configOf({ name_prefix: 'p-', budget: budgetOf({ usd, per: 'lifetime' }) })]]);
    const { steps } = await openCore(true).run(one(5));
    let isLeft = false;
    for (let at = 1; at <= steps && !isLeft; at += 1) {
      await core.run(one(5), { at, when: 'after' });
      isLeft = (await core.store.walk()).length > 0;
    }
    const [orphan] = await core.store.walk();
    expect(core.states.size).toBe(0);
    const planned = await core.plan(one(6));
    expect(planned.warnings).toContainEqual(
      expect.stringContaining(`An interrupted run created the key ${orphan?.id} ("${orphan?.name}")`),
    );
    await core.run(one(6));
    expect(await core.store.walk()).toHaveLength(2);
    expect(core.states.get('k')?.state.id).not.toBe(orphan?.id);
  });
});
