import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  generationName,
  keyName,
  matchesKeyGlob,
  nameProblem,
  stemOf,
  tryParseGeneration,
  tryRenderOverlap,
} from '../../src/domain/index.ts';

const BORN = Date.UTC(2026, 10, 25, 14, 30) / 1000;

const names = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 50 })
  .filter((name) => nameProblem(name) === undefined);
const minutes = fc.integer({ min: 0, max: 130_000_000 }).map((minute) => minute * 60);
const ends = fc.option(
  fc.oneof(
    fc.constant('leaked' as const),
    fc.integer({ min: 1, max: 9999 }).map((days) => ({ overlap: days * 86_400 })),
    fc.integer({ min: 1, max: 9999 }).map((overlap) => ({ overlap })),
  ),
  { nil: undefined },
);

describe('the name of a generation', () => {
  it.each([
    ['prod-checkout', {}, 'prod-checkout~20261125-1430'],
    ['prod-checkout', { end: { overlap: 3600 } }, 'prod-checkout~20261125-1430+1h'],
    ['prod-checkout', { end: 'leaked' as const }, 'prod-checkout~20261125-1430+0'],
    ['a~b', {}, 'a~b~20261125-1430'],
    ['x'.repeat(30), {}, `${'x'.repeat(30)}~20261125-1430`],
    ['prod-checkout-service-of-europe', {}, 'prod-checkout-servi~ivlekg5u66~20261125-1430'],
  ])('of %s is readable', (name, parts, expected) => {
    expect(generationName(name, { born: BORN, ...parts })).toBe(expected);
  });

  it('is valid for every valid name, and states the minute and the end', () => {
    fc.assert(
      fc.property(names, minutes, ends, (name, born, end) => {
        const made = generationName(name, { born, ...(end !== undefined && { end }) });
        expect(nameProblem(made)).toBeUndefined();
        expect(tryParseGeneration(made)).toEqual({ stem: stemOf(name), born, ...(end !== undefined && { end }) });
        expect(tryParseGeneration(stemOf(name))).toEqual(
          tryParseGeneration(name)?.stem === undefined ? undefined : expect.anything(),
        );
      }),
    );
  });

  it('differs for names that differ, and for minutes that differ', () => {
    fc.assert(
      fc.property(names, names, minutes, minutes, (a, b, first, second) => {
        const [one, two] = [generationName(a, { born: first }), generationName(b, { born: second })];
        expect(one === two).toBe(stemOf(a) === stemOf(b) && first === second);
      }),
    );
  });

  it('keeps long names apart that begin alike', () => {
    const long = Array.from({ length: 5000 }, (_, index) => `prod-checkout-service-of-europe-${index}`);
    expect(new Set(long.map(stemOf)).size).toBe(long.length);
  });

  it('has room for two leaks on one day', () => {
    const first = generationName('prod-checkout', { born: BORN, end: 'leaked' });
    const second = generationName('prod-checkout', { born: BORN + 60, end: 'leaked' });
    expect([first, second]).toEqual(['prod-checkout~20261125-1430+0', 'prod-checkout~20261125-1431+0']);
  });

  it.each([
    'prod',
    'prod~20261125',
    'prod~20261325-1430',
    'prod~20260230-1430',
    'prod~20261125-2460',
    '~20261125-1430',
    'prod~20261125-1430+',
    'prod~20261125-1430+1w',
    'prod~20261125-1430+00',
  ])('is not %s', (name) => {
    expect(tryParseGeneration(name)).toBeUndefined();
  });

  it.each([
    [{ born: BORN, end: { overlap: 86_401 * 7 } }],
    [{ born: BORN, end: { overlap: 0.5 } }],
    [{ born: Date.UTC(10_000, 0) / 1000 }],
  ])('cannot state %j', (parts) => {
    expect(() => generationName('prod', parts)).toThrow(RangeError);
  });

  it.each([
    [7200, '2h'],
    [86_400 * 7, '7d'],
    [5400, '90m'],
    [90, '90s'],
    [9999, '9999s'],
    [10_001, undefined],
  ])('states an overlap of %d seconds as %s', (seconds, text) => {
    expect(tryRenderOverlap(seconds)).toBe(text);
  });
});

describe('a pattern over key names', () => {
  const long = 'prod-checkout-service-of-europe-1';
  it.each([
    [['prod-*'], generationName('prod-a', { born: BORN }), false, true],
    [['prod-a'], generationName('prod-a', { born: BORN }), false, true],
    [['prod-a'], generationName('prod-b', { born: BORN }), false, false],
    [[long], generationName(long, { born: BORN }), false, true],
    [['*-1'], generationName(long, { born: BORN }), false, false],
    [['*-1'], generationName(long, { born: BORN }), true, true],
    [['other'], generationName(long, { born: BORN }), true, false],
    [['*-1'], keyName('prod-1'), false, true],
  ])('%j matches %s (when unsure: %s): %s', (globs, name, whenUnsure, expected) => {
    expect(matchesKeyGlob(globs, name, whenUnsure)).toBe(expected);
  });
});
