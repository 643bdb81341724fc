import type { KeyId, ObservedKey } from '../../../domain/index.ts';
import type { KeyStore } from '../../../reconcile/index.ts';
import type { SharedStore } from './shared-store.ts';
import type { WalkedKeys } from './walk-cache.ts';

/** A store for the change of one key, which remembers its latest walk. */
export interface OneKeyStore extends KeyStore {
  /** The keys of the latest walk; undefined before the first. */
  lastWalk(): WalkedKeys | undefined;
}

/** The latest reading of one key, and after a write of its namesakes. */
function trackKey(store: SharedStore, id: KeyId, newName: string | undefined) {
  let last: { readonly key: ObservedKey | undefined } | undefined;
  let namesakes: WalkedKeys | undefined;
  let isWritten = false;
  const isNamesake = (key: ObservedKey): boolean => key.name === newName && key.id !== id;
  const tryRead = async (requested: KeyId): Promise<ObservedKey | undefined> => {
    const key = await store.tryRead(requested);
    if (requested === id) last = { key };
    return key;
  };
  const readBack = async (): Promise<ObservedKey | undefined> => {
    const { key, keys } = await store.rounds.readBack(id, newName !== undefined && namesakes === undefined);
    if (keys) namesakes = keys.filter(isNamesake);
    last = { key };
    return key;
  };
  return {
    isNamesake,
    namesakes: () => namesakes ?? [],
    isWritten: () => isWritten,
    set(key: ObservedKey | undefined) {
      last = { key };
    },
    tryRead,
    readBack,
    /** The key as it was read since the last write. */
    async current(): Promise<ObservedKey | undefined> {
      if (last) return last.key;
      return isWritten ? await readBack() : await tryRead(id);
    },
    async writing(write: Promise<void>): Promise<void> {
      const forget = () => {
        last = undefined;
      };
      isWritten = true;
      forget();
      await write.finally(forget);
    },
  };
}

/** A store for a key that exists. */
export interface ExistingKeyStore extends OneKeyStore {
  /** Other keys that have the new name as well, as read after the write. */
  namesakes(): WalkedKeys;
}

/**
 * Limits a store to one existing key: a walk reads only this key, so that a thousand updates are not a thousand walks, and concurrent
 * updates share that read. A rename also looks at all keys, because another key may have the name: before the write as the latest
 * walk read them, and after it once more, with the other updates.
 *
 * @param newName undefined unless the key is renamed
 */
export function storeForExisting(store: SharedStore, id: KeyId, newName?: string): ExistingKeyStore {
  const tracked = trackKey(store, id, newName);
  let walked: WalkedKeys | undefined;
  let mustWalkAll = newName !== undefined;
  const walkAll = async (): Promise<WalkedKeys> => {
    const recent = await store.recent();
    // The other key may have released the name since.
    return recent.some(tracked.isNamesake) ? await store.walk() : recent;
  };
  return {
    ...store,
    tryRead: tracked.tryRead,
    async readMany(ids) {
      if (tracked.isWritten()) return mapOf(await tracked.readBack());
      const found = await store.readMany(ids);
      if (ids.includes(id)) tracked.set(found.get(id));
      return found;
    },
    async delete(ids, recheck) {
      const isCertain = await store.delete(ids, recheck);
      if (isCertain) tracked.set(undefined);
      return isCertain;
    },
    update: (requested, revise) => tracked.writing(store.update(requested, revise)),
    setEnabled: (requested, enabled, recheck) => tracked.writing(store.setEnabled(requested, enabled, recheck)),
    // The shared reading predates the write, and misses what this key has spent meanwhile.
    usage: () => (tracked.isWritten() ? store.freshUsage() : store.usage()),
    async walk() {
      if (mustWalkAll) {
        mustWalkAll = false;
        return await walkAll();
      }
      walked = [...mapOf(await tracked.current()).values()];
      return walked;
    },
    lastWalk: () => walked,
    namesakes: tracked.namesakes,
  };
}

const mapOf = (key: ObservedKey | undefined): ReadonlyMap<KeyId, ObservedKey> => new Map(key ? [[key.id, key]] : []);

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
