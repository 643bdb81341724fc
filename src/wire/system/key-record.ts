import * as z from 'zod';
import { Secret } from '../../domain/index.ts';
import { AnyInteger } from './integer.ts';

/** 1 enabled, 2 manually disabled, 3 expired, 4 quota exhausted. Contract: “API key status”. */
export const KEY_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

/** The fields of a record that are not settings. Contract: “API key record”. Some gateways store any integer as the status. */
export const KeyHead = {
  id: z.int().positive(),
  name: z.string(),
  status: AnyInteger,
  key: z.string().nullish(),
  used_quota: z.int().optional().catch(undefined),
  created_time: z.int().optional().catch(undefined),
  accessed_time: z.int().optional().catch(undefined),
};

/** Fields of a record that a full update must not carry: the gateway owns them. Any other unknown field is echoed. */
export const READ_ONLY_FIELDS: ReadonlySet<string> = new Set([
  'user_id',
  'key',
  'status',
  'used_quota',
  'created_time',
  'accessed_time',
  'DeletedAt',
]);

/** The groups that `auto` stands for on one key, in order; null when the key has none of its own. */
export const AUTO_GROUPS = 'auto_groups';

/**
 * Fields of a record that a full update omits. Gateways that have `auto_groups` keep them when they are omitted. A gateway
 * validates those that it gets, and rejects the whole update if one of them is no longer available.
 */
export const OMITTED_FIELDS: ReadonlySet<string> = new Set([...READ_ONLY_FIELDS, AUTO_GROUPS]);

/** Answer of `POST /api/token/{id}/key`. */
export const RevealedKey = z.lazy(() => z.looseObject({ key: z.string().min(1) }));

/** Answer of the batch reveal, whose shape the contract leaves open: a map by id, bare or under `keys`, or a list. */
const RevealedMap = z.lazy(() => z.record(z.string().regex(/^\d+$/), z.string().min(1)));
const RevealedList = z.lazy(() => z.array(z.looseObject({ id: z.int().positive(), key: z.string().min(1) })));
export const RevealedKeys = z.lazy(() =>
  z
    .union([z.looseObject({ keys: z.union([RevealedMap, RevealedList]) }), RevealedMap, RevealedList])
    .transform((data): ReadonlyMap<number, string> => {
      const keys: unknown = !Array.isArray(data) && 'keys' in data && typeof data.keys === 'object' ? data.keys : data;
      const pairs: [number, string][] = Array.isArray(keys)
        ? keys.map((item: { id: number; key: string }) => [item.id, item.key])
        : Object.entries(keys as Record<string, string>).map(([id, key]) => [Number(id), key]);
      return new Map(pairs);
    }),
);

/** The usable credential of a stored value: `sk-` is there exactly once. Contract: “Key value rules”. */
export const credentialOf = (stored: string): string => `sk-${stored.replace(/^sk-/, '')}`;

/** Reads what a record shows of a credential. Releases of new-api before 0.11.4 show all of it, which is kept as a secret only. */
export function shownCredential(shown: string): { readonly masked: string; readonly credential?: Secret } {
  if (shown === '' || shown.includes('*')) return { masked: shown };
  const isWhole = /^[\w-]{20,}$/.test(shown);
  return { masked: '(hidden)', ...(isWhole ? { credential: new Secret(credentialOf(shown)) } : {}) };
}
