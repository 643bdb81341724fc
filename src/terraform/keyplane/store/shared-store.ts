import type { KeyId, ObservedKey } from '../../../domain/index.ts';
import type { KeyStore } from '../../../reconcile/index.ts';
import { gathered, type Linger } from './batch.ts';
import { openTurnstile } from './read-write-gate.ts';
import { freshUsage, sharedUsage } from './shared-usage.ts';

type Keys = readonly ObservedKey[];

/**
 * A look that begins after it was asked for, shared by all who asked before it began. One that is under way is nobody’s
 * who asks now: a key that was just made may be on a page that it has passed.
 */
function sharedLook<A>(look: () => Promise<A>, linger: Linger = async () => {}): () => Promise<A> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<A> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(linger)
      .then(() => {
        const begun = look();
        running = begun;
        next = undefined;
        return begun;
      });
    return next;
  };
}

/** What is asked once and stays so for as long as a provider lives; trouble is not remembered. */
function once<A>(ask: () => Promise<A>): () => Promise<A> {
  let answer: Promise<A> | undefined;
  return () => {
    answer ??= ask().catch((thrown: unknown) => {
      answer = undefined;
      throw thrown;
    });
    return answer;
  };
}

/** What was last seen of the keys, and what was written since. */
function lastSeen(walk: () => Promise<Keys>) {
  let last: Promise<Keys> | undefined;
  const written = new Set<KeyId>();
  return {
    /** Looks anew, and remembers. */
    walk(): Promise<Keys> {
      // What is written while the walk goes on may be on a page that it has passed.
      const before = [...written];
      const now = walk().then((keys) => {
        for (const id of before) written.delete(id);
        return keys;
      });
      last = now;
      now.catch(() => {
        if (last === now) last = undefined;
      });
      return now;
    },
    last: () => last,
    /** Keys that were seen otherwise: what is new among them was not there when all were walked over. */
    add(some: Keys): void {
      const merged = last?.then((keys) => {
        const known = new Set(keys.map(({ id }) => id));
        return [...keys, ...some.filter(({ id }) => !known.has(id))];
      });
      last = merged;
      // Nobody may be waiting for it; and a walk that failed is to be walked again.
      merged?.catch(() => {
        if (last === merged) last = undefined;
      });
    },
    note: (id: KeyId) => written.add(id),
    isOld: (id: KeyId) => written.has(id),
  };
}

const turnOfLoop: Linger = () => new Promise((resolve) => setImmediate(resolve));

/** A store that many use at once. */
export interface SharedStore extends KeyStore {
  /** All keys, from one walk for everybody until something is written: what a refresh reads. */
  listed(): Promise<Keys>;
  /** All keys as the last walk saw them, which may be before the latest writes. */
  lately(): Promise<Keys>;
  /** The usage log as it is from now on. */
  usageFromNow(): ReturnType<KeyStore['usage']>;
  /** One key, from the last walk unless it was written since. Undefined when there is none. */
  live(id: KeyId): Promise<ObservedKey | undefined>;
}

/**
 * The same store for many who ask at once, as Terraform does: one walk over the keys serves all who wait for one, and
 * deletes and reveals of one moment go out together.
 */
export function sharedStore(store: KeyStore, linger: Linger = turnOfLoop): SharedStore {
  const turnstile = openTurnstile();
  const seen = lastSeen(sharedLook(() => turnstile.look(() => store.walk())));
  let isWritten = false;
  let usage = sharedUsage(() => store.usage());
  /** Whatever comes of a write, what was seen before it may be old, and what was walked while it was under way. */
  const writing = async <A>(ids: readonly KeyId[], write: () => Promise<A>): Promise<A> => {
    const mark = () => {
      isWritten = true;
      for (const id of ids) seen.note(id);
    };
    mark();
    try {
      return await write();
    } finally {
      mark();
    }
  };
  const walk = () => {
    isWritten = false;
    // Budgets compare what is left with the log: one that was read before the keys would miss what they spent.
    usage = sharedUsage(() => store.usage());
    return seen.walk();
  };
  const newest = async () => {
    const page = await store.newest();
    if (page) seen.add(page.keys);
    return page;
  };
  const remove = gathered((ids) => store.delete(ids), linger);
  const lately = () => seen.last() ?? walk();
  return {
    account: store.account,
    tryRead: (id) => store.tryRead(id),
    quotaPerUnit: once(() => store.quotaPerUnit()),
    groups: once(() => store.groups()),
    models: once(() => store.models()),
    walk,
    // One page is whole in itself: nobody has to stand still for it.
    newest: sharedLook(newest, linger),
    lately,
    listed: () => (isWritten ? walk() : lately()),
    async live(id) {
      const keys = await lately();
      return seen.isOld(id) ? await store.tryRead(id) : keys.find((key) => key.id === id);
    },
    create: (settings) => writing([], () => turnstile.through(() => store.create(settings))),
    update: (base, patch) => writing([base.id], () => store.update(base, patch)),
    setEnabled: (id, enabled) => writing([id], () => store.setEnabled(id, enabled)),
    delete: (ids) => writing(ids, () => turnstile.through(() => remove(ids))),
    reveal: gathered((ids) => store.reveal(ids), linger),
    usage: () => usage(),
    usageFromNow: freshUsage(() => store.usage(), linger),
  };
}
