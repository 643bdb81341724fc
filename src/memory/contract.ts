import assert from 'node:assert/strict';
import { INITIAL_SETTINGS, isFault, type KeySettings, keyId, type ObservedKey, quota } from '../domain/index.ts';
import type { KeyStore } from '../reconcile/index.ts';

/** The functions of a test runner that the contract needs: those of Vitest, Jest, Mocha or `node:test`. */
export interface ContractRunner {
  /** Groups tests under a title. */
  readonly describe: (title: string, body: () => void) => unknown;
  /** Defines a test. */
  readonly it: (title: string, body: () => Promise<void>) => unknown;
}

/** A store with an account of its own, without keys, for one test. */
export interface StoreUnderTest {
  /** The store, with an account that has no keys. */
  readonly store: KeyStore;
  /** Called after each test. */
  close?(): Promise<void>;
}

/** The settings of a key without restrictions, with 10 dollars at the usual rate. */
const settings = (name: string, more: Partial<KeySettings> = {}): KeySettings => ({
  ...INITIAL_SETTINGS,
  name,
  group: 'default',
  unlimited: false,
  remain: quota(5_000_000),
  ...more,
});

const MISSING = keyId(999_999_999);

/** Creates keys and returns them as the store lists them, in the order of the names. */
async function createKeys(store: KeyStore, ...names: readonly string[]): Promise<readonly ObservedKey[]> {
  for (const name of names) await store.create(settings(name));
  const listed = await store.walk();
  return names.map((name) => listed.find((key) => key.name === name) ?? assert.fail(`${name} is not listed`));
}

const isRejection = (thrown: unknown): boolean => isFault(thrown);

type Test = readonly [title: string, body: (store: KeyStore) => Promise<void>];

const TESTS: readonly Test[] = [
  [
    'lists each key once, as it was created',
    async (store) => {
      const wanted = settings('a', { models: ['m-1', 'm-2'], allowIps: ['10.0.0.0/8'], expires: 4_102_444_800 });
      await store.create(wanted);
      await store.create(settings('b', { unlimited: true }));
      const listed = await store.walk();
      assert.deepEqual(listed.map(({ name }) => name).toSorted(), ['a', 'b']);
      const a = listed.find(({ name }) => name === 'a');
      assert.ok(a);
      assert.deepEqual(
        [a.models?.toSorted(), a.allowIps, a.expires, a.remain, a.status],
        [['m-1', 'm-2'], ['10.0.0.0/8'], 4_102_444_800, 5_000_000, 'enabled'],
      );
      assert.equal(listed.find(({ name }) => name === 'b')?.unlimited, true);
    },
  ],
  [
    'creates a second key of a name, with another ID: names are not unique at gateways',
    async (store) => {
      await store.create(settings('twin'));
      await store.create(settings('twin'));
      assert.equal(new Set((await store.walk()).map(({ id }) => id)).size, 2);
    },
  ],
  [
    'gives newer keys greater IDs, and lists the newest where it knows them',
    async (store) => {
      const [first, second] = await createKeys(store, 'first', 'second');
      assert.ok(first && second && first.id < second.id);
      const newest = await store.newest();
      if (newest) assert.ok(newest.keys.some(({ id }) => id === second.id));
    },
  ],
  [
    'reads a key as it lists it, and undefined for one that does not exist',
    async (store) => {
      const [key] = await createKeys(store, 'a');
      assert.ok(key);
      assert.deepEqual(await store.tryRead(key.id), key);
      assert.equal(await store.tryRead(MISSING), undefined);
      assert.deepEqual([...(await store.readMany([key.id, MISSING])).keys()], [key.id]);
    },
  ],
  [
    'updates with the key as it is right before, and keeps what the patch does not name',
    async (store) => {
      const [key] = await createKeys(store, 'a');
      assert.ok(key);
      await store.update(key.id, (now) => ({ remain: quota(now.remain - 1), models: ['m-1'] }));
      const after = await store.tryRead(key.id);
      assert.deepEqual(
        [after?.remain, after?.models, after?.group, after?.status],
        [4_999_999, ['m-1'], 'default', 'enabled'],
      );
    },
  ],
  [
    'writes nothing when the revision throws, and throws the same',
    async (store) => {
      const [key] = await createKeys(store, 'a');
      assert.ok(key);
      const own = new Error('somebody else was faster');
      const update = store.update(key.id, () => {
        throw own;
      });
      await assert.rejects(update, (thrown) => thrown === own);
      assert.deepEqual(await store.tryRead(key.id), key);
    },
  ],
  [
    'changes the status alone',
    async (store) => {
      const [key] = await createKeys(store, 'a');
      assert.ok(key);
      await store.setEnabled(key.id, false);
      assert.deepEqual(await store.tryRead(key.id).then((now) => [now?.status, now?.remain]), ['disabled', key.remain]);
      await store.setEnabled(key.id, true);
      assert.equal((await store.tryRead(key.id))?.status, 'enabled');
    },
  ],
  [
    'rejects changes of a key that does not exist, with an error of Keyplane',
    async (store) => {
      await assert.rejects(
        store.update(MISSING, () => ({ group: 'default' })),
        isRejection,
      );
      await assert.rejects(store.setEnabled(MISSING, false), isRejection);
    },
  ],
  [
    'deletes the existing keys of many IDs, and reports whether all existed',
    async (store) => {
      const [a, b, c] = await createKeys(store, 'a', 'b', 'c');
      assert.ok(a && b && c);
      assert.equal(await store.delete([a.id]), true);
      await store.delete([b.id, MISSING]);
      assert.deepEqual(
        (await store.walk()).map(({ name }) => name),
        ['c'],
      );
      await store.delete([]);
    },
  ],
  [
    'reveals a different credential for each existing key, and none for others',
    async (store) => {
      const keys = await createKeys(store, 'a', 'b');
      const secrets = await store.reveal([...keys.map(({ id }) => id), MISSING]);
      assert.deepEqual([...secrets.keys()].toSorted(), keys.map(({ id }) => id).toSorted());
      const [one, other] = [...secrets.values()];
      assert.ok(one && other && one !== other);
    },
  ],
  [
    'knows its rate, and verifies its account',
    async (store) => {
      await store.verifyAccount();
      await store.verifyWritable();
      assert.ok((await store.quotaPerUnit()).digits > 0n);
    },
  ],
];

/** Describes the contract of a key store in any test runner. `open` is called once for each test. */
export function keyStoreContract(
  { describe, it }: ContractRunner,
  title: string,
  open: () => Promise<StoreUnderTest> | StoreUnderTest,
): void {
  describe(`the key store ${title}`, () => {
    for (const [name, test] of TESTS) {
      it(name, async () => {
        const opened = await open();
        try {
          await test(opened.store);
        } finally {
          await opened.close?.();
        }
      });
    }
  });
}
