/**
 * Reads a `Retry-After` header, seconds or an HTTP date, as milliseconds from now; undefined when it says nothing of
 * use: absent, garbled, zero, or in the past.
 */
export function tryParseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  const ms = /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) * 1000 : Date.parse(trimmed) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms) : undefined;
}
