import * as z from 'zod';

/** An integer of any size: some gateways store what they get, and one odd record must not hide all the others. */
export const AnyInteger = z.union([z.int(), z.bigint()], { error: 'Invalid input: expected an integer' });

/** The nearest value that Keyplane can work with. */
export const within = (stored: unknown, least: number, most: number): number =>
  Math.min(most, Math.max(least, Number(stored)));

const LARGEST = Number.MAX_SAFE_INTEGER;

/** The nearest number of quota units that Keyplane can work with. */
export const nearestQuota = (stored: unknown): number => within(stored, -LARGEST, LARGEST);
