/**
 * Windows of time in which a budget allowance counts. All are UTC and fixed: every observer agrees when one began.
 */

/** Seconds since 1970-01-01T00:00:00Z, a whole number. */
export type UnixSeconds = number;

/** `month` is a calendar month, `week` begins on Monday, `{ days: n }` counts whole days from 1970-01-01. */
export type Window = 'hour' | 'day' | 'week' | 'month' | { readonly days: number };

const HOUR = 3600;
const DAY = 24 * HOUR;
/** 1970-01-05 was the first Monday. */
const FIRST_MONDAY = 4 * DAY;

const floorTo = (at: UnixSeconds, length: number, origin = 0): UnixSeconds =>
  origin + Math.floor((at - origin) / length) * length;

/** Returns the start of the window that contains `at`. */
export function windowStart(window: Window, at: UnixSeconds): UnixSeconds {
  if (typeof window === 'object') return floorTo(at, window.days * DAY);
  if (window === 'hour') return floorTo(at, HOUR);
  if (window === 'day') return floorTo(at, DAY);
  if (window === 'week') return floorTo(at, 7 * DAY, FIRST_MONDAY);
  const date = new Date(at * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
}

/** Returns the start of the next window after the one that contains `at`. */
export function windowEnd(window: Window, at: UnixSeconds): UnixSeconds {
  const start = windowStart(window, at);
  if (typeof window === 'object') return start + window.days * DAY;
  if (window !== 'month') return start + { hour: HOUR, day: DAY, week: 7 * DAY }[window];
  const date = new Date(start * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
}

/** Reads `hour`, `day`, `week`, `month` or `7d`; undefined when the text is none of them. */
export function tryParseWindow(text: string): Window | undefined {
  if (text === 'hour' || text === 'day' || text === 'week' || text === 'month') return text;
  const match = /^([1-9]\d{0,3})d$/.exec(text);
  return match ? { days: Number(match[1]) } : undefined;
}

/** Renders a window as text that {@link tryParseWindow} reads. */
export const renderWindow = (window: Window): string => (typeof window === 'object' ? `${window.days}d` : window);

/** A length of time in seconds from `90d`, `12h`, `30m`, `45s`; undefined when the text is none. */
export function tryParseDuration(text: string): number | undefined {
  const match = /^([1-9]\d{0,6})([smhd])$/.exec(text);
  if (!match) return undefined;
  const unit = { s: 1, m: 60, h: HOUR, d: DAY }[match[2] as 's' | 'm' | 'h' | 'd'];
  return Number(match[1]) * unit;
}

const UNITS = [
  ['h', HOUR],
  ['m', 60],
] as const;

/** Renders a duration as text that {@link tryParseDuration} reads, in the largest exact unit; hours are the largest. */
export function renderDuration(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / length}${unit}`;
}

/** Renders a duration as {@link renderDuration} does, in days where they are exact: for times that people plan in days. */
export const renderInterval = (seconds: number): string =>
  seconds % DAY === 0 ? `${seconds / DAY}d` : renderDuration(seconds);
