import type { AccountRef } from '../domain/index.ts';
import type { KeyStore } from '../reconcile/index.ts';

/** Takes an account for one run, and returns the function that releases it. Throws when another run has it. */
export type Lock = (account: AccountRef) => Promise<() => Promise<void>>;

/**
 * Holds the lock while work runs: from before the account is read until the last write is reported. The account is verified
 * first: a lock on another account than the one that is written to would keep nobody away.
 */
export async function withLock<T>(
  { lock, store }: { readonly lock?: Lock; readonly store: Pick<KeyStore, 'account' | 'verifyAccount'> },
  work: () => Promise<T>,
): Promise<T> {
  await store.verifyAccount();
  const release = await lock?.(store.account);
  try {
    return await work();
  } finally {
    await release?.();
  }
}
