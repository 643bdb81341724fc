import type { KeyId, ObservedKey } from '../../../../domain/index.ts';

interface Rename {
  readonly id: KeyId;
  readonly to: string;
}

/** A name that no other key has. A run that ends before it gives the final one leaves it to the next, which knows the key by its ID. */
export const interimName = (id: number): string => `keyplane-swap-${id}`;

/** `free`: nobody has the name. `swap`: the keys that release each other’s names wait for this one. `held`: nobody releases the name. */
export type Turn = 'free' | 'swap' | 'held';

/** Orders the renames of one run: a key must have released a name before another one takes it. */
export interface RenameOrder {
  /** Waits until no key has the name. @param keys the latest list */
  turn(rename: Rename, keys: () => Promise<readonly ObservedKey[]>): Promise<Turn>;
  /** Notes the name that a key got; undefined: it was deleted. */
  renamed(id: KeyId, name: string | undefined): void;
  /** Notes that core sends further changes: any of them may release a name. */
  noteActivity(): void;
}

/** @param patience how long nothing may happen before a name counts as held: core sends the update that releases it at any time */
export function openRenameOrder(patience: () => Promise<unknown>): RenameOrder {
  /** The names that this run has given, by ID; undefined: the key is gone. */
  const names = new Map<KeyId, string | undefined>();
  /** The key that each key waits for. */
  const awaited = new Map<KeyId, KeyId>();
  let events = 0;
  const wake: (() => void)[] = [];
  const noteActivity = (): void => {
    events += 1;
    for (const each of wake.splice(0)) each();
  };
  const holderOf = ({ id, to }: Rename, keys: readonly ObservedKey[]): KeyId | undefined => {
    const listed = new Map(keys.map((key) => [key.id, key.name]));
    const current = new Map<KeyId, string | undefined>([...listed, ...names]);
    return [...current].find(([other, name]) => other !== id && name === to)?.[0];
  };
  const closesCycle = (id: KeyId, holder: KeyId): boolean => {
    let next: KeyId | undefined = holder;
    while (next !== undefined && next !== id) next = awaited.get(next);
    return next === id;
  };
  const nextEvent = (): Promise<unknown> => {
    const event = new Promise<void>((resolve) => wake.push(resolve));
    return Promise.race([event, patience()]);
  };
  return {
    noteActivity,
    async turn(rename, keys) {
      try {
        for (;;) {
          const holder = holderOf(rename, await keys());
          if (holder === undefined) return 'free';
          awaited.set(rename.id, holder);
          if (closesCycle(rename.id, holder)) return 'swap';
          const before = events;
          await nextEvent();
          if (events === before) return 'held';
        }
      } finally {
        awaited.delete(rename.id);
      }
    },
    renamed(id, name) {
      names.set(id, name);
      // Whoever waited for this key looks again, and may then wait for another one.
      for (const [waiting, holder] of awaited) if (holder === id) awaited.delete(waiting);
      noteActivity();
    },
  };
}
