/** A claim as the rule sees it: the ID that the gateway gave it, and the attempt that placed it. */
export interface VisibleClaim {
  readonly id: number;
  /** Undefined: unreadable, so it is not ours. */
  readonly nonce: string | undefined;
}

/** `lost`: our own claim is not there, so we hold nothing and wait for nothing. */
export type Decision = 'enter' | 'withdraw' | 'wait' | 'lost';

/**
 * Decides after one look at all claims, made after the create of our own was answered.
 *
 * Never may two clients enter: each one’s look would precede the other’s claim, and both looks follow their own claims. So only
 * whoever sees no other claim enters. The smallest ID alone decides nothing, because a database may hand out IDs before rows are
 * visible: a smaller one can appear after somebody has entered. It only breaks the tie between two who see each other. The test
 * of this rule explores every interleaving.
 */
export function decide(own: string, visible: readonly VisibleClaim[]): Decision {
  const mine = visible.flatMap(({ id, nonce }) => (nonce === own ? [id] : []));
  if (mine.length === 0) return 'lost';
  const others = visible.filter(({ nonce }) => nonce !== own);
  if (others.length === 0) return 'enter';
  const smallest = Math.min(...mine);
  return others.some(({ id }) => id < smallest) ? 'withdraw' : 'wait';
}
