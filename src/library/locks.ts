import { fileLock, jobAddress, type Machine } from '../disk/index.ts';
import { asFault } from '../domain/index.ts';
import type { Locks } from '../engine/index.ts';
import { type ClaimStore, claimLock, type HeldLock, type Lock } from '../reconcile/index.ts';
import type { Notice } from './events.ts';

/**
 * The place of the lock of an account. `gateway`: at the gateway, for all machines, and in a file, for this one. `file`: for the
 * runs of this machine alone. `none`: somebody else keeps other runs away.
 */
export type LockPlace = 'gateway' | 'file' | 'none';

/** Gives a lock back when the process ends early; returns the function that ends this. */
export type ReleaseAtEnd = (release: () => Promise<unknown>) => () => void;

export interface LockContext {
  readonly place: LockPlace | Lock;
  /** Absent for a store that keeps none. */
  readonly claims: ClaimStore | undefined;
  readonly machine: Machine;
  readonly settleSeconds: number;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal | undefined;
  readonly notify: (notice: Notice) => void;
  readonly releaseAtEnd: ReleaseAtEnd | undefined;
}

const NO_LOCK: HeldLock = { waitedSeconds: 0, ensureHeld: async () => {}, release: async () => {} };

const NO_ROOM =
  'The claim of the lock is a key, and the account needs its last places for the keys that this run creates.';

/** The lock that all machines share. Where the gateway cannot hold it, the run continues, and reports that. */
function gatewayLock({ machine, settleSeconds, notify }: LockContext, claims: ClaimStore): Lock {
  const { env, pid, host } = machine;
  const run = jobAddress(env);
  const since = Math.floor(machine.wall() / 1000);
  const lock = claimLock(
    claims,
    { process: pid, host, since, ...(run === undefined ? {} : { run }) },
    machine,
    settleSeconds,
  );
  return {
    acquire: (account, request) =>
      lock.acquire(account, request).catch((thrown: unknown) => {
        const fault = asFault(thrown);
        if (fault.code !== 'apply.lock-unavailable') throw fault;
        notify({ kind: 'lock-limited', reason: fault.message });
        return NO_LOCK;
      }),
  };
}

const releasedAtEnd = (releaseAtEnd: ReleaseAtEnd, lock: Lock): Lock => ({
  async acquire(account, request) {
    const acquiring = lock.acquire(account, request);
    const forget = releaseAtEnd(() =>
      acquiring.then(
        (held) => held.release(),
        () => undefined,
      ),
    );
    try {
      const held = await acquiring;
      return {
        ...held,
        release() {
          forget();
          return held.release();
        },
        ...(held.leave && {
          leave() {
            forget();
            held.leave?.();
          },
        }),
      };
    } catch (thrown) {
      forget();
      throw thrown;
    }
  },
});

/** The locks of a run. */
export function locksOf(context: LockContext): Locks {
  const { place, claims, machine, timeoutSeconds, signal, notify, releaseAtEnd } = context;
  const ending = (lock: Lock): Lock => (releaseAtEnd ? releasedAtEnd(releaseAtEnd, lock) : lock);
  return {
    ...(place === 'none' ? {} : { lock: ending(typeof place === 'string' ? fileLock(machine) : place) }),
    ...(place === 'gateway' && claims ? { claim: ending(gatewayLock(context, claims)) } : {}),
    lockRequest: { timeoutSeconds, signal, onWait: (wait) => notify({ kind: 'lock-wait', wait }) },
    onNoRoom: () => notify({ kind: 'lock-limited', reason: NO_ROOM }),
  };
}
