import type { KeyId, Unverified } from '../../domain/index.ts';
import type { Pair } from '../observe/match.ts';
import { isOld } from '../rotate/lineage.ts';
import type { Use } from './evidence.ts';
import type { Need } from './log-reading.ts';

/** The part of one generation in the budget of its key. */
interface Share {
  /** The grants of the other generations, which use the same budget. */
  readonly others: readonly Need[];
  /** The generation keeps what it has, and is never given more. */
  readonly isCapped: boolean;
}

/** The shares of the generations of keys that have several. */
export function sharesOf(pairs: readonly Pair[], grants: readonly Need[]): ReadonlyMap<KeyId, Share> {
  const shares = new Map<KeyId, Share>();
  if (!pairs.some(({ lineage }) => lineage && lineage.members.length > 1)) return shares;
  const byId = new Map(grants.map((need) => [need.key.id, need]));
  for (const pair of pairs) {
    const { lineage, live, desired } = pair;
    if (!lineage || lineage.members.length < 2) continue;
    const others = lineage.members.flatMap(({ live: other }) =>
      other.id === live.id ? [] : (byId.get(other.id) ?? []),
    );
    shares.set(live.id, { others, isCapped: isOld(pair) && desired.rotate?.overlapBudget !== undefined });
  }
  return shares;
}

/**
 * The use of one generation as it counts for the others: the most that is proven, else what the log shows. Without a proof
 * none of them is raised anyway.
 */
export const countedOf = ({ least, most }: Use, assumeLogComplete: boolean): number =>
  assumeLogComplete || !Number.isFinite(most) ? least : most;

/** Marks the budgets of all generations of a key as unknown where the use of one is. */
export function spreadUnknown(shares: ReadonlyMap<KeyId, Share>, unverified: Map<KeyId, Unverified>): void {
  const unknown = new Map([...unverified].filter(([, reason]) => reason !== 'log-incomplete'));
  for (const [id, { others }] of shares) {
    const reason = others.flatMap(({ key }) => unknown.get(key.id) ?? [])[0];
    if (reason !== undefined) unverified.set(id, reason);
  }
}
