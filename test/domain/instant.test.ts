import { describe, expect, it } from 'vitest';
import { LAST_INSTANT, renderInstant, tryParseInstant } from '../../src/domain/index.ts';

describe('an instant', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00Z', 0],
    ['1970-01-01T00:00:01.000Z', 1],
    ['1970-01-01T02:30:00+02:30', 0],
    ['1969-12-31T21:29:00-02:31', 0],
    ['1970-02-03T04:05:06Z', 2_865_906],
    ['2028-02-29T23:59:59Z', 1_835_481_599],
    ['9999-12-31T23:59:59Z', LAST_INSTANT],
    ['1970-01-02T23:59:00+23:59', 86_400],
  ])('is read from %s', (text, at) => {
    expect(tryParseInstant(text)).toBe(at);
  });

  it.each([
    '',
    'x1970-01-01T00:00:00Z',
    '1970-01-01T00:00:00Zx',
    '1970-01-01',
    '1970-01-01T00:00:00',
    '1970-01-01 00:00:00Z',
    '1970-01-01T00:00:00.5Z',
    '1970-1-1T00:00:00Z',
    '1970-01-01T24:00:00Z',
    '1970-01-01T00:60:00Z',
    '1970-01-01T00:00:60Z',
    '1970-01-02T00:00:00+24:00',
    '1970-01-02T00:00:00+00:60',
    '2027-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-00-10T00:00:00Z',
    '2027-01-00T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
  ])('cannot be read from %j', (text) => {
    expect(tryParseInstant(text)).toBeUndefined();
  });

  it('is rendered in UTC, without milliseconds', () => {
    expect(renderInstant(0)).toBe('1970-01-01T00:00:00Z');
    expect(renderInstant(LAST_INSTANT)).toBe('9999-12-31T23:59:59Z');
  });

  it('stays a number where no date can hold it', () => {
    expect(renderInstant(9e15)).toBe('Unix time 9000000000000000');
  });
});
