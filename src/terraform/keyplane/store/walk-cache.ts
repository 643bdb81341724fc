import type { KeyId, ObservedKey } from '../../../domain/index.ts';

/** Every key of the account, as one walk read them. */
export type WalkedKeys = readonly ObservedKey[];

/** The result of the last walk over all keys, and the keys written since. */
export interface WalkCache {
  /** Walks again, and remembers the result. */
  walk(): Promise<WalkedKeys>;
  last(): Promise<WalkedKeys> | undefined;
  /** Adds keys from another source: unknown ones did not exist during the walk. */
  add(keys: WalkedKeys): void;
  markWritten(id: KeyId): void;
  isStale(id: KeyId): boolean;
}

export function openWalkCache(walk: () => Promise<WalkedKeys>): WalkCache {
  let last: Promise<WalkedKeys> | undefined;
  const written = new Set<KeyId>();
  const remember = (keys: Promise<WalkedKeys> | undefined): void => {
    last = keys;
    // Nobody may be waiting for it, and a walk that failed must be repeated.
    keys?.catch(() => {
      if (last === keys) last = undefined;
    });
  };
  return {
    walk() {
      // A key that is written during the walk may be on a page that the walk has passed.
      const before = [...written];
      const keys = walk().then((found) => {
        for (const id of before) written.delete(id);
        return found;
      });
      remember(keys);
      return keys;
    },
    last: () => last,
    add(some) {
      remember(
        last?.then((keys) => {
          const known = new Set(keys.map(({ id }) => id));
          return [...keys, ...some.filter(({ id }) => !known.has(id))];
        }),
      );
    },
    markWritten(id) {
      written.add(id);
    },
    isStale: (id) => written.has(id),
  };
}
