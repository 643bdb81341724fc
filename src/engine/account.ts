import type { UnixSeconds } from '../domain/index.ts';
import { type AccountListing, type KeyStore, list } from '../reconcile/index.ts';

/** The part of an account that a run reads first, whatever is declared. */
export interface AccountReading {
  readonly listing: AccountListing;
  /** The time that everything is judged by. */
  readonly now: UnixSeconds;
}

/** Verifies and lists the account. */
export async function readAccount(store: KeyStore, clock: () => UnixSeconds): Promise<AccountReading> {
  await store.verifyAccount();
  // The first answer shows the time of the gateway, by which everything else is judged.
  const quotaPerUnit = await store.quotaPerUnit();
  const now = clock();
  return { now, listing: await list(store, { quotaPerUnit, now, clock }) };
}
