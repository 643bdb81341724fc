import type { KeyId, ObservedKey } from '../../../domain/index.ts';
import type { KeyStore } from '../../../reconcile/index.ts';
import type { SharedStore } from './shared-store.ts';
import type { WalkedKeys } from './walk-cache.ts';

/** A store for the change of one key, which remembers its latest walk. */
export interface OneKeyStore extends KeyStore {
  /** The keys of the latest walk; undefined before the first. */
  lastWalk(): WalkedKeys | undefined;
}

/** The latest reading of one key. */
function trackKey(store: SharedStore, id: KeyId) {
  let last: { readonly key: ObservedKey | undefined } | undefined;
  return {
    get last() {
      return last;
    },
    set(key: ObservedKey | undefined) {
      last = { key };
    },
    forget() {
      last = undefined;
    },
    async tryRead(requested: KeyId): Promise<ObservedKey | undefined> {
      const key = await store.tryRead(requested);
      if (requested === id) last = { key };
      return key;
    },
  };
}

/**
 * Limits a store to one existing key: a walk reads only this key, so that a thousand updates are not a thousand walks, and concurrent
 * updates share that read. A rename also looks at all keys, because another key may have the name: before the write as the latest
 * walk read them, and after it once more, with the other updates.
 *
 * @param newName undefined unless the key is renamed
 */
export function storeForExisting(
  store: SharedStore,
  id: KeyId,
  newName?: string,
): OneKeyStore & {
  /** Other keys that have the name as well, as read after the write. */
  readonly namesakes: () => WalkedKeys;
} {
  const tracked = trackKey(store, id);
  const isNamesake = (key: ObservedKey): boolean => key.name === newName && key.id !== id;
  let [walked, namesakes]: [WalkedKeys | undefined, WalkedKeys | undefined] = [undefined, undefined];
  let mustWalkAll = newName !== undefined;
  let isWritten = false;
  const writing = async (write: Promise<void>): Promise<void> => {
    isWritten = true;
    tracked.forget();
    await write.finally(tracked.forget);
  };
  const readBack = async (): Promise<ObservedKey | undefined> => {
    const { key, keys } = await store.rounds.readBack(id, newName !== undefined && namesakes === undefined);
    if (keys) namesakes = keys.filter(isNamesake);
    tracked.set(key);
    return key;
  };
  const read = async (): Promise<ObservedKey | undefined> => {
    if (tracked.last) return tracked.last.key;
    return isWritten ? await readBack() : await tracked.tryRead(id);
  };
  const walkAll = async (): Promise<WalkedKeys> => {
    const recent = await store.recent();
    // The other key may have released the name since.
    return recent.some(isNamesake) ? await store.walk() : recent;
  };
  return {
    ...store,
    tryRead: tracked.tryRead,
    async readMany(ids) {
      if (isWritten) {
        const key = await readBack();
        return new Map(key ? [[id, key]] : []);
      }
      const found = await store.readMany(ids);
      if (ids.includes(id)) tracked.set(found.get(id));
      return found;
    },
    async delete(ids, recheck) {
      const isCertain = await store.delete(ids, recheck);
      if (isCertain) tracked.set(undefined);
      return isCertain;
    },
    update: (requested, revise) => writing(store.update(requested, revise)),
    setEnabled: (requested, enabled, recheck) => writing(store.setEnabled(requested, enabled, recheck)),
    // The shared reading predates the write, and misses what this key has spent meanwhile.
    usage: () => (isWritten ? store.freshUsage() : store.usage()),
    async walk() {
      if (mustWalkAll) {
        mustWalkAll = false;
        return await walkAll();
      }
      const key = await read();
      walked = key ? [key] : [];
      return walked;
    },
    lastWalk: () => walked,
    namesakes: () => namesakes ?? [],
  };
}

export const newestId = (keys: WalkedKeys): number => keys.reduce((most, { id }) => Math.max(most, id), 0);

/**
 * A store for a new key: its first walk, which looks for the name, is the latest shared one; later walks return newer
 * keys.
 */
export function storeForNew(
  store: SharedStore,
  name: string,
): OneKeyStore & {
  readonly firstWalk: () => WalkedKeys | undefined;
  /** A key as the latest walk that saw it read it. */
  readonly seen: (id: KeyId) => ObservedKey | undefined;
} {
  const seen = new Map<KeyId, ObservedKey>();
  let [before, walked]: [WalkedKeys | undefined, WalkedKeys | undefined] = [undefined, undefined];
  const first = async (): Promise<WalkedKeys> => {
    const recent = await store.recent();
    // The key with that name may no longer exist: a key that is replaced is deleted right before.
    before = recent.some((key) => key.name === name) ? await store.walk() : recent;
    return before;
  };
  /** At least all keys newer than an ID; walks only if one page does not hold them. */
  const since = async (id: number): Promise<WalkedKeys> => {
    const page = await store.newest();
    return page !== undefined && page.after <= id ? page.keys : await store.walk();
  };
  return {
    ...store,
    async walk() {
      if (before === undefined) return await first();
      walked = undefined;
      walked = await since(newestId(before));
      for (const key of walked) if (key.name === name) seen.set(key.id, key);
      return walked;
    },
    lastWalk: () => walked,
    firstWalk: () => before,
    seen: (id) => seen.get(id),
  };
}
