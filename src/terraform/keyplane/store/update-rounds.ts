import type { KeyId, ObservedKey } from '../../../domain/index.ts';
import type { BatchDelay } from './batch.ts';
import type { WalkedKeys } from './walk-cache.ts';

/** A key as it is after its update. */
export interface ReadBack {
  readonly key: ObservedKey | undefined;
  /** All keys at that time, where an update of the round asked for them. */
  readonly keys?: WalkedKeys;
}

interface Joined {
  readonly id: KeyId;
  readonly needsAll: boolean;
  readonly resolve: (round: Promise<ReadBack>) => void;
}

/**
 * Lets concurrent updates share the reads that follow their writes: one read serves all once each of them has written. Core waits for
 * the responses before it sends further updates, so a round is as large as its parallelism.
 */
export interface UpdateRounds {
  /** Counts an update as under way. */
  during<A>(update: () => Promise<A>): Promise<A>;
  /** @param needsAll true for a rename: another key may have taken the name meanwhile */
  readBack(id: KeyId, needsAll: boolean): Promise<ReadBack>;
}

interface RoundReads {
  readonly walk: () => Promise<WalkedKeys>;
  readonly readMany: (ids: readonly KeyId[]) => Promise<ReadonlyMap<KeyId, ObservedKey>>;
  readonly tryRead: (id: KeyId) => Promise<ObservedKey | undefined>;
}

/** Core may take several delays to send the next updates of a round. */
const MOST_DELAYS = 3;

export function openUpdateRounds({ walk, readMany, tryRead }: RoundReads, delay: BatchDelay): UpdateRounds {
  let busy = 0;
  let most = 0;
  let isPatient = false;
  const waiting: Joined[] = [];
  const isDue = (): boolean => waiting.length > 0 && waiting.length >= busy;
  const begin = (): void => {
    const round = waiting.splice(0);
    most = Math.max(most, round.length);
    if (round.some(({ needsAll }) => needsAll)) {
      const walked = walk();
      const readBack = async (id: KeyId): Promise<ReadBack> => {
        const keys = await walked;
        // A list that shifted while it was read misses a key.
        return { keys, key: keys.find((key) => key.id === id) ?? (await tryRead(id)) };
      };
      for (const { id, resolve } of round) resolve(readBack(id));
      return;
    }
    const read = readMany([...new Set(round.map(({ id }) => id))]);
    for (const { id, resolve } of round) resolve(read.then((found) => ({ key: found.get(id) })));
  };
  const beginWhenDue = async (): Promise<void> => {
    if (!isDue() || isPatient) return;
    isPatient = true;
    // A round as large as the largest one so far has all that core sends at a time.
    for (let delays = 0; delays === 0 || (delays < MOST_DELAYS && waiting.length < most); delays += 1) await delay();
    isPatient = false;
    if (isDue()) begin();
  };
  return {
    async during(update) {
      busy += 1;
      try {
        return await update();
      } finally {
        busy -= 1;
        void beginWhenDue();
      }
    },
    readBack: (id, needsAll) =>
      new Promise((resolve) => {
        waiting.push({ id, needsAll, resolve });
        void beginWhenDue();
      }),
  };
}
