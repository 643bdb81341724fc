/**
 * What is known of one limit of the other side: when the next request may go, and how many at a time. Data and pure
 * functions; the queue is the lane's.
 *
 * After a 429 nothing goes until the wait is over, then one request alone finds out. Each that passes opens the door
 * for one more and halves what the next wait will be; each 429 doubles it. So a limit is met by one request and not by
 * a crowd, whether it is a fixed window, a sliding one or a bucket.
 */
export interface Pace {
  /** Nothing goes before this time, in milliseconds. */
  readonly until: number;
  /** How many may be under way together. */
  readonly width: number;
  /** The latest wait that was chosen without being told one; 0 when all is well. */
  readonly delay: number;
  /** Counts the 429s that closed the door. An answer to a request that went before the latest one says nothing new. */
  readonly epoch: number;
}

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** Added to a wait that was asked for, by chance: whole seconds are rounded, and others were told the same. */
const SPREAD_MS = 500;

export const openPace = (width: number): Pace => ({ until: 0, width, delay: 0, epoch: 0 });

/** The pace after a 429 to a request that went in `epoch`. */
export function afterLimited(
  pace: Pace,
  answer: { epoch: number; now: number; random: number; retryAfterMs: number | undefined },
): Pace {
  const { now, random, retryAfterMs } = answer;
  const stale = answer.epoch !== pace.epoch;
  if (retryAfterMs !== undefined) {
    const until = Math.max(pace.until, now + retryAfterMs + Math.round(random * SPREAD_MS));
    return { ...pace, until, width: 1, epoch: stale ? pace.epoch : pace.epoch + 1 };
  }
  if (stale) return pace;
  const delay = Math.min(Math.max(FIRST_MS, pace.delay * 2), LONGEST_MS);
  const wait = Math.round(delay * (0.75 + random / 4));
  return { until: Math.max(pace.until, now + wait), width: 1, delay, epoch: pace.epoch + 1 };
}

/** The pace after any other answer to a request that went in `epoch`. */
export function afterPassed(pace: Pace, epoch: number, widest: number): Pace {
  if (epoch !== pace.epoch) return pace;
  const delay = pace.delay / 2 < FIRST_MS ? 0 : pace.delay / 2;
  return { ...pace, delay, width: Math.min(widest, pace.width + 1) };
}
