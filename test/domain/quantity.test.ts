import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Decimal,
  decimalOf,
  Fault,
  quota,
  quotaFromUsd,
  renderDecimal,
  tryParseDecimal,
  usdFromQuota,
} from '../../src/domain/index.ts';

const decimal = (text: string): Decimal => {
  const parsed = tryParseDecimal(text);
  if (!parsed) throw new Error(`not a decimal: ${text}`);
  return parsed;
};

/** To the nearest whole number, halves away from zero: the oracle, on a fraction of big integers. */
function nearest(numerator: bigint, denominator: bigint): bigint {
  const sign = numerator < 0n ? -1n : 1n;
  const magnitude = numerator * sign;
  const rest = magnitude % denominator;
  return sign * (magnitude / denominator + (rest * 2n >= denominator ? 1n : 0n));
}

const decimals = fc
  .tuple(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.integer({ min: 0, max: 9 }))
  .map(([digits, scale]): Decimal => ({ digits, scale }));
const rates = fc
  .tuple(fc.bigInt(1n, 10n ** 7n), fc.integer({ min: 0, max: 3 }))
  .map(([digits, scale]): Decimal => ({ digits, scale }));

describe('a decimal', () => {
  it.each([
    ['25', '25'],
    ['0', '0'],
    ['-0', '0'],
    ['-0.00', '0'],
    ['+5', '5'],
    ['0.10', '0.1'],
    ['007.50', '7.5'],
    ['1e3', '1000'],
    ['1.5E+2', '150'],
    ['1e-7', '0.0000001'],
    ['-12.345', '-12.345'],
    [' 2.5 ', '2.5'],
    ['0.1234567890123456789', '0.1234567890123456789'],
    ['99999999999999999999.99', '99999999999999999999.99'],
  ])('%j is %s', (text, rendered) => {
    expect(renderDecimal(decimal(text))).toBe(rendered);
  });

  it.each([
    '',
    '.',
    '.5',
    '5.',
    '1,5',
    '1_000',
    '0x10',
    'NaN',
    'Infinity',
    '1e',
    '1e1000',
    '--1',
    '1 2',
    '٣',
    '$5',
    '1.2.3',
  ])('is not %j', (text) => {
    expect(tryParseDecimal(text)).toBeUndefined();
  });

  it('comes back from its text with the same value', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        const back = decimal(renderDecimal(value));
        expect(back.digits * 10n ** BigInt(value.scale)).toBe(value.digits * 10n ** BigInt(back.scale));
      }),
    );
  });

  it('of a JavaScript number is what the number prints as', () => {
    expect(renderDecimal(decimalOf(0.1))).toBe('0.1');
    expect(renderDecimal(decimalOf(1e21))).toBe('1000000000000000000000');
    expect(decimalOf(5e-324)).toEqual({ digits: 5n, scale: 324 });
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(renderDecimal(decimalOf(value)))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('is not made of %s', (value) => {
    expect(() => decimalOf(value)).toThrow(new RangeError(`not a finite number: ${value}`));
  });
});

describe('quota', () => {
  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('is not %s', (units) => {
    expect(() => quota(units)).toThrow(new RangeError(`not a whole number of quota units: ${units}`));
  });

  it('reaches from the least to the greatest whole number that is exact', () => {
    const most = decimal(String(Number.MAX_SAFE_INTEGER));
    const one = decimal('1');
    const negative = (value: Decimal): Decimal => ({ ...value, digits: -value.digits });
    const beyond = { ...most, digits: most.digits + 1n };
    expect(quotaFromUsd(most, one)).toBe(Number.MAX_SAFE_INTEGER);
    expect(quotaFromUsd(negative(most), one)).toBe(Number.MIN_SAFE_INTEGER);
    for (const amount of [beyond, negative(beyond)]) {
      expect(() => quotaFromUsd(amount, one)).toThrow(
        expect.objectContaining({
          code: 'plan.amount-too-large',
          message: `$${renderDecimal(amount)} is too much: one dollar is 1 quota units.`,
          hint: 'Write a smaller amount, or `unlimited`.',
        }),
      );
    }
  });

  it('has one zero', () => {
    expect(Object.is(quota(-0), 0)).toBe(true);
  });

  it.each([
    ['25', '500000', 12_500_000],
    ['0.1', '500000', 50_000],
    ['0.29', '100', 29],
    ['1.005', '1000', 1005],
    ['0.000001', '500000', 1],
    ['0.000000999999', '500000', 0],
    ['-0.000001', '500000', -1],
    ['1', '0.5', 1],
    ['0', '500000', 0],
  ])('of $%s at %s units a dollar is %i', (usd, rate, units) => {
    expect(quotaFromUsd(decimal(usd), decimal(rate))).toBe(units);
  });

  it('of dollars is exact, rounded once, by an oracle on big integers', () => {
    fc.assert(
      fc.property(decimals, rates, (usd, rate) => {
        const exact = nearest(usd.digits * rate.digits, 10n ** BigInt(usd.scale + rate.scale));
        fc.pre(exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER));
        expect(BigInt(quotaFromUsd(usd, rate))).toBe(exact);
      }),
      { numRuns: 1000 },
    );
  });

  it('that cannot be held exactly is rejected, not rounded', () => {
    expect(quotaFromUsd(decimal('9007199254740991'), decimal('1'))).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => quotaFromUsd(decimal('9007199254740992'), decimal('1'))).toThrow(
      expect.objectContaining({ code: 'plan.amount-too-large' }),
    );
    expect(() => quotaFromUsd(decimal('1e999'), decimal('500000'))).toThrow(Fault);
  });
});

describe('dollars', () => {
  it.each([
    [12_500_000, '500000', '25.00'],
    [1, '500000', '0.00'],
    [2500, '500000', '0.01'],
    [2499, '500000', '0.00'],
    [-1, '500000', '0.00'],
    [-2500, '500000', '-0.01'],
    [-12_500_000, '500000', '-25.00'],
    [1, '3', '0.33'],
    [2, '3', '0.67'],
  ])('of %i units at %s a dollar are %s', (units, rate, text) => {
    expect(usdFromQuota(quota(units), decimal(rate))).toBe(text);
  });

  it('are shown with as many places as are asked for', () => {
    expect(usdFromQuota(quota(1), decimal('500000'), 6)).toBe('0.000002');
    expect(usdFromQuota(quota(750_000), decimal('500000'), 0)).toBe('2');
  });

  it('are rounded once, by an oracle on big integers', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), rates, (units, rate) => {
        const cents = nearest(BigInt(units) * 100n * 10n ** BigInt(rate.scale), rate.digits);
        const text = usdFromQuota(quota(units), rate);
        expect(text).toMatch(/^-?\d+\.\d\d$/);
        expect(BigInt(text.replace('.', ''))).toBe(cents);
      }),
      { numRuns: 1000 },
    );
  });

  it('come back as the units they were, at enough places', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (units) => {
        const rate = decimal('500000');
        expect(quotaFromUsd(decimal(usdFromQuota(quota(units), rate, 6)), rate)).toBe(quota(units));
      }),
    );
  });
});
