import type { KeyId, ObservedKey } from '../domain/index.ts';
import type { KeyStore } from '../reconcile/index.ts';

/** A store that knows what it has read since its last write: the call that reads on need not ask again. */
export interface RememberingStore extends KeyStore {
  /** The key as it was read last; undefined when it was not read since the last write, or does not exist. */
  readonly last: (id: KeyId) => ObservedKey | undefined;
}

/** Wraps a store for one call. Every write forgets what was read before, whether it succeeds or not. */
export function rememberReads(store: KeyStore): RememberingStore {
  const seen = new Map<KeyId, ObservedKey>();
  const note = <K extends Iterable<ObservedKey>>(keys: K): K => {
    for (const key of keys) seen.set(key.id, key);
    return keys;
  };
  const writing = async <R>(work: () => Promise<R>): Promise<R> => {
    seen.clear();
    try {
      return await work();
    } finally {
      seen.clear();
    }
  };
  return {
    ...store,
    last: (id) => seen.get(id),
    walk: async () => note(await store.walk()),
    async newest() {
      const newest = await store.newest();
      if (newest) note(newest.keys);
      return newest;
    },
    async tryRead(id) {
      seen.delete(id);
      const key = await store.tryRead(id);
      if (key) note([key]);
      return key;
    },
    async readMany(ids) {
      for (const id of ids) seen.delete(id);
      const keys = await store.readMany(ids);
      note(keys.values());
      return keys;
    },
    create: (settings, sending) => writing(() => store.create(settings, sending)),
    update: (id, revise) => writing(() => store.update(id, revise)),
    setEnabled: (id, enabled, recheck) => writing(() => store.setEnabled(id, enabled, recheck)),
    delete: (ids, recheck) => writing(() => store.delete(ids, recheck)),
  };
}

/** A walk that looks at one key, as it was read last: looking at it afterwards costs no walk over the others. */
export const onlyKey = (store: RememberingStore, id: KeyId): RememberingStore => ({
  ...store,
  async walk() {
    const known = store.last(id);
    return known ? [known] : [...(await store.readMany([id])).values()];
  },
});

/** The same for a write that depends on nothing but the identity of the key: what was read for its plan is not read again. */
export const asPlanned = (store: RememberingStore, id: KeyId): RememberingStore => ({
  ...onlyKey(store, id),
  tryRead: async (asked) => store.last(asked) ?? (await store.tryRead(asked)),
  async readMany(ids) {
    const known = ids.flatMap((each) => store.last(each) ?? []);
    return known.length === ids.length ? new Map(known.map((key) => [key.id, key])) : await store.readMany(ids);
  },
});
