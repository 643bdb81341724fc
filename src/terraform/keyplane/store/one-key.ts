import type { KeyId, ObservedKey } from '../../../domain/index.ts';
import type { KeyStore } from '../../../reconcile/index.ts';
import type { SharedStore } from './shared-store.ts';

type Keys = readonly ObservedKey[];

/** A store for the change of one key, which remembers what it saw last. */
export interface OneKeyStore extends KeyStore {
  /** What the latest walk saw; undefined before the first. */
  seen(): Keys | undefined;
}

/**
 * For a key that there is: a look at all is a look at this one, so that a thousand updates are not a thousand walks. A
 * rename looks at all once, because another key may have the name.
 */
export function storeOfLive(store: SharedStore, id: KeyId, isRename: boolean): OneKeyStore {
  let seen: Keys | undefined;
  let last: { readonly key: ObservedKey | undefined } | undefined;
  let isWhole = isRename;
  let isWritten = false;
  const writing = async (write: Promise<void>): Promise<void> => {
    isWritten = true;
    last = undefined;
    await write.finally(() => {
      last = undefined;
    });
  };
  const tryRead = async (asked: KeyId): Promise<ObservedKey | undefined> => {
    const key = await store.tryRead(asked);
    if (asked === id) last = { key };
    return key;
  };
  return {
    ...store,
    tryRead,
    async delete(ids) {
      const isCertain = await store.delete(ids);
      if (isCertain) last = { key: undefined };
      return isCertain;
    },
    update: (base, patch) => writing(store.update(base, patch)),
    setEnabled: (asked, enabled) => writing(store.setEnabled(asked, enabled)),
    // What was read for all before the write does not tell what this key spent meanwhile.
    usage: () => (isWritten ? store.usageFromNow() : store.usage()),
    async walk() {
      if (isWhole) {
        isWhole = false;
        return await store.walk();
      }
      const key = last ? last.key : await tryRead(id);
      seen = key ? [key] : [];
      return seen;
    },
    seen: () => seen,
  };
}

export const newestOf = (keys: Keys): number => keys.reduce((most, { id }) => Math.max(most, id), 0);

/**
 * For a key that is to be made: the first look, whether its name is free, is the latest that anybody had; those after it
 * are new.
 */
export function storeOfNew(
  store: SharedStore,
  name: string,
): OneKeyStore & { readonly before: () => Keys | undefined } {
  let [before, seen]: [Keys | undefined, Keys | undefined] = [undefined, undefined];
  const first = async (): Promise<Keys> => {
    const lately = await store.lately();
    // What has the name there may be gone by now: a key that is replaced is deleted right before.
    before = lately.some((key) => key.name === name) ? await store.walk() : lately;
    return before;
  };
  /** All that are newer, at the least: a walk only where one page does not show them. */
  const since = async (id: number): Promise<Keys> => {
    const page = await store.newest();
    return page !== undefined && page.after <= id ? page.keys : await store.walk();
  };
  return {
    ...store,
    async walk() {
      if (before === undefined) return await first();
      seen = undefined;
      seen = await since(newestOf(before));
      return seen;
    },
    seen: () => seen,
    before: () => before,
  };
}
