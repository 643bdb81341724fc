import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type Edit,
  type ObservedKey,
  type ObservedState,
  type Pending,
  type Plan,
  pendingChanges,
  renderDecimal,
  type Snapshot,
  sameSetting,
} from '../domain/index.ts';
import { comparable, snapshotOf } from './diff.ts';

/** Returns remainder plus use, which traffic does not change: the grant. Null where the use is unknown. */
const granted = (key: Pick<ObservedKey, 'remain' | 'used' | 'unlimited'>): number | null =>
  key.unlimited || key.used === undefined ? null : key.remain + key.used;

/** SHA-256 over what was observed of these keys and the rate, in any order, without what consumption moves. */
export function fingerprint(observed: ObservedState, keys: readonly ObservedKey[]): string {
  const facts = [...keys]
    .sort((a, b) => a.id - b.id)
    .map((key) => ({ ...comparable(key), remain: granted(key), id: key.id, disabled: key.status === 'disabled' }));
  const text = canonicalJson({ account: observed.account, rate: renderDecimal(observed.quotaPerUnit), facts });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Something that a saved plan would touch and that is not as it was. */
export interface Moved {
  readonly name: string;
  readonly id?: Snapshot['id'];
  readonly what: string;
}

/** Lists everything a saved plan would change that has moved since it was saved. Empty: the plan is fresh. */
export function moved(plan: Plan, observed: ObservedState): readonly Moved[] {
  const byId = new Map(observed.keys.map((key) => [key.id, key]));
  // A key that the plan itself moves out of the way does not hold its name against another.
  const moving = new Set(plan.changes.flatMap((change) => (change.verb === 'rename' ? [change.id] : [])));
  const names = new Map(observed.keys.filter((key) => !moving.has(key.id)).map((key) => [key.name, key]));
  const rate = renderDecimal(observed.quotaPerUnit);
  const changes = pendingChanges(plan).flatMap((change): Moved[] => {
    const taken = change.verb === 'create' || change.verb === 'rename' ? names.get(change.name) : undefined;
    const clash = taken ? [`key ${taken.id} now has this name`] : [];
    if (change.verb === 'create') return clash.map((what) => ({ name: change.name, what }));
    const live = byId.get(change.id);
    const whats = [...clash, ...(live ? movesOf(change, snapshotOf(live)) : ['it no longer exists'])];
    return whats.map((what) => ({ name: change.name, id: change.id, what }));
  });
  if (rate === renderDecimal(plan.quotaPerUnit)) return changes;
  const what = `one dollar is now ${rate} quota units (was ${renderDecimal(plan.quotaPerUnit)})`;
  return [{ name: 'the gateway', what }, ...changes];
}

function movesOf(change: Exclude<Pending, { verb: 'create' }>, now: Snapshot): string[] {
  const { before } = change;
  const fields = (Object.keys(comparable(now)) as Edit['field'][]).filter((field) => field !== 'remain');
  const moves = fields
    .filter((field) => !sameSetting(now[field], before[field]))
    .map((field) => `${field} is now ${show(now[field])} (was ${show(before[field])})`);
  if (statusMoved(change, now)) moves.push(`its status is now ${now.status} (was ${before.status})`);
  if (remainderMoved(change, now)) moves.push(`its remaining quota is now ${now.remain} (was ${before.remain})`);
  return moves;
}

const show = (value: unknown): string => (value === null ? 'unset' : JSON.stringify(value));

/** Traffic moves a key from enabled to expired or exhausted; that matters only to a disable. */
function statusMoved(change: Pending, now: Snapshot): boolean {
  if (change.verb === 'create' || change.before.status === now.status) return false;
  const lazily = change.before.status === 'enabled' && now.status !== 'disabled';
  return !lazily || change.verb === 'disable';
}

/**
 * Did more than consumption move the remainder? Where the use is unknown, a key that holds less may have spent, or may
 * have been written by this same plan before: then a plan that writes the remainder is stale, whatever moved it.
 */
function remainderMoved(change: Exclude<Pending, { verb: 'create' }>, now: Snapshot): boolean {
  const { before } = change;
  if (now.unlimited || before.unlimited) return false;
  const [then, today] = [granted(before), granted(now)];
  if (then !== null && today !== null) return then !== today;
  const writes = 'edits' in change && change.edits.some(({ field }) => field === 'remain');
  return writes ? now.remain !== before.remain : now.remain > before.remain;
}
