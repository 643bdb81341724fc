/** The number of retries after a failure other than a 429. */
export const MAX_RETRIES = 3;

const FIRST_MS = 300;
const LONGEST_MS = 20_000;

/** Statuses of a gateway, or of a proxy in front of it, that often do not recur on a later attempt. */
export const TRANSIENT_STATUS: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524]);

/**
 * The wait before the next attempt: it doubles each time, and half of it is random so that clients do not return
 * together. A wait requested by the server is honored, up to 20 seconds.
 *
 * @param attempt the attempt that failed, from 1.
 * @param random 0 to 1.
 */
export function backoffMs(attempt: number, random: number, requestedMs: number | undefined): number {
  if (requestedMs !== undefined) return Math.min(requestedMs, LONGEST_MS);
  return Math.round(Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS) * (0.5 + random / 2));
}

/**
 * Parses a `Retry-After` header, seconds or an HTTP date, as milliseconds from now. Returns undefined when it is
 * missing, malformed, zero, or in the past.
 */
export function tryParseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  const ms = /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) * 1000 : Date.parse(trimmed) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms) : undefined;
}
