import * as z from 'zod';
import type { SettingFields } from '../wire/index.ts';

/** An integer of 64 bits: a bigint where a number would round it. */
export type Int64 = number | bigint;

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

export const Int64 = z.union([z.int(), z.bigint().min(LEAST).max(MOST)]);

/** Does a column of integers take this number? */
export const isInt64 = (number: number): boolean => Number.isInteger(number) && Math.abs(number) < 2 ** 63;

/** Reads the text of an integer. */
export function parseInt64(text: string): Int64 {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** The integer of 64 bits that is nearest to another one. */
export const nearestInt64 = (integer: bigint): Int64 =>
  parseInt64(String(integer > MOST ? MOST : integer < LEAST ? LEAST : integer));

/** Adds a whole number of units; a sum beyond 64 bits becomes the nearest integer of them. */
export function nearestSum(one: Int64, units: number): Int64 {
  const sum = typeof one === 'number' ? one + units : Number.NaN;
  return Number.isSafeInteger(sum) && Number.isSafeInteger(units)
    ? sum
    : nearestInt64(BigInt(one) + BigInt(Math.trunc(units)));
}

/** Adds as integers of 64 bits do, in which the least follows the largest. */
export const sum = (one: Int64, other: Int64): Int64 =>
  parseInt64(String(BigInt.asIntN(64, BigInt(one) + BigInt(other))));

/** The fields of a key that hold settings, with integers as a ledger holds them. */
export type ExactSettingFields = {
  readonly [F in keyof SettingFields]: SettingFields[F] extends number ? Int64 : SettingFields[F];
};
