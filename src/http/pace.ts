/**
 * The state of one rate limit of the server: when the next request may go, and how many may run in parallel. Data and
 * pure functions; the request queue holds the requests.
 *
 * After a 429 nothing goes until the wait is over; then a single request probes the limit. Each request that passes
 * admits one more and halves the next wait; each 429 doubles it. So one request meets the limit instead of a crowd,
 * whether it is a fixed window, a sliding window or a token bucket.
 */
export interface Pace {
  /** Nothing goes before this time, in milliseconds. */
  readonly until: number;
  /** The number of requests that may run in parallel. */
  readonly width: number;
  /** The latest wait that was chosen without a `Retry-After`; 0 when the limit is not in effect. */
  readonly delay: number;
  /** Counts the 429s that closed the pace. A response to a request from an earlier epoch carries no new information. */
  readonly epoch: number;
}

/** A rate limit as the servers are known to have it: so many requests in each window, which slides. */
export interface KnownLimit {
  readonly windowMs: number;
  /** The requests that count against it, for the person who has to wait. */
  readonly note?: string;
}

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** A longer window is not probed again and again: after this wait, the whole window counts as closed. */
const PROBED_WINDOW_MS = 300_000;
const LAST_PROBE_MS = 2000;
/** Random addition to a requested wait: whole seconds are rounded, and other clients got the same one. */
const SPREAD_MS = 500;

export const openPace = (width: number): Pace => ({ until: 0, width, delay: 0, epoch: 0 });

interface LimitedResponse {
  readonly epoch: number;
  readonly now: number;
  readonly random: number;
  readonly retryAfterMs: number | undefined;
  /** The known window, and when the oldest own request in it passed. */
  readonly window?: { readonly ms: number; readonly oldest: number | undefined } | undefined;
}

/**
 * The wait that the response asks for. Some servers ask for the whole window each time: then the limit opens as soon as the
 * oldest own request in the window leaves it. Without any in it, the whole window is the safe assumption.
 */
function requestedMs(pace: Pace, { now, retryAfterMs, window }: LimitedResponse): number | undefined {
  if (window === undefined) return retryAfterMs;
  const isEndless = retryAfterMs === undefined && window.ms > PROBED_WINDOW_MS && pace.delay >= LAST_PROBE_MS;
  if (retryAfterMs !== window.ms && !isEndless) return retryAfterMs;
  return Math.max(FIRST_MS, (window.oldest ?? now) + window.ms - now);
}

/** The pace after a 429 to a request that went in `epoch`. */
export function afterLimited(pace: Pace, response: LimitedResponse): Pace {
  const { now, random } = response;
  const stale = response.epoch !== pace.epoch;
  const requested = requestedMs(pace, response);
  if (requested !== undefined) {
    const until = Math.max(pace.until, now + requested + Math.round(random * SPREAD_MS));
    return { ...pace, until, width: 1, epoch: stale ? pace.epoch : pace.epoch + 1 };
  }
  if (stale) return pace;
  const delay = Math.min(Math.max(FIRST_MS, pace.delay * 2), LONGEST_MS);
  const wait = Math.round(delay * (0.75 + random / 4));
  return { until: Math.max(pace.until, now + wait), width: 1, delay, epoch: pace.epoch + 1 };
}

/** The pace after any other response to a request that went in `epoch`. */
export function afterPassed(pace: Pace, epoch: number, widest: number): Pace {
  if (epoch !== pace.epoch) return pace;
  const delay = pace.delay / 2 < FIRST_MS ? 0 : pace.delay / 2;
  const width = Math.min(widest, pace.width + 1);
  return delay === pace.delay && width === pace.width ? pace : { ...pace, delay, width };
}
