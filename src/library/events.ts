import type { EngineEvent } from '../engine/index.ts';
import type { CreatedKey, LockWait, ResolvedCreate, Waiting } from '../reconcile/index.ts';

/** Something that a person who watches a run wants to know. */
export type Notice =
  /** Another run holds the lock, and this one waits. */
  | { readonly kind: 'lock-wait'; readonly wait: LockWait }
  /** The gateway cannot hold the lock, so that it keeps away only the runs of this machine. */
  | { readonly kind: 'lock-limited'; readonly reason: string }
  /** A create of an earlier run may still take effect, and this run waits. */
  | { readonly kind: 'create-wait'; readonly waiting: Waiting }
  /** Secrets were delivered, and this run waits until their readers have them before it ends the old ones. */
  | { readonly kind: 'readers-wait'; readonly seconds: number }
  /** The outcome of creates that was unknown to earlier runs. */
  | { readonly kind: 'creates-resolved'; readonly resolved: readonly ResolvedCreate[] }
  /** Creates took effect after a later run had created the keys again. Their unused keys were deleted. */
  | { readonly kind: 'twins-deleted'; readonly twins: readonly CreatedKey[] };

/** Progress of a run. A callback for it only watches: what it throws changes nothing. */
export type KeyplaneEvent = EngineEvent | Notice;
