import * as z from 'zod';
import type { AnyResponse } from '../gateway/index.ts';

/** Thrown by a probe that could not observe anything. */
export class Unprovable extends Error {}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member at a path such as `data.items`; undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

export const isSuccess = ({ status, json }: AnyResponse): boolean => status < 300 && at(json, 'success') === true;

/** Returns a code as gateways have them. A gateway may echo anything in its place, also a secret. */
export const asCode = (value: unknown): string =>
  typeof value === 'string' && /^[a-z_]{0,40}$/.test(value) ? value : '(another text)';

/** The status, and the code of the error where there is one: `403 access_denied`. */
export function refusal({ status, json }: AnyResponse): string {
  const code = asCode(at(json, 'error.code') ?? '');
  return code === '' ? String(status) : `${status} ${code}`;
}

/** The refusal of the System API: `401`, or `200 success: false`. */
export const refused = ({ status, json }: AnyResponse): string =>
  at(json, 'success') === false && status === 200 ? '200 success: false' : String(status);

const PLACES = ['data.items', 'data', 'data.data'] as const;

/** The first of the places that holds a list. */
export const listPlace = (json: unknown): (typeof PLACES)[number] | undefined =>
  PLACES.find((place) => Array.isArray(at(json, place)));

const Records = z.array(z.record(z.string(), z.unknown()));

export function recordsIn(json: unknown): readonly Record<string, unknown>[] {
  const place = listPlace(json);
  const records = place === undefined ? undefined : Records.safeParse(at(json, place));
  return records?.success ? records.data : [];
}
