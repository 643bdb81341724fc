import type { KeyId, ObservedKey } from '../../domain/index.ts';
import type { KeyStore } from '../../reconcile/index.ts';

/**
 * Gathers what is asked in the same moment into one request. When that fails and several had asked, each asks again alone:
 * what one of them asked wrongly is not the others’ trouble. So only for what does no harm when it is repeated.
 */
function gathered<A>(ask: (ids: readonly KeyId[]) => Promise<A>): (ids: readonly KeyId[]) => Promise<A> {
  let round: { readonly asked: (readonly KeyId[])[]; readonly answer: Promise<A> } | undefined;
  const begin = () => {
    const asked: (readonly KeyId[])[] = [];
    // Terraform sends each call in a message of its own: one turn of the loop gathers those that came together.
    const answer = new Promise((resolve) => setImmediate(resolve)).then(() => {
      round = undefined;
      return ask([...new Set(asked.flat())]);
    });
    return { asked, answer };
  };
  return async (ids) => {
    round ??= begin();
    const { asked, answer } = round;
    asked.push(ids);
    try {
      return await answer;
    } catch (thrown) {
      if (asked.length === 1) throw thrown;
      return await ask(ids);
    }
  };
}

/**
 * A walk that begins after it was asked for, shared by all who asked before it began. One that is under way is nobody’s
 * who asks now: a key that was just made may be on a page that it has passed.
 */
function sharedWalk(walk: () => Promise<readonly ObservedKey[]>): () => Promise<readonly ObservedKey[]> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<readonly ObservedKey[]> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        const begun = walk();
        running = begun;
        next = undefined;
        return begun;
      });
    return next;
  };
}

/** A store that many use at once. */
export interface SharedStore extends KeyStore {
  /** All keys, from one walk for everybody until something is written: what a refresh reads. */
  listed(): Promise<readonly ObservedKey[]>;
}

/**
 * The same store for many who ask at once, as Terraform does: one walk over the keys serves all who wait for one, and
 * deletes and reveals of one moment go out together.
 */
export function sharedStore(store: KeyStore): SharedStore {
  const walk = sharedWalk(() => store.walk());
  let known: Promise<readonly ObservedKey[]> | undefined;
  /** Whatever comes of a write, what was known before it may be old, and what was walked while it was under way. */
  const writing = async <A>(write: () => Promise<A>): Promise<A> => {
    known = undefined;
    try {
      return await write();
    } finally {
      known = undefined;
    }
  };
  const remove = gathered((ids) => store.delete(ids));
  return {
    ...store,
    walk,
    async listed() {
      const mine = known ?? walk();
      known = mine;
      try {
        return await mine;
      } catch (thrown) {
        if (known === mine) known = undefined;
        throw thrown;
      }
    },
    create: (settings) => writing(() => store.create(settings)),
    update: (base, patch) => writing(() => store.update(base, patch)),
    setEnabled: (id, enabled) => writing(() => store.setEnabled(id, enabled)),
    delete: (ids) => writing(() => remove(ids)),
    reveal: gathered((ids) => store.reveal(ids)),
  };
}
