import {
  amountInQuota,
  type Change,
  type Decimal,
  type DesiredKey,
  type DesiredState,
  type KeyId,
  type ObservedKey,
  type ObservedState,
  type Plan,
  type Quota,
  quota,
  quotaFromUsd,
  type UnixSeconds,
  type Unverified,
  windowStart,
} from '../../domain/index.ts';
import { match } from '../observe/match.ts';
import { isOld } from '../rotate/lineage.ts';

/** The remainder from which a key counts as low: a share of its declared amount, or an amount of dollars. */
export type LowThreshold = { readonly percent: number } | { readonly usd: Decimal };

export interface OutlookLimits {
  readonly low: LowThreshold;
  /** Seconds from now within which an expiry counts as near. */
  readonly expiring: number;
}

interface OwnedKey {
  readonly name: string;
  readonly id: KeyId;
}

/** The difference between the declared and the live keys, without what only time and use bring about. */
export interface Outlook {
  /** The plan without the refills that are due: what somebody changed, or has not applied yet. */
  readonly drift: Plan;
  /** Refills that a budget window or a threshold asks for. The next apply makes them. */
  readonly due: readonly (OwnedKey & { readonly live: Quota; readonly declared: Quota })[];
  /** Keys whose remainder was not compared, because their use is not known. */
  readonly unverified: readonly (OwnedKey & { readonly reason: Unverified })[];
  /** Keys of which less remains than the threshold, and no refill is due. */
  readonly low: readonly (OwnedKey & { readonly remain: Quota; readonly threshold: Quota })[];
  readonly expiring: readonly (OwnedKey & { readonly expires: UnixSeconds })[];
}

interface OutlookContext {
  readonly desired: DesiredState;
  readonly observed: ObservedState;
  readonly now: UnixSeconds;
}

/** The raise of the remainder of a key that was limited and stays so, if the change makes one. */
export function raiseOf(change: Change): { live: Quota; declared: Quota } | undefined {
  if ((change.verb !== 'update' && change.verb !== 'rename') || change.before.unlimited) return undefined;
  const edit = change.edits.find(({ field }) => field === 'remain');
  const isLifted = change.edits.some(({ field }) => field === 'unlimited');
  if (edit?.field !== 'remain' || isLifted || edit.after <= edit.before) return undefined;
  return { live: edit.before, declared: edit.after };
}

/**
 * Determines whether use alone explains that less remains than is declared. A threshold is reached by use only. In a new budget window,
 * what is missing must have been used before the window began: not by a key that is younger, and not more than the record shows.
 */
function isRefill(
  { budget }: DesiredKey,
  live: ObservedKey,
  missing: number,
  { observed, now }: OutlookContext,
): boolean {
  if (budget?.kind === 'top-up') return true;
  if (budget?.kind !== 'window') return false;
  if (live.createdAt !== undefined && live.createdAt >= windowStart(budget.per, now)) return false;
  return live.used === undefined || missing <= live.used - (observed.used.get(live.id) ?? 0);
}

type Pairs = ReturnType<typeof match>['pairs'];

function findDue(plan: Plan, pairs: Pairs, context: OutlookContext): Outlook['due'] {
  const byId = new Map(pairs.map((pair) => [pair.live.id, pair]));
  return plan.changes.flatMap((change) => {
    const raise = raiseOf(change);
    const pair = 'id' in change ? byId.get(change.id) : undefined;
    if (!raise || !pair || !isRefill(pair.desired, pair.live, raise.declared - raise.live, context)) return [];
    return [{ name: change.name, id: pair.live.id, ...raise }];
  });
}

/**
 * Finds the generations of which less is declared to remain because others of the same key used the budget meanwhile. Their next
 * apply takes it back: ordinary consumption is not drift.
 *
 * @param useOf the use that counts for the budget
 */
export function usedByOthers(plan: Plan, pairs: Pairs, useOf: (id: KeyId) => number): ReadonlySet<KeyId> {
  const byId = new Map(pairs.map((pair) => [pair.live.id, pair]));
  const ids = plan.changes.flatMap((change) => {
    if (change.verb !== 'update' && change.verb !== 'rename') return [];
    const edit = change.edits.find(({ field }) => field === 'remain');
    const members = byId.get(change.id)?.lineage?.members ?? [];
    if (edit?.field !== 'remain' || change.before.unlimited || edit.after >= edit.before) return [];
    const used = members.reduce((sum, { live }) => (live.id === change.id ? sum : sum + useOf(live.id)), 0);
    return edit.before - edit.after <= used ? [change.id] : [];
  });
  return new Set(ids);
}

/** The rest of a change of a key whose refill is due. A key that its refill makes usable again is enabled as part of that. */
function withoutRefill(change: Exclude<Change, { verb: 'create' }>): Change | undefined {
  if (change.verb === 'enable' && change.reason === 'repaired') return undefined;
  if (change.verb !== 'update' && change.verb !== 'rename') return change;
  const [first, ...others] = change.edits.filter(({ field }) => field !== 'remain');
  return first && { ...change, edits: [first, ...others] };
}

/** The plan without the refills of these keys. */
export function withoutDue(plan: Plan, due: ReadonlySet<KeyId>): Plan {
  const rest = (change: Change): Change | undefined =>
    change.verb === 'create' || !due.has(change.id) ? change : withoutRefill(change);
  const left = new Set(plan.changes.flatMap((change) => ('id' in change && rest(change) ? [change.id] : [])));
  const changes = plan.changes.flatMap((change): readonly Change[] => {
    const other = rest(change);
    if (other) return [other];
    if (change.verb !== 'update' || left.has(change.id)) return [];
    const { name, id, of, place } = change;
    return [{ verb: 'keep', name, id, ...(of ? { of } : {}), ...(place ? { place } : {}) }];
  });
  return { ...plan, changes };
}

/** The plan without the steps of rotations that are due, and without the ends of quarantines: only time brings them about. */
function withoutEnds(plan: Plan): Plan {
  const due = new Set(plan.notes.flatMap(({ code, data }) => (code === 'rotation-due' && data ? [data.name] : [])));
  const changes = plan.changes.flatMap((change): readonly Change[] => {
    if (change.verb === 'create') return change.of !== undefined && due.has(change.of) ? [] : [change];
    if (change.verb === 'delete' && change.reason === 'quarantined') return [waiting(change)];
    if (!('reason' in change) || change.reason !== 'rotated') return [change];
    const { name, id, of, place } = change;
    return [{ verb: 'keep', name, id, ...(of && { of }), ...(place && { place }) }];
  });
  return { ...plan, changes };
}

/** A key in quarantine that the next apply deletes. */
function waiting({ before: _before, ...change }: Extract<Change, { verb: 'delete' }>): Change {
  return { ...change, verb: 'retain', reason: 'in-quarantine' };
}

function thresholdOf(low: LowThreshold, { budget }: DesiredKey, quotaPerUnit: Decimal): Quota | undefined {
  if ('usd' in low) return quotaFromUsd(low.usd, quotaPerUnit);
  if (!budget || !('amount' in budget)) return undefined;
  return quota(Math.floor((amountInQuota(budget.amount, quotaPerUnit) / 100) * low.percent));
}

/** The plan without what only time and use bring about. Pure. */
export function driftOf(plan: Plan, context: OutlookContext): Plan {
  const { desired, observed } = context;
  const { pairs } = match(desired, observed.keys);
  const spent = usedByOthers(plan, pairs, (id) => observed.ownUse?.get(id) ?? 0);
  return withoutEnds(withoutDue(plan, new Set([...findDue(plan, pairs, context).map(({ id }) => id), ...spent])));
}

/** Separates the drift of a plan from what is due, and finds the keys that soon need attention. Pure. */
export function outlookOf(plan: Plan, context: OutlookContext, limits: OutlookLimits): Outlook {
  const { desired, observed, now } = context;
  const planned = new Set(plan.changes.flatMap((change) => ('id' in change ? [change.id] : [])));
  const all = match(desired, observed.keys).pairs;
  const pairs = all.filter((pair) => planned.has(pair.live.id) && !isOld(pair));
  const spent = usedByOthers(plan, all, (id) => observed.ownUse?.get(id) ?? 0);
  const due = findDue(plan, pairs, context);
  const ids = new Set(due.map(({ id }) => id));
  const working = pairs.filter(({ live }) => live.status !== 'disabled');
  return {
    drift: withoutEnds(withoutDue(plan, new Set([...ids, ...spent]))),
    due,
    unverified: pairs.flatMap(({ desired: key, live }) => {
      const reason = observed.unverified?.get(live.id);
      return reason === undefined ? [] : [{ name: key.name, id: live.id, reason }];
    }),
    low: working.flatMap(({ desired: key, live }) => {
      const threshold = thresholdOf(limits.low, key, observed.quotaPerUnit);
      if (live.unlimited || ids.has(live.id) || threshold === undefined || live.remain >= threshold) return [];
      return [{ name: key.name, id: live.id, remain: live.remain, threshold }];
    }),
    expiring: working.flatMap(({ desired: key, live }) => {
      const { expires, id } = live;
      return expires !== null && expires > now && expires <= now + limits.expiring
        ? [{ name: key.name, id, expires }]
        : [];
    }),
  };
}
