import type { HeldLock, KeyStore, Lock, LockRequest } from '../reconcile/index.ts';

/** The locks of a run. */
export interface Locks {
  /** Taken from before the account is read until the last write is reported. Omitted: nothing is. */
  readonly lock?: Lock;
  /** Taken before the first write. It writes to the account itself, so a run with nothing to write does not take it. */
  readonly claim?: Lock;
  readonly lockRequest?: LockRequest;
  /** Called when the run writes without the claim, because the account has no room for it. */
  readonly onNoRoom?: () => void;
}

const NO_WAIT: LockRequest = { timeoutSeconds: 0 };

/**
 * Holds the first lock while work runs. The account is verified first: a lock on another account than the one that is
 * written to would keep nobody away.
 */
export async function withLock<T>(
  { lock, lockRequest = NO_WAIT, store }: Locks & { readonly store: Pick<KeyStore, 'account' | 'verifyAccount'> },
  work: () => Promise<T>,
): Promise<T> {
  await store.verifyAccount();
  const held = await lock?.acquire(store.account, lockRequest);
  try {
    return await work();
  } finally {
    await held?.release();
  }
}

/** The claim of one run, which is made when the run first has something to write. */
export interface LateClaim {
  /** Returns true when somebody else held it, so that what was read before may be old. */
  readonly take: () => Promise<boolean>;
  /** Writes without the claim, so that the keys of the run find room. */
  readonly forgo: () => Promise<void>;
  /** @throws Fault `apply.lock-lost` */
  readonly ensureHeld: () => Promise<void>;
}

/**
 * Runs work that may take the claim, and releases the claim afterwards.
 *
 * @param isUnsettled whether something was sent that may still take effect: then the claim is left to keep others away.
 */
export async function withClaim<T>(
  { claim, lockRequest = NO_WAIT, onNoRoom, store }: Locks & { readonly store: Pick<KeyStore, 'account'> },
  work: (claim: LateClaim) => Promise<T>,
  isUnsettled: () => Promise<boolean> = async () => false,
): Promise<T> {
  let held: HeldLock | undefined;
  let isForgone = false;
  try {
    return await work({
      async take() {
        if (held !== undefined || claim === undefined || isForgone) return false;
        held = await claim.acquire(store.account, lockRequest);
        return held.waited;
      },
      async forgo() {
        if (claim === undefined || isForgone) return;
        isForgone = true;
        await held?.release();
        held = undefined;
        onNoRoom?.();
      },
      ensureHeld: async () => held?.ensureHeld(),
    });
  } finally {
    if (held?.leave && (await isUnsettled())) held.leave();
    else await held?.release();
  }
}
