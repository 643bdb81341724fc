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
});
