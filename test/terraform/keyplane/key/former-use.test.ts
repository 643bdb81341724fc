import { describe, expect, it } from 'vitest';
import { keyId } from '../../../../src/domain/index.ts';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import { budgetOf, configOf, openCore } from '../core.ts';

const ALLOWANCE = 2_500_000;
const configs = new Map<string, TerraformObject>([
  ['app', configOf({ name: 'app', budget: budgetOf({ usd: 5, per: 'month' }) })],
]);

const remaining = ({ store }: ReturnType<typeof openCore>): readonly number[] =>
  [...store.records.values()].map(({ remain_quota }) => remain_quota);

const named = (names: Readonly<Record<string, string>>): ReadonlyMap<string, TerraformObject> =>
  new Map(
    Object.entries(names).map(([label, name]) => [
      label,
      configOf({ name, budget: budgetOf({ usd: 5, per: 'month' }) }),
    ]),
  );

describe.each([[true], [false]])('keys that get other names in a window (records report the use: %s)', (reportsUse) => {
  const left = async ({ store }: ReturnType<typeof openCore>) =>
    Object.fromEntries((await store.walk()).map(({ name, remain }) => [name, remain]));

  /** Creates two keys, and uses both. */
  async function openUsed(): Promise<ReturnType<typeof openCore>> {
    const core = openCore(reportsUse, { changesKeys: true });
    await core.run(named({ one: 'a', two: 'b' }));
    for (const { id, name } of await core.store.walk()) core.store.spend(id, name === 'a' ? 100_000 : 300_000);
    return core;
  }

  it('keep to what a former key of their first name has left, and may be renamed again', async () => {
    const core = await openUsed();
    core.store.records.delete((await core.store.walk()).find(({ name }) => name === 'b')?.id ?? keyId(0));
    await core.run(named({ one: 'a', two: 'b' }));
    for (const two of ['c', 'd', 'b']) {
      await core.run(named({ one: 'a', two }));
      expect((await left(core))[two]).toBe(ALLOWANCE - 300_000);
      expect((await core.plan(named({ one: 'a', two }))).changes).toEqual([]);
    }
  });

  it('keep to it where somebody else renamed the key, and the plan renames it back', async () => {
    const core = await openUsed();
    core.store.records.delete((await core.store.walk()).find(({ name }) => name === 'b')?.id ?? keyId(0));
    await core.run(named({ one: 'a', two: 'b' }));
    const key = (await core.store.walk()).find(({ name }) => name === 'b');
    await core.store.update(key?.id ?? keyId(0), () => ({ name: 'theirs' }));
    await core.run(named({ one: 'a', two: 'b' }));
    expect(await left(core)).toEqual({ a: ALLOWANCE - 100_000, b: ALLOWANCE - 300_000 });
    expect((await core.plan(named({ one: 'a', two: 'b' }))).changes).toEqual([]);
  });
});

describe.each([[true], [false]])(
  'a resource whose key is created again in a window (records report the use: %s)',
  (reportsUse) => {
    it.each<[string, (core: ReturnType<typeof openCore>) => Promise<unknown>]>([
      ['somebody deleted its key', async ({ store }) => store.records.clear()],
      ['it was destroyed', (core) => core.run(new Map())],
    ])('gets what the former key left of its allowance after %s, and keeps it', async (_, end) => {
      const core = openCore(reportsUse);
      await core.run(configs);
      const [first] = await core.store.walk();
      if (first) core.store.spend(first.id, 1_000_000);
      await end(core);
      const text = 'Former keys of this name used $2.00 of the allowance since its window began: $3.00 of it are left';
      expect(await core.run(configs)).toMatchObject({ errors: [], warnings: [text] });
      expect(remaining(core)).toEqual([ALLOWANCE - 1_000_000]);
      expect(await core.plan(configs)).toEqual({ changes: [], warnings: [] });
      await core.run(configs);
      expect(remaining(core)).toEqual([ALLOWANCE - 1_000_000]);
    });

    it('gets the same where its first create was killed and is adopted', async () => {
      const core = openCore(reportsUse);
      await core.run(configs);
      const [first] = await core.store.walk();
      if (first) core.store.spend(first.id, 1_000_000);
      core.store.records.clear();
      let at = 0;
      do {
        core.store.records.clear();
        core.states.clear();
        at += 1;
        await core.run(configs, { at, when: 'after' });
      } while (core.store.records.size === 0);
      expect(core.states.size).toBe(0);
      expect(await core.run(configs)).toMatchObject({ errors: [] });
      expect(remaining(core)).toEqual([ALLOWANCE - 1_000_000]);
      expect((await core.plan(configs)).changes).toEqual([]);
    });
  },
);
