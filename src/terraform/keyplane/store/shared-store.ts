import { type KeyId, type ObservedKey, oncePer, type Secret } from '../../../domain/index.ts';
import type { KeyStore } from '../../../reconcile/index.ts';
import { type BatchDelay, batched } from './batch.ts';
import { openReadWriteGate } from './read-write-gate.ts';
import { freshUsage, sharedUsage } from './shared-usage.ts';
import { openUpdateRounds, type UpdateRounds } from './update-rounds.ts';
import { openWalkCache, type WalkedKeys } from './walk-cache.ts';

/**
 * Shares a read among all callers that request it before it starts. A caller never joins a read that is under way: a key
 * that was just created may be on a page that the read has passed.
 */
function sharedRead<A>(read: () => Promise<A>, delay: BatchDelay = async () => {}): () => Promise<A> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<A> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(delay)
      .then(() => {
        const started = read();
        running = started;
        next = undefined;
        return started;
      });
    return next;
  };
}

/** Remembers the result of a successful call. */
function rememberSuccess<A>(call: () => Promise<A>): () => Promise<A> {
  let result: Promise<A> | undefined;
  return () => {
    result ??= call().catch((thrown: unknown) => {
      result = undefined;
      throw thrown;
    });
    return result;
  };
}

/** The keys of a walk by their IDs: a refresh looks each of them up. */
const keysById = oncePer(
  (keys: WalkedKeys): ReadonlyMap<KeyId, ObservedKey> => new Map(keys.map((key) => [key.id, key])),
);

const nextTurn: BatchDelay = () => new Promise((resolve) => setImmediate(resolve));

/** A key store for concurrent callers. */
export interface SharedStore extends KeyStore {
  /** All keys, as a refresh needs them: one walk serves everybody until something is written. */
  list(): Promise<WalkedKeys>;
  /** All keys as of the last walk, which may miss the latest writes. */
  recent(): Promise<WalkedKeys>;
  /** One key, from the last walk unless it was written since or is not in it. */
  tryFind(id: KeyId): Promise<ObservedKey | undefined>;
  /** The usage log, as far as one key needs it. */
  usageOf(key: ObservedKey): ReturnType<KeyStore['usage']>;
  /** The usage log from a reading that starts now. */
  freshUsage(): ReturnType<KeyStore['usage']>;
  readonly rounds: UpdateRounds;
  /** The number of requests that revealed keys. */
  revealRequests(): number;
}

/** Marks the keys before and after: a walk during the write is as stale as one before it. */
async function marked<A>(mark: () => void, write: () => Promise<A>): Promise<A> {
  mark();
  try {
    return await write();
  } finally {
    mark();
  }
}

/** The reads of a shared store, and a wrapper that marks what a write may have made stale. */
function sharedReads(store: KeyStore, delay: BatchDelay) {
  const gate = openReadWriteGate();
  const cache = openWalkCache(sharedRead(() => gate.read(() => store.walk())));
  let isWritten = false;
  let usage = sharedUsage(() => store.usage());
  const walk = () => {
    isWritten = false;
    // Budgets compare the remainder with the log: a log from before the walk would miss usage that the walk shows.
    usage = sharedUsage(() => store.usage());
    return cache.walk();
  };
  const recent = () => cache.last() ?? walk();
  const newest = async () => {
    const page = await store.newest();
    if (page) cache.add(page.keys);
    return page;
  };
  const mark = (ids: readonly KeyId[]) => {
    isWritten = true;
    for (const id of ids) cache.markWritten(id);
  };
  return {
    gate,
    reads: {
      walk,
      recent,
      list: () => (isWritten ? walk() : recent()),
      // A single page is consistent in itself: no write has to wait.
      newest: sharedRead(newest, delay),
      async tryFind(id: KeyId) {
        const keys = await recent();
        const listed = cache.isStale(id) ? undefined : keysById(keys).get(id);
        // A list that shifted while it was read misses a key, and core would forget a key that is not found.
        return listed ?? (await store.tryRead(id));
      },
      usage: () => usage.all(),
      usageOf: (key: ObservedKey) => usage.of(key),
    },
    writing: <A>(ids: readonly KeyId[], write: () => Promise<A>): Promise<A> => marked(() => mark(ids), write),
  };
}

type Recheck = (now: ObservedKey) => boolean;

/** Deletes concurrently requested keys together. Each caller decides about its own keys after every wait. */
function sharedDelete(store: KeyStore, delay: BatchDelay): KeyStore['delete'] {
  const rechecks = new Map<KeyId, Recheck>();
  const isWanted: Recheck = (now) => rechecks.get(now.id)?.(now) ?? true;
  /** The combined request may have taken long: the keys are read again. */
  const alone = async (ids: readonly KeyId[]): Promise<boolean> => {
    const left = [...(await store.readMany(ids)).values()].filter(isWanted).map(({ id }) => id);
    return left.length > 0 && (await store.delete(left, isWanted)) && left.length === ids.length;
  };
  const remove = batched((ids) => store.delete(ids, isWanted), delay, { alone });
  return async (ids, recheck) => {
    if (recheck) for (const id of ids) rechecks.set(id, recheck);
    try {
      return await remove(ids);
    } finally {
      for (const id of ids) rechecks.delete(id);
    }
  };
}

/** Reveals each key once: its credential never changes, and a gateway allows few of these requests. */
function sharedReveals(store: KeyStore, delay: BatchDelay): Pick<SharedStore, 'reveal' | 'revealRequests'> {
  const known = new Map<KeyId, Secret>();
  let requests = 0;
  const request = batched(
    (ids) => {
      requests += 1;
      return store.reveal(ids);
    },
    delay,
    { sending: 'one by one' },
  );
  return {
    revealRequests: () => requests,
    async reveal(ids) {
      const missing = ids.filter((id) => !known.has(id));
      const found = missing.length === 0 ? new Map<KeyId, Secret>() : await request(missing);
      for (const [id, secret] of found) known.set(id, secret);
      return new Map([...known].filter(([id]) => ids.includes(id)));
    },
  };
}

/**
 * Shares a store among the concurrent calls of Terraform: one walk over the keys serves all who wait for one, and
 * concurrent deletes and reveals are sent together.
 */
export function sharedStore(store: KeyStore, delay: BatchDelay = nextTurn): SharedStore {
  const { gate, reads, writing } = sharedReads(store, delay);
  const remove = sharedDelete(store, delay);
  return {
    account: store.account,
    verifyAccount: () => store.verifyAccount(),
    tryRead: (id) => store.tryRead(id),
    readMany: batched((ids) => store.readMany(ids), delay),
    quotaPerUnit: rememberSuccess(() => store.quotaPerUnit()),
    unkept: () => store.unkept(),
    limits: () => store.limits(),
    verifyWritable: () => store.verifyWritable(),
    wallet: () => store.wallet(),
    groups: rememberSuccess(() => store.groups()),
    models: rememberSuccess(() => store.models()),
    ...reads,
    rounds: openUpdateRounds(
      { walk: reads.walk, readMany: (ids) => store.readMany(ids), tryRead: (id) => store.tryRead(id) },
      delay,
    ),
    create: (settings, sending) => writing([], () => gate.write(() => store.create(settings, sending))),
    update: (id, revise) => writing([id], () => store.update(id, revise)),
    setEnabled: (id, enabled, recheck) => writing([id], () => store.setEnabled(id, enabled, recheck)),
    delete: (ids, recheck) => writing(ids, () => gate.write(() => remove(ids, recheck))),
    ...sharedReveals(store, delay),
    sumUsage: (of) => store.sumUsage(of),
    freshUsage: freshUsage(() => store.usage(), delay),
  };
}
