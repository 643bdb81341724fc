import { describe, expect, it } from 'vitest';
import { keyId, quota } from '../../src/domain/index.ts';
import { findDuplicates } from '../../src/reconcile/index.ts';
import { emptyAccount, live, NOW } from './account.ts';

/** Keys 1 and 2 are twins, key 3 is not. */
function account(reportsUse = false) {
  const store = emptyAccount({ reportsUse });
  for (const name of ['twin', 'twin', 'other']) store.seed(live(name));
  return store;
}

const decision = async (...args: Parameters<typeof findDuplicates>) =>
  (await findDuplicates(...args)).map(({ name, remove, undecided }) => [name, remove, undecided]);

describe('duplicates', () => {
  it.each([true, false])('lose the keys that nobody used (use reported: %s)', async (reportsUse) => {
    const store = account(reportsUse);
    store.spend(keyId(2), 100);
    expect(await decision(store)).toEqual([['twin', [1], undefined]]);
    expect(store.calls.usage ?? 0).toBe(reportsUse ? 0 : 1);
  });

  it('are undecided while none was used, and when several were', async () => {
    const store = account();
    expect(await decision(store)).toEqual([['twin', [], 'none-used']]);
    expect(await decision(store, { keep: [keyId(1)] })).toEqual([['twin', [2], undefined]]);
    store.spend(keyId(1), 100);
    store.spend(keyId(2), 100);
    expect(await decision(store, { keep: [keyId(1)] })).toEqual([['twin', [], 'several-used']]);
  });

  it('are undecided when the log was not read to its end', async () => {
    const store = account();
    store.spend(keyId(1), 100);
    for (let i = 0; i < 250; i += 1) store.spend(keyId(3), 1);
    expect(await decision(store, { maxLogPages: 1 })).toEqual([['twin', [], 'unknown-use']]);
    expect(await decision(store)).toEqual([['twin', [2], undefined]]);
  });

  it('are undecided when the log names only their name', async () => {
    const store = account();
    store.log.unshift({ identity: 'x', at: NOW, keyId: undefined, keyName: 'twin', spent: quota(5) });
    expect(await decision(store, { keep: [keyId(1)] })).toEqual([['twin', [], 'unknown-use']]);
  });

  it('are undecided when the one that was used is disabled: its consumers may be about to use the other one', async () => {
    const store = account();
    store.spend(keyId(1), 100);
    await store.setEnabled(keyId(1), false);
    expect(await decision(store)).toEqual([['twin', [], 'used-disabled']]);
    expect(await decision(store, { keep: [keyId(1)] })).toEqual([['twin', [2], undefined]]);
    expect(await decision(store, { keep: [keyId(2)] })).toEqual([['twin', [], 'several-used']]);
  });

  it('are kept where they are declared by their IDs', async () => {
    const store = account();
    expect(await decision(store, { adopted: [keyId(2)] })).toEqual([['twin', [1], undefined]]);
    expect(await decision(store, { adopted: [keyId(1), keyId(2)] })).toEqual([['twin', [], undefined]]);
    store.spend(keyId(1), 100);
    expect(await decision(store, { adopted: [keyId(2)] })).toEqual([['twin', [], 'several-used']]);
  });

  it('lose all that nobody used of three, whatever their settings are', async () => {
    const store = account();
    store.seed(live('twin', { group: 'vip', unlimited: true }));
    store.spend(keyId(2), 100);
    expect(await decision(store)).toEqual([['twin', [1, 4], undefined]]);
  });

  it('never lose all keys of a name', async () => {
    const store = account();
    store.seed(live('twin'));
    expect(await decision(store, { keep: [keyId(4)] })).toEqual([['twin', [1, 2], undefined]]);
    expect(await decision(store, { keep: [keyId(1), keyId(4)] })).toEqual([['twin', [2], undefined]]);
    expect(await decision(store, { keep: [keyId(1), keyId(2), keyId(4)] })).toEqual([['twin', [], 'none-used']]);
  });

  it('lose none while two of three were used, or one may have been', async () => {
    const store = account();
    store.seed(live('twin'));
    store.spend(keyId(1), 100);
    store.spend(keyId(2), 100);
    expect(await decision(store)).toEqual([['twin', [], 'several-used']]);
    await store.setEnabled(keyId(2), false);
    expect(await decision(store)).toEqual([['twin', [], 'used-disabled']]);
    const unsure = account();
    unsure.spend(keyId(1), 100);
    unsure.log.unshift({ identity: 'x', at: NOW, keyId: undefined, keyName: 'twin', spent: quota(5) });
    expect(await decision(unsure)).toEqual([['twin', [], 'unknown-use']]);
  });

  it('are listed by name, then by ID', async () => {
    const store = emptyAccount();
    for (const name of ['b', 'b', 'a', 'c', 'a', 'c']) store.seed(live(name));
    const walk = store.walk.bind(store);
    const listed = async () =>
      (await findDuplicates(store)).map(({ name, twins }) => [name, ...twins.map(({ key }) => key.id)]);
    expect(await listed()).toEqual([
      ['a', 3, 5],
      ['b', 1, 2],
      ['c', 4, 6],
    ]);
    store.walk = async () => [...(await walk())].reverse();
    expect(await listed()).toEqual([
      ['a', 3, 5],
      ['b', 1, 2],
      ['c', 4, 6],
    ]);
  });

  const entry = (at: number, units: number) => ({
    identity: `${at}`,
    at,
    keyId: keyId(1),
    keyName: 'twin',
    spent: quota(units),
  });
  it.each<[string, boolean, object, readonly ReturnType<typeof entry>[], object]>([
    ['no use', true, {}, [], { isUsed: false, used: 0 }],
    ['no use, according to the log', false, {}, [], { isUsed: false }],
    [
      'an access after the create',
      true,
      { created_time: 100, accessed_time: 200 },
      [],
      { isUsed: true, used: 0, lastUsed: 200 },
    ],
    ['an access by the create', true, { created_time: 100, accessed_time: 100 }, [], { isUsed: false, used: 0 }],
    ['an access at an unknown time after the create', true, { accessed_time: 200 }, [], { isUsed: false, used: 0 }],
    ['a create without an access', true, { created_time: 100 }, [], { isUsed: false, used: 0 }],
    [
      'the sum and the last time of its entries',
      false,
      {},
      [entry(300, 5), entry(250, 7)],
      { isUsed: true, used: 12, lastUsed: 300 },
    ],
    [
      'the last of an access and its entries',
      false,
      { created_time: 100, accessed_time: 400 },
      [entry(300, 5)],
      { isUsed: true, used: 5, lastUsed: 400 },
    ],
  ])('show %s', async (_, reportsUse, extra, entries, expected) => {
    const store = emptyAccount({ reportsUse });
    for (const more of [extra, {}])
      store.seed(live('twin'), { extra: { created_time: undefined, accessed_time: undefined, ...more } });
    store.log.push(...entries);
    const [found] = await findDuplicates(store);
    expect({ ...found?.twins[0], key: undefined }).toEqual(expected);
  });
});
