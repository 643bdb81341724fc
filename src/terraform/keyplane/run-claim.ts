import { asFault } from '../../domain/index.ts';
import type { ClaimNote, ClaimStore, HeldLock, LockTime, LockWait } from '../../reconcile/index.ts';
import { claimLock } from '../../reconcile/index.ts';

/** The claim of one run of Terraform on an account: taken before its first write, and held until core has ended. */
export interface RunClaim {
  /** Resolves once nobody else may write. @throws Fault `apply.locked`, `gateway.interrupted` */
  take(signal: AbortSignal): Promise<void>;
  /** @throws Fault `apply.lock-lost` */
  ensureHeld(): Promise<void>;
  release(): Promise<void>;
}

/** The parts of the world that claims need. */
export interface ClaimWorld {
  readonly time: LockTime;
  readonly holder: () => Promise<Omit<ClaimNote, 'beat'>>;
  readonly onWait?: (wait: LockWait) => void;
  /** Called when the gateway cannot hold a claim: the run continues without one. */
  readonly onUnavailable?: (message: string) => void;
}

/** The settings of a claim. */
export interface ClaimTerms {
  readonly timeoutSeconds: number;
  readonly settleSeconds: number;
}

/** Resources are written concurrently: the first one takes the claim for all. */
export function openRunClaim(claims: ClaimStore, terms: ClaimTerms, world: ClaimWorld): RunClaim {
  const { time, holder, onWait, onUnavailable } = world;
  let held: HeldLock | undefined;
  let taking: Promise<void> | undefined;
  const take = async (signal: AbortSignal): Promise<void> => {
    try {
      const lock = claimLock(claims, await holder(), time, terms.settleSeconds);
      held = await lock.acquire(claims.account, { timeoutSeconds: terms.timeoutSeconds, signal, onWait });
    } catch (thrown) {
      const fault = asFault(thrown);
      if (fault.code !== 'apply.lock-unavailable') throw fault;
      onUnavailable?.(fault.message);
    }
  };
  return {
    take(signal) {
      taking ??= take(signal);
      return taking;
    },
    ensureHeld: async () => held?.ensureHeld(),
    async release() {
      await taking?.catch(() => undefined);
      await held?.release();
    },
  };
}
