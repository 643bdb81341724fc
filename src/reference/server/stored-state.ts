import * as z from 'zod';
import type { GatewayContext } from '../context.ts';
import { Int64 } from '../int64.ts';
import { GivenSettings } from '../keys/settings.ts';
import type { StoredKey } from '../ledger/keys.ts';

/** A stored key as one flat record, including its secret. */
const flatRecord = ({ extra, ...fields }: StoredKey): Readonly<Record<string, unknown>> => ({ ...extra, ...fields });

/** The contents of the ledger, including secrets: for the control endpoints, never for the API. */
export const storedState = ({ ledger, clock, profile }: GatewayContext) => ({
  profile: profile.name,
  now: clock.now(),
  accounts: ledger.accounts.all(),
  keys: ledger.keys.all().map(flatRecord),
  log: ledger.log.all(),
  holds: ledger.holds.all(),
});

const Patch = z.strictObject({
  ...GivenSettings.shape,
  status: z.int().min(1).max(4).optional(),
  used_quota: Int64.optional(),
  created_time: z.int().optional(),
  accessed_time: z.int().optional(),
});

/** Changes a stored key directly, without any rule. Returns undefined if it does not exist. */
export function tryPatchKey(
  { ledger, catalog }: GatewayContext,
  id: number,
  body: unknown,
): { readonly key: unknown } | { readonly problem: string } | undefined {
  const given = Object.entries((body ?? {}) as object);
  const extra = Object.fromEntries(given.filter(([field]) => field in catalog.extraFields));
  const patch = Patch.safeParse(Object.fromEntries(given.filter(([field]) => !(field in catalog.extraFields))));
  if (!patch.success) return { problem: z.prettifyError(patch.error) };
  return ledger.transact(() => {
    const stored = ledger.keys.tryFindById(id);
    if (stored === undefined) return undefined;
    const key = { ...stored, ...(patch.data as Partial<StoredKey>), extra: { ...stored.extra, ...extra } };
    ledger.keys.write(key);
    return { key: flatRecord(key) };
  });
}
