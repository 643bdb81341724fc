import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  renderDuration,
  renderWindow,
  tryParseDuration,
  tryParseWindow,
  type Window,
  windowStart,
} from '../../src/domain/index.ts';

const at = (text: string): number => Date.parse(text) / 1000;
const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

const parsed = (text: string): Window => {
  const window = tryParseWindow(text);
  if (window === undefined) throw new Error(`not a window: ${text}`);
  return window;
};

describe('a window of time', () => {
  it.each([
    ['hour', '2026-11-20T22:59:59Z', '2026-11-20T22:00:00.000Z'],
    ['hour', '2026-11-20T23:00:00Z', '2026-11-20T23:00:00.000Z'],
    ['day', '2026-11-20T23:59:59Z', '2026-11-20T00:00:00.000Z'],
    ['day', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00.000Z'],
    ['week', '2026-11-15T23:59:59Z', '2026-11-09T00:00:00.000Z'],
    ['week', '2026-11-16T00:00:00Z', '2026-11-16T00:00:00.000Z'],
    ['week', '2027-01-01T12:00:00Z', '2026-12-28T00:00:00.000Z'],
    ['week', '2024-12-31T00:00:00Z', '2024-12-30T00:00:00.000Z'],
    ['week', '1970-01-05T00:00:00Z', '1970-01-05T00:00:00.000Z'],
    ['week', '1970-01-04T23:59:59Z', '1969-12-29T00:00:00.000Z'],
    ['month', '2026-01-31T23:59:59Z', '2026-01-01T00:00:00.000Z'],
    ['month', '2026-02-28T23:59:59Z', '2026-02-01T00:00:00.000Z'],
    ['month', '2028-02-29T23:59:59Z', '2028-02-01T00:00:00.000Z'],
    ['month', '2028-03-01T00:00:00Z', '2028-03-01T00:00:00.000Z'],
    ['month', '2000-02-29T12:00:00Z', '2000-02-01T00:00:00.000Z'],
    ['month', '2100-03-01T00:00:00Z', '2100-03-01T00:00:00.000Z'],
    ['month', '2026-12-31T23:59:59Z', '2026-12-01T00:00:00.000Z'],
    ['month', '2027-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['1d', '2026-11-20T23:59:59Z', '2026-11-20T00:00:00.000Z'],
    ['7d', '1970-01-07T23:59:59Z', '1970-01-01T00:00:00.000Z'],
    ['7d', '1970-01-08T00:00:00Z', '1970-01-08T00:00:00.000Z'],
  ])('%s that holds %s began at %s', (text, now, start) => {
    expect(dateOf(windowStart(parsed(text), at(now)))).toBe(start);
  });

  it('before 1970 began before, not after', () => {
    expect(windowStart('hour', -1)).toBe(-3600);
    expect(windowStart('day', -1)).toBe(-86_400);
    expect(dateOf(windowStart('month', -1))).toBe('1969-12-01T00:00:00.000Z');
    expect(windowStart({ days: 7 }, -1)).toBe(-7 * 86_400);
  });

  const windows = fc.oneof(
    fc.constantFrom<Window>('hour', 'day', 'week', 'month'),
    fc.integer({ min: 1, max: 9999 }).map((days): Window => ({ days })),
  );
  const times = fc.integer({ min: -(10 ** 9), max: 10 ** 10 });

  it('began no later than now, and holds its own beginning', () => {
    fc.assert(
      fc.property(windows, times, (window, now) => {
        const start = windowStart(window, now);
        expect(start).toBeLessThanOrEqual(now);
        expect(windowStart(window, start)).toBe(start);
        expect(windowStart(window, start - 1)).toBeLessThan(start);
      }),
    );
  });

  it('never goes back as time goes on', () => {
    fc.assert(
      fc.property(windows, times, fc.nat(10 ** 7), (window, now, later) => {
        expect(windowStart(window, now + later)).toBeGreaterThanOrEqual(windowStart(window, now));
      }),
    );
  });

  it('of a week begins on a Monday, of a month on the first', () => {
    fc.assert(
      fc.property(times, (now) => {
        expect(new Date(windowStart('week', now) * 1000).getUTCDay()).toBe(1);
        expect(dateOf(windowStart('month', now))).toMatch(/-01T00:00:00.000Z$/);
      }),
    );
  });

  it('reads as it is written', () => {
    fc.assert(
      fc.property(windows, (window) => {
        expect(tryParseWindow(renderWindow(window))).toEqual(window);
      }),
    );
  });

  it.each(['', 'Day', 'days', '0d', '07d', '7', '7 d', '-7d', '1.5d', '10000d', '7w', 'year', '7d ', 'every 7d'])(
    'is not %j',
    (text) => {
      expect(tryParseWindow(text)).toBeUndefined();
    },
  );
});

describe('a length of time', () => {
  it.each([
    ['45s', 45],
    ['30m', 1800],
    ['12h', 43_200],
    ['90d', 7_776_000],
  ])('%s is %i seconds', (text, seconds) => {
    expect(tryParseDuration(text)).toBe(seconds);
  });

  it.each([
    [7200, '2h'],
    [86_400, '24h'],
    [5400, '90m'],
    [60, '1m'],
    [61, '61s'],
    [1, '1s'],
  ])('of %i seconds is rendered in the largest exact unit: %s', (seconds, text) => {
    expect(renderDuration(seconds)).toBe(text);
    expect(tryParseDuration(text)).toBe(seconds);
  });

  it.each(['', '0s', '5', 's', '1.5h', '-1h', '1h30m', '1H', '1 h', '12345678d', '1w', '1h ', 'in 1h'])(
    'is not %j',
    (text) => {
      expect(tryParseDuration(text)).toBeUndefined();
    },
  );
});
