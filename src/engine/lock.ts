import type { HeldLock, KeyStore, Lock, LockRequest } from '../reconcile/index.ts';
import { untilAborted } from './until-aborted.ts';

/** The locks of a run. */
export interface Locks {
  /** Taken from before the account is read until the last write is reported. Omitted: nothing is. */
  readonly lock?: Lock;
  /** Taken before the first write. It writes to the account itself, so a run with nothing to write does not take it. */
  readonly claim?: Lock;
  /** Its time is that of both locks together. */
  readonly lockRequest?: LockRequest;
  /** Called when the run writes without the claim, because the account has no room for it. */
  readonly onNoRoom?: () => void;
}

const NO_WAIT: LockRequest = { timeoutSeconds: 0 };

/** The locks of one run while it works. The claim is made when the run first has something to write. */
export interface RunLocks {
  /** Returns true when somebody else held the claim, so that what was read before may be old. */
  readonly takeClaim: () => Promise<boolean>;
  /** Writes without the claim, so that the keys of the run find room. */
  readonly forgoClaim: () => Promise<void>;
  /**
   * Verifies that nobody else can have taken any of them.
   *
   * @throws Fault `apply.lock-lost`
   */
  readonly ensureHeld: () => Promise<void>;
}

type Guarded = Locks & { readonly store: Pick<KeyStore, 'account' | 'verifyAccount'> };

/**
 * Holds the first lock while work runs, which may take the claim, and releases both afterwards. The account is verified first:
 * a lock on another account than the one that is written to would keep nobody away.
 *
 * @param isUnsettled whether something was sent that may still take effect: then the claim is left to keep others away.
 */
export async function withLocks<T>(
  options: Guarded,
  work: (locks: RunLocks) => Promise<T>,
  isUnsettled: () => Promise<boolean> = async () => false,
): Promise<T> {
  const { lock, lockRequest = NO_WAIT, store } = options;
  await untilAborted(lockRequest.signal, store.verifyAccount());
  const first = await lock?.acquire(store.account, lockRequest);
  const claim = lateClaim(options, first?.waitedSeconds ?? 0);
  try {
    return await work({
      takeClaim: claim.take,
      forgoClaim: claim.forgo,
      async ensureHeld() {
        await first?.ensureHeld();
        await claim.ensureHeld();
      },
    });
  } finally {
    await claim.end(isUnsettled).finally(() => first?.release());
  }
}

/** The claim of a run, not yet taken. */
function lateClaim({ claim, lockRequest = NO_WAIT, onNoRoom, store }: Guarded, waitedSeconds: number) {
  const timeoutSeconds = Math.max(0, lockRequest.timeoutSeconds - waitedSeconds);
  let held: HeldLock | undefined;
  let isForgone = false;
  return {
    async take(): Promise<boolean> {
      if (held !== undefined || claim === undefined || isForgone) return false;
      held = await claim.acquire(store.account, { ...lockRequest, timeoutSeconds });
      return held.waitedSeconds > 0;
    },
    async forgo(): Promise<void> {
      if (claim === undefined || isForgone) return;
      isForgone = true;
      await held?.release();
      held = undefined;
      onNoRoom?.();
    },
    ensureHeld: async (): Promise<void> => held?.ensureHeld(),
    async end(isUnsettled: () => Promise<boolean>): Promise<void> {
      if (held?.leave && (await isUnsettled())) held.leave();
      else await held?.release();
    },
  };
}
