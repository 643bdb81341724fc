import type { KeyId, ObservedKey, UnixSeconds } from '../../domain/index.ts';
import { type LogReading, type Need, type Spent, sumByKey } from './log-reading.ts';

/**
 * The use that the log shows and the record of a key does not have yet. Gateways in production write each request to the log at
 * once, and what keys used to their records every few seconds. Until then a key holds more than the log leaves it, and loses
 * that by itself: an update that took it away would take it twice.
 *
 * A record that reports its use counts it together with what remains, so it shows how far it has come: the entries of the
 * whole life of the key, less the use that it reports. Where the log was not read that far, the record may lack what the key
 * used within the last minute, and nothing else. Where it was, and has less than the record, history is missing: nothing is allowed
 * for then, because a key that was given too much would look the same.
 */

/** Gateways of the family write records every five seconds by default. */
const WRITTEN_WITHIN_SECONDS = 60;

/** The use of one key by the log, to compare with that of its record. */
export interface RecordLag {
  /** The units of all entries since the creation of the key; undefined where the log was not read that far. */
  readonly life: number | undefined;
  /** The units of the entries of the last minute. */
  readonly recent: number;
}

export const NO_LAG: RecordLag = { life: undefined, recent: 0 };

/** Returns what the log shows of the records of keys. An entry without a key ID shows nothing: another key may have had the name. */
export function recordLags(
  needs: readonly Need[],
  { spent, since }: Pick<LogReading, 'spent' | 'since'>,
  now: UnixSeconds,
): ReadonlyMap<KeyId, RecordLag> {
  const own: readonly Spent[] = spent.filter(({ isNamed }) => !isNamed);
  const lives = sumByKey(own, 0);
  const recent = sumByKey(own, now - WRITTEN_WITHIN_SECONDS);
  return new Map(
    needs.map(({ key: { id, createdAt = 0 } }): [KeyId, RecordLag] => [
      id,
      { life: since <= createdAt ? (lives.get(id) ?? 0) : undefined, recent: recent.get(id) ?? 0 },
    ]),
  );
}

/**
 * Returns the units that a record does not have yet: exactly, or the most that it can lack.
 *
 * @param later the units of entries that were made between the reading of the log and that of the key
 */
export function unwritten({ used }: ObservedKey, { life, recent }: RecordLag, later = 0): number {
  if (used === undefined) return 0;
  return life === undefined ? recent + later : Math.max(0, life + later - used);
}

/** Returns the keys of which it is unknown how far their records have come. */
export const laggingOf = (needs: readonly Need[], lags: ReadonlyMap<KeyId, RecordLag>): readonly KeyId[] =>
  needs.flatMap(({ key: { id, used } }) => {
    const { life, recent } = lags.get(id) ?? NO_LAG;
    return used !== undefined && life === undefined && recent > 0 ? [id] : [];
  });

/** Returns the use in the window as the record has it, which is what remains together with it. */
export function recordedUse({ key, granted }: Need, logged: number, lag: RecordLag = NO_LAG): number {
  const lacking = unwritten(key, lag);
  if (lag.life !== undefined) return logged - lacking;
  const excess = key.remain + logged - granted;
  return key.unlimited ? logged : logged - Math.min(lacking, Math.max(0, excess));
}
