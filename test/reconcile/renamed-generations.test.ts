import { describe, expect, it } from 'vitest';
import { Fault, type KeyId, keyName, type UnixSeconds } from '../../src/domain/index.ts';
import { apply, narrow, observe, plan } from '../../src/reconcile/index.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { declareNew, live, NOW, state } from './account.ts';

const DAY = 86_400;
const renamed = (name: string, from: string) => declareNew(name, { renamedFrom: keyName(from) });
const proveSecrets = async (ids: readonly KeyId[]) => new Map(ids.map((id) => [id, undefined]));

/** Keys with these names, the first of which has the ID 1. */
function world(...names: readonly string[]) {
  let now: UnixSeconds = NOW;
  const store = new MemoryStore({ reportsUse: true, reportsTimes: true, now: () => now });
  for (const name of names) store.seed(live(name, { unlimited: true }));
  return {
    store,
    pass: (seconds: number) => {
      now += seconds;
    },
    /** @param failsAt the number of the update that fails, and of all after it */
    async apply(desired: ReturnType<typeof state>, { failsAt = 0, only = [] as readonly string[] } = {}) {
      let updates = 0;
      store.hook = (operation) => {
        if (operation !== 'update') return;
        updates += 1;
        if (failsAt > 0 && updates >= failsAt) throw new Fault('gateway.refused', 'the database is locked');
      };
      const observed = await observe(store, desired, { now });
      const made = plan(desired, observed, now);
      const chosen = only.length > 0 ? narrow(made, { names: only }) : made;
      return apply(chosen, store, { observed, desired, now: () => now, concurrency: 4, proveSecrets });
    },
    names: () =>
      [...store.records.values()].map(({ id, name, status }) => `${id} ${name}${status === 1 ? '' : ' off'}`),
  };
}

const PRUNED = { scope: ['*'], prune: 'delete' } as const;

describe('a chain of renames', () => {
  // `a` becomes `b` while `b` becomes `c`.
  const desired = state([renamed('b', 'a'), renamed('c', 'b')], PRUNED);

  it.each([
    [
      ['a~20261120-0900', 'b'],
      ['1 b~20261120-0900', '2 c'],
    ],
    [
      ['a', 'b~20261120-0900'],
      ['1 b', '2 c~20261120-0900'],
    ],
    [
      ['a~20261120-0900', 'b~20261120-0900'],
      ['1 b~20261120-0900', '2 c~20261120-0900'],
    ],
    [
      ['a', 'b', 'a~20261120-0900', 'b~20261120-0900'],
      ['1 b', '2 c', '3 b~20261120-0900', '4 c~20261120-0900'],
    ],
  ])('gives each key its new name, where it has rotated: %j', async (names, expected) => {
    const account = world(...names);
    await account.apply(desired);
    expect(account.names()).toEqual(expected);
    expect((await account.apply(desired)).plan.changes.map(({ verb }) => verb)).not.toContain('rename');
  });

  it.each([1, 2, 3, 4])('that fails from its update %i on is continued by the next run', async (failsAt) => {
    const account = world('a', 'b', 'a~20261120-0900', 'b~20261120-0900');
    await account.apply(desired, { failsAt });
    await account.apply(desired);
    expect(account.names()).toEqual(['1 b', '2 c', '3 b~20261120-0900', '4 c~20261120-0900']);
  });

  it.each([1, 2, 3])(
    'of which the first key is older, and that fails from its update %i on, loses no key',
    async (failsAt) => {
      const account = world('b', 'b~20261120-0900', 'a', 'a~20261120-1000');
      await account.apply(desired, { failsAt });
      await account.apply(desired);
      expect(account.names()).toEqual(['1 c', '2 c~20261120-0900', '3 b', '4 b~20261120-1000']);
    },
  );

  it('that was interrupted where nothing shows whose a generation is leaves that to a person', async () => {
    // The second key may be a generation of the first one, or the oldest one of the third.
    const account = world('c', 'b~20261120-0900', 'a~20261120-1000');
    await expect(account.apply(desired)).rejects.toMatchObject({ code: 'plan.ambiguous' });
    expect(account.names()).toEqual(['1 c', '2 b~20261120-0900', '3 a~20261120-1000']);
  });

  it('leaves the key that gave its name away its rotation', async () => {
    const rotating = renamed('c', 'b');
    const schedule = state([renamed('b', 'a'), { ...rotating, rotate: { every: 5 * DAY, overlap: DAY } }]);
    const account = world('a', 'b');
    await account.apply(schedule);
    account.pass(5 * DAY);
    await account.apply(schedule);
    expect(account.names()).toEqual(['1 b', '2 c', '3 c~20261125-1200']);
  });

  it('waits where a narrowed run leaves the name to another key', async () => {
    const account = world('a~20261120-0900', 'b');
    const { outcomes } = await account.apply(desired, { only: ['a~20261120-0900'] });
    expect(outcomes).toMatchObject([
      { state: 'skipped', reason: 'key 2 already has the name “b~20261120-0900”', change: { verb: 'rename' } },
    ]);
    await account.apply(desired);
    expect(account.names()).toEqual(['1 b~20261120-0900', '2 c']);
  });
});

describe('a rename of several generations', () => {
  const desired = state([renamed('new', 'old')], PRUNED);

  it.each([1, 2, 3])('that fails from its update %i on is continued by the next run', async (failsAt) => {
    const account = world('old', 'old~20261118-0900', 'old~20261119-0900');
    await account.apply(desired, { failsAt });
    await account.apply(desired);
    expect(account.names()).toEqual(['1 new', '2 new~20261118-0900', '3 new~20261119-0900']);
  });

  it('leaves them as they are where a later key has the new name', async () => {
    const account = world('old~20261118-0900', 'new');
    await account.apply(desired);
    expect(account.names()).toEqual(['1 old~20261118-0900', '2 new']);
  });
});

describe('a key with several generations that leaves its quarantine', () => {
  const unused = state([declareNew('other')], { ...PRUNED, quarantine: 5 * DAY });
  const again = state([declareNew('other'), declareNew('app')], { ...PRUNED, quarantine: 5 * DAY });

  it.each([1, 2])('gets all of them back, although the run fails from its update %i on', async (failsAt) => {
    const account = world('app', 'app~20261120-1130', 'other');
    await account.apply(unused);
    expect(account.names()[1]).toMatch(/^2 app~20261120-1130~q\w+-\w+ off$/);
    await account.apply(again, { failsAt });
    await account.apply(again);
    expect(account.names()).toEqual(['1 app', '2 app~20261120-1130', '3 other']);
  });
});
