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
  const inTime = <A>(reading: Promise<A>): Promise<A> => Promise.race([reading, over]);
  return {
    ...store,
    quotaPerUnit: () => inTime(store.quotaPerUnit()),
    walk: () => inTime(store.walk()),
    list: () => inTime(store.list()),
    recent: () => inTime(store.recent()),
    newest: () => inTime(store.newest()),
    tryFind: (id) => inTime(store.tryFind(id)),
    tryRead: (id) => inTime(store.tryRead(id)),
    readMany: (ids) => inTime(store.readMany(ids)),
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
