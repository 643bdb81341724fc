import type { UnixSeconds } from '../window.ts';

const INSTANT =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.0+)?)?(?:Z|(?<sign>[+-])(?<offsetHour>\d{2}):(?<offsetMinute>\d{2}))$/;

/** 9999-12-31T23:59:59Z: a later instant cannot be written. */
export const LAST_INSTANT: UnixSeconds = 253_402_300_799;

/**
 * Reads a time with its offset, `2027-03-31T00:00:00+02:00`; undefined when there is no such time, as on a 30th of
 * February, or when it lies before 1970: the gateway's numbers below 0 mean other things.
 */
export function tryParseInstant(text: string): UnixSeconds | undefined {
  const groups = INSTANT.exec(text)?.groups;
  if (!groups) return undefined;
  const of = (name: string): number => Number(groups[name] ?? 0);
  if (of('minute') > 59 || of('second') > 59) return undefined;
  if (of('offsetHour') > 23 || of('offsetMinute') > 59) return undefined;
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  const date = new Date(local);
  // An hour above 23 would be one of a later day.
  const isReal = date.getUTCMonth() === of('month') - 1 && date.getUTCDate() === of('day');
  const offset = (of('offsetHour') * 60 + of('offsetMinute')) * 60 * (groups.sign === '-' ? -1 : 1);
  const at = local / 1000 - offset;
  return isReal && at >= 0 && at <= LAST_INSTANT ? at : undefined;
}

/** `2027-03-31T00:00:00Z`; a number that no date can hold stays a number. */
export function renderInstant(at: UnixSeconds): string {
  const date = new Date(at * 1000);
  return Number.isNaN(date.getTime()) ? `Unix time ${at}` : date.toISOString().replace('.000Z', 'Z');
}
