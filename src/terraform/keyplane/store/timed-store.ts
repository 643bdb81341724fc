import type { Fault } from '../../../domain/index.ts';
import type { Clock } from '../../../gateway/index.ts';
import type { SharedStore } from './shared-store.ts';

interface TimeLimit {
  readonly ms: number;
  /** Thrown by whatever starts or waits after that time. */
  readonly fault: Fault;
  readonly sleep: Clock['sleep'];
  /** Ends the timer. */
  readonly signal: AbortSignal;
}

/** Runs reads until a time is over, whose promise rejects then. */
function limitReads(over: Promise<never>) {
  const inTime = <A>(reading: Promise<A>): Promise<A> => Promise.race([reading, over]);
  async function* eachInTime<A>(pages: AsyncIterable<A>): AsyncGenerator<A> {
    const iterator = pages[Symbol.asyncIterator]();
    try {
      for (let next = await inTime(iterator.next()); next.done !== true; next = await inTime(iterator.next())) {
        yield next.value;
      }
    } finally {
      // A page that is under way would be awaited.
      iterator.return?.().catch(() => undefined);
    }
  }
  return { inTime, eachInTime };
}

/** The reads of a store, until a time is over. */
function timedReads(store: SharedStore, over: Promise<never>): SharedStore {
  const { inTime, eachInTime } = limitReads(over);
  return {
    ...store,
    quotaPerUnit: () => inTime(store.quotaPerUnit()),
    groups: () => inTime(store.groups()),
    models: () => inTime(store.models()),
    usage: () => eachInTime(store.usage()),
    usageOf: (key) => eachInTime(store.usageOf(key)),
    freshUsage: () => eachInTime(store.freshUsage()),
    reveal: (ids) => inTime(store.reveal(ids)),
    rounds: { ...store.rounds, readBack: (id, needsAll) => inTime(store.rounds.readBack(id, needsAll)) },
    walk: () => inTime(store.walk()),
    list: () => inTime(store.list()),
    recent: () => inTime(store.recent()),
    newest: () => inTime(store.newest()),
    tryFind: (id) => inTime(store.tryFind(id)),
    tryRead: (id) => inTime(store.tryRead(id)),
    readMany: (ids) => inTime(store.readMany(ids)),
  };
}

/**
 * Limits the time of one operation: reads end with it, and no write begins after it. A write that was sent is awaited, because it may
 * take effect.
 */
export function timedStore(store: SharedStore, { ms, fault, sleep, signal }: TimeLimit): SharedStore {
  let isOver = false;
  const over = sleep(ms, signal).then(() => {
    if (signal.aborted) return new Promise<never>(() => {});
    isOver = true;
    throw fault;
  });
  over.catch(() => undefined);
  const ensureTime = (): void => {
    if (isOver) throw fault;
  };
  return {
    ...timedReads(store, over),
    async create(settings, sending) {
      ensureTime();
      await store.create(settings, sending);
    },
    update(id, revise) {
      let isSent = false;
      const updating = store.update(id, (now) => {
        ensureTime();
        isSent = true;
        return revise(now);
      });
      const ended = over.catch((thrown: unknown) => (isSent ? updating : Promise.reject(thrown)));
      return Promise.race([updating, ended]);
    },
    async setEnabled(id, enabled, recheck) {
      if (recheck) ensureTime();
      await store.setEnabled(
        id,
        enabled,
        recheck &&
          ((now) => {
            ensureTime();
            recheck(now);
          }),
      );
    },
    async delete(ids, recheck) {
      ensureTime();
      return await store.delete(ids, (now) => !isOver && (recheck?.(now) ?? true));
    },
  };
}
