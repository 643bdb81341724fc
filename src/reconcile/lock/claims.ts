import type { AccountRef, KeyId } from '../../domain/index.ts';
import type { LockHolder } from './port.ts';

/** The content of a claim. */
export interface ClaimNote extends LockHolder {
  /** Identifies the attempt to take the lock, and nothing else does: one process may make several, each for itself. */
  readonly nonce: string;
  /** Counts the renewals. */
  readonly beat: number;
}

/** A claim as it was found. */
export interface Claim {
  readonly id: KeyId;
  /** Undefined: another version wrote it, or it is damaged. It counts all the same. */
  readonly note: ClaimNote | undefined;
  /** Changes with each renewal. */
  readonly mark: string;
}

/**
 * The claims of an account. One contract, two bodies: a gateway, and a store in memory.
 *
 * There is no conditional write behind it. What it promises is that a claim is listed once its placement was answered.
 */
export interface ClaimStore {
  readonly account: AccountRef;
  /** @throws Fault `credentials.other-account` */
  verifyAccount(): Promise<void>;
  /**
   * Every claim, as of one moment.
   *
   * @throws Fault `apply.lock-unavailable` when the store has no such listing; `gateway.rate-limited` when it does not answer now.
   */
  list(): Promise<readonly Claim[]>;
  /**
   * Places a claim; the store does not return its ID. After a fault whose `retry` is `look`, only a listing shows it.
   *
   * @throws Fault `apply.lock-unavailable` when the store refuses it.
   */
  place(note: ClaimNote): Promise<void>;
  /** Rewrites the content. False: the claim is gone, or has another nonce. */
  renew(id: KeyId, note: ClaimNote): Promise<boolean>;
  /** Removes a claim; one that does not exist is removed already. */
  remove(id: KeyId): Promise<void>;
  /** Removes all claims with a nonce where they cannot be listed. */
  removeAllOf(nonce: string): Promise<void>;
}
