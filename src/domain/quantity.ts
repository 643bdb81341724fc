/**
 * Exact amounts: internal quota units, US dollars, and the rate between them.
 *
 * Nothing here touches floating point. A decimal keeps the digits that were written, and every conversion is done on
 * big integers, rounded once, to the nearest unit (halves away from zero).
 */
import { Fault } from './fault.ts';

/** Internal quota units of the gateway: a safe integer, negative for an overdraft. */
export type Quota = number & { readonly __quota: unique symbol };

/** An exact decimal number: `digits / 10^scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** @throws RangeError when the number is not a safe integer. */
export function quota(units: number): Quota {
  if (!Number.isSafeInteger(units)) throw new RangeError(`not a whole number of quota units: ${units}`);
  return (units === 0 ? 0 : units) as Quota;
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Reads a decimal number as written, `12.50` or `1e-7`; undefined when the text is not one. */
export function tryParseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text.trim());
  if (!match) return undefined;
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = match;
  const magnitude = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  const digits = sign === '-' ? -magnitude : magnitude;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Returns the exact decimal that a JavaScript number prints as. @throws RangeError when it is not finite. */
export function decimalOf(value: number): Decimal {
  const decimal = tryParseDecimal(String(value));
  if (!decimal) throw new RangeError(`not a finite number: ${value}`);
  return decimal;
}

/** Canonical text, without trailing zeros: `25`, `0.5`. */
export function renderDecimal({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return sign + whole + (fraction ? `.${fraction}` : '');
}

/** @param denominator above 0 */
function divideToNearest(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

const tooLarge = (usd: Decimal, rate: Decimal): Fault =>
  new Fault(
    'plan.amount-too-large',
    `$${renderDecimal(usd)} is too much: one dollar is ${renderDecimal(rate)} quota units.`,
    {
      hint: 'Write a smaller amount, or `unlimited`.',
    },
  );

/**
 * Converts dollars to quota units at the gateway's rate, rounded to the nearest unit.
 *
 * @param quotaPerUnit units for one dollar, from `/api/status`; never hard-coded.
 * @throws Fault `plan.amount-too-large` when the result is not a safe integer.
 */
export function quotaFromUsd(usd: Decimal, quotaPerUnit: Decimal): Quota {
  if (usd.scale + quotaPerUnit.scale === 0) {
    // Exact: a product of whole numbers that is a safe integer was not rounded.
    const product = Number(usd.digits) * Number(quotaPerUnit.digits);
    if (Number.isSafeInteger(product)) return quota(product);
  }
  const units = divideToNearest(usd.digits * quotaPerUnit.digits, 10n ** BigInt(usd.scale + quotaPerUnit.scale));
  if (units > MOST || units < -MOST) throw tooLarge(usd, quotaPerUnit);
  return quota(Number(units));
}

/** Converts quota units to dollars, rounded to `places` decimals: text for people, never for arithmetic. */
export function usdFromQuota(units: Quota | bigint, quotaPerUnit: Decimal, places = 2): string {
  const scaled = BigInt(units) * 10n ** BigInt(quotaPerUnit.scale + places);
  const cents = divideToNearest(scaled, quotaPerUnit.digits);
  const sign = cents < 0n ? '-' : '';
  const text = (cents < 0n ? -cents : cents).toString().padStart(places + 1, '0');
  return places === 0 ? sign + text : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
}
