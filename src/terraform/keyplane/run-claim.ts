import { asFault } from '../../domain/index.ts';
import type { ClaimStore, HeldLock, LockHolder, LockTime, LockWait } from '../../reconcile/index.ts';
import { claimLock } from '../../reconcile/index.ts';

/** The claim of one run of Terraform on an account: taken before its first write, and held until core has ended. */
export interface RunClaim {
  /** Resolves once nobody else may write. @throws Fault `apply.locked`, `gateway.interrupted` */
  take(signal: AbortSignal): Promise<void>;
  /** Continues without the claim, so that a new key finds room in the account. */
  forgo(): Promise<void>;
  /** Notes that something was sent that may still take effect: at the end, the claim is left to keep others away. */
  leaveAtEnd(): void;
  /** Determines whether the claim has kept other runs out until now. */
  isHeld(): Promise<boolean>;
  /** @throws Fault `apply.lock-lost` */
  ensureHeld(): Promise<void>;
  release(): Promise<void>;
}

/** The parts of the world that claims need. */
export interface ClaimWorld {
  readonly time: LockTime;
  readonly holder: () => Promise<LockHolder>;
  readonly onWait?: (wait: LockWait) => void;
  /** Called when the gateway cannot hold a claim: the run continues without one. */
  readonly onUnavailable?: (message: string) => void;
}

/** The settings of a claim. */
export interface ClaimTerms {
  readonly timeoutSeconds: number;
  readonly settleSeconds: number;
}

const NO_ROOM = 'The claim of the lock is a key, and the account needs its last places for the keys that are created.';

/** Resources are written concurrently: the first one takes the claim for all. */
export function openRunClaim(claims: ClaimStore, terms: ClaimTerms, world: ClaimWorld): RunClaim {
  const { time, holder, onWait, onUnavailable } = world;
  let held: HeldLock | undefined;
  let taking: Promise<void> | undefined;
  let isForgone = false;
  let isUnsettled = false;
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
  const release = async (): Promise<void> => {
    await taking?.catch(() => undefined);
    if (isUnsettled && held?.leave) held.leave();
    else await held?.release();
    held = undefined;
  };
  return {
    async take(signal) {
      if (isForgone) return;
      taking ??= take(signal);
      await taking;
    },
    async forgo() {
      if (isForgone) return;
      isForgone = true;
      await release();
      onUnavailable?.(NO_ROOM);
    },
    leaveAtEnd() {
      isUnsettled = true;
    },
    async isHeld() {
      const ensured = held?.ensureHeld();
      return (await ensured?.then(() => true).catch(() => false)) ?? false;
    },
    ensureHeld: async () => held?.ensureHeld(),
    release,
  };
}
