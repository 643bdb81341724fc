import { asFault } from '../domain/index.ts';
import {
  type ClaimStore,
  claimLock,
  type HeldLock,
  type LockHolder,
  type LockTime,
  type LockWait,
} from '../reconcile/index.ts';

/** The claim on an account that all writers of one process share: taken before the first write, and held until the process ends. */
export interface SharedClaim {
  /** Resolves once nobody else may write. @throws Fault `apply.locked`, `gateway.interrupted` */
  take(signal: AbortSignal | undefined): Promise<void>;
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

/** Opens a claim, which is not taken yet. Keys are written concurrently: the first writer takes it for all. */
export function openSharedClaim(claims: ClaimStore, terms: ClaimTerms, world: ClaimWorld): SharedClaim {
  const { time, holder, onWait, onUnavailable } = world;
  let held: HeldLock | undefined;
  let taking: Promise<void> | undefined;
  let isForgone = false;
  let isUnsettled = false;
  const take = async (signal: AbortSignal | undefined): Promise<void> => {
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
