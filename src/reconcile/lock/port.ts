import type { AccountRef, UnixSeconds } from '../../domain/index.ts';

/** The holder of a lock, for people. */
export interface LockHolder {
  readonly process: number;
  readonly host: string;
  /** The address of the pipeline’s job. */
  readonly run?: string;
  /** By the clock of the holder. */
  readonly since: UnixSeconds;
  /** Processes of one team work as one: none of them waits for another. */
  readonly team?: string;
}

/** A wait for a lock. */
export interface LockWait {
  /** Undefined: unreadable. */
  readonly holder: LockHolder | undefined;
  /** The rest of the time that the run waits. */
  readonly seconds: number;
  /** The time after which the lock of a holder that has died is taken over. Absent: the holder is known to be alive. */
  readonly abandonedAfter?: number;
}

export interface LockRequest {
  /** The longest wait for other holders; 0: none. */
  readonly timeoutSeconds: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Called when a wait begins, and again when the holder is another. */
  readonly onWait?: ((wait: LockWait) => void) | undefined;
}

export interface HeldLock {
  /** The time for which somebody else held it, so that whatever was read before may be old; 0: nobody did. */
  readonly waitedSeconds: number;
  /**
   * Verifies that nobody else can have taken the lock since. Costs requests only where that is uncertain, as after a long silence.
   *
   * @throws Fault `apply.lock-lost`
   */
  ensureHeld(): Promise<void>;
  /** Gives the lock back. Never throws: whoever waits notices in time that nobody holds it any more. */
  release(): Promise<void>;
  /**
   * Ends without giving the lock back, so that others wait for as long as something may still take effect. Absent where the lock
   * does not outlive its process.
   */
  leave?(): void;
}

/**
 * Keeps other runs from writing to an account. One contract, several bodies: a file of this machine, a claim at the gateway, none.
 *
 * It saves runs from each other’s work; it cannot fence off a process that was paused. What keeps an account right is that every
 * write depends on fresh knowledge.
 */
export interface Lock {
  /**
   * Takes the lock, or waits for it.
   *
   * @throws Fault `apply.locked` when it is still held after the time; `gateway.interrupted`.
   */
  acquire(account: AccountRef, request: LockRequest): Promise<HeldLock>;
}

/** The time, as locks need it. */
export interface LockTime {
  /** Milliseconds that no clock change moves. */
  steady(): number;
  /** Milliseconds since 1970, which go on while a machine sleeps. */
  wall(): number;
  /** Resolves after the time, or when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `work`, which never rejects, again and again until the returned function is called. */
  every(ms: number, work: () => Promise<void>): () => void;
  /** From 0 to below 1. */
  random(): number;
}
