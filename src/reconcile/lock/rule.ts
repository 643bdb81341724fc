/** A claim as the rule sees it: the ID that the gateway gave it, and the attempt that placed it. */
export interface VisibleClaim extends Claimant {
  readonly id: number;
}

export interface Claimant {
  /** Undefined: unreadable, so it is not ours. */
  readonly nonce: string | undefined;
  /** Attempts of one team may enter together. */
  readonly team?: string | undefined;
}

/** Is an attempt one that keeps ours out? */
export const isOther = (own: Claimant, { nonce, team }: Claimant): boolean =>
  nonce !== own.nonce && (team === undefined || team !== own.team);

/** `lost`: our own claim is not there, so we hold nothing and wait for nothing. */
export type Decision = 'enter' | 'withdraw' | 'wait' | 'lost';

/**
 * Decides after one look at all claims, made after the create of our own was answered.
 *
 * Never may two clients enter, unless they are a team: each one’s look would precede the other’s claim, and both looks follow
 * their own claims. So only whoever sees no other claim enters. The smallest ID alone decides nothing, because a database may
 * hand out IDs before rows are visible: a smaller one can appear after somebody has entered. It only breaks the tie between two
 * who see each other. The test of this rule explores every interleaving.
 */
export function decide(own: Claimant, visible: readonly VisibleClaim[]): Decision {
  const mine = visible.flatMap(({ id, nonce }) => (nonce === own.nonce ? [id] : []));
  if (mine.length === 0) return 'lost';
  const others = visible.filter((claim) => isOther(own, claim));
  if (others.length === 0) return 'enter';
  const smallest = Math.min(...mine);
  return others.some(({ id }) => id < smallest) ? 'withdraw' : 'wait';
}
