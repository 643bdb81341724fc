/** How often a request is sent again after trouble that is not a 429. */
export const MAX_RETRIES = 3;

const FIRST_MS = 300;
const LONGEST_MS = 20_000;

/** Statuses of a gateway, or of a proxy before it, that a later attempt often does not meet. */
export const PASSING_STATUS: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524]);

/**
 * How long to wait before the next attempt: doubling, half of it by chance so that many clients do not return together.
 * A wait that the other side asked for is kept, up to 20 seconds.
 *
 * @param attempt the attempt that failed, from 1.
 * @param random 0 to 1.
 */
export function backoffMs(attempt: number, random: number, asked: number | undefined): number {
  if (asked !== undefined) return Math.min(asked, LONGEST_MS);
  return Math.round(Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS) * (0.5 + random / 2));
}
