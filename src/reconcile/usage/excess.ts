import { type KeyId, type ObservedKey, type Quota, quota } from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';
import type { Need } from './log-reading.ts';
import { NO_LAG, type RecordLag, recordedUse, unwritten } from './record-lag.ts';
import {
  type BracketedKey,
  isExact,
  type LogMark,
  NONE,
  NOTHING_SPENT,
  narrowed,
  type QuotaRange,
  ROUNDS,
  readAround,
  UNREAD,
} from './spent-since.ts';

/**
 * Decides whether a key holds more than its budget leaves, or was used between the walk and the log that was read after it.
 * Both look the same in one reading. So the keys are read again, between two readings of the log.
 */

/** A key that holds more than its grant less what the log shows. */
interface Doubt {
  readonly need: Need;
  /** The use that the log showed. */
  readonly used: number;
  readonly lag: RecordLag;
  /** The units that the key holds beyond its budget. */
  excess: QuotaRange;
}

interface Sides {
  /** The log as it was read, as use of each key. */
  readonly used: ReadonlyMap<KeyId, number>;
  readonly head: LogMark;
  readonly keys: readonly ObservedKey[];
  readonly lags: ReadonlyMap<KeyId, RecordLag>;
}

export interface ProvenUse {
  /** The use as of the walk. */
  readonly used: ReadonlyMap<KeyId, Quota>;
  /** Keys that are used so often that nothing shows whether they hold too much. */
  readonly open: ReadonlySet<KeyId>;
}

/** Returns what each key had used when it was walked. Costs nothing where no key holds more than its budget leaves. */
export async function usedWhenWalked(
  store: KeyStore,
  needs: readonly Need[],
  { used, head, keys, lags }: Sides,
): Promise<ProvenUse> {
  const recorded = new Map<KeyId, number>();
  const doubts = needs.flatMap((need): Doubt[] => {
    const { key, granted } = need;
    const lag = lags.get(key.id) ?? NO_LAG;
    const sum = used.get(key.id) ?? 0;
    const use = recordedUse(need, sum, lag);
    recorded.set(key.id, use);
    return !key.unlimited && key.remain > granted - use ? [{ need, used: sum, lag, excess: UNREAD }] : [];
  });
  await resolve(store, doubts, { head, keys });
  const proven = new Map([...recorded].map(([id, use]) => [id, quota(Math.max(0, use))]));
  const open = new Set<KeyId>();
  for (const { need, excess } of doubts) {
    const { key, granted } = need;
    // What is certain is corrected; the verification of that write looks for the rest.
    const least = Math.max(0, excess.least);
    if (least === 0 && excess.most > 0) open.add(key.id);
    proven.set(key.id, quota(Math.max(0, granted + least - key.remain)));
  }
  return { used: proven, open };
}

/** Reads keys and log around each other until every excess is known, or the rounds end. */
async function resolve(
  store: KeyStore,
  doubts: readonly Doubt[],
  { head, keys }: Pick<Sides, 'head' | 'keys'>,
): Promise<void> {
  const byName = new Map(keys.map((key) => [key.name, key.id]));
  let before = NOTHING_SPENT;
  let open = doubts;
  for (let round = 0; round < ROUNDS && open.length > 0; round += 1) {
    const ids = open.map(({ need }) => need.key.id);
    const { readings, after } = await readAround(store, ids, { mark: head, byName, before });
    for (const doubt of open) {
      const read = excessOf(doubt, readings.get(doubt.need.key.id), after.whole);
      doubt.excess = narrowed(doubt.excess, read);
    }
    before = after;
    open = open.filter(({ excess }) => !isExact(excess) && excess.most > 0);
  }
}

/** Returns what one reading leaves of an excess. A key that is gone, or has no limit any more, holds nothing beyond its budget. */
function excessOf({ need, used, lag }: Doubt, reading: BracketedKey | undefined, isWhole: boolean): QuotaRange {
  if (!reading || reading.key.unlimited) return NONE;
  if (!isWhole) return UNREAD;
  const { key, least, most } = reading;
  const beyond = (later: number): number => key.remain + used + later - need.granted - unwritten(key, lag, later);
  return { least: beyond(least), most: beyond(most) };
}
