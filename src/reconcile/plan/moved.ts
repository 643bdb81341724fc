import {
  type Decimal,
  type Edit,
  evidenceOf,
  type Moved,
  type ObservedKey,
  type ObservedState,
  type Pending,
  type Plan,
  pendingChanges,
  type Quota,
  renderDecimal,
  renderInstant,
  SETTING_NAMES,
  type Snapshot,
  sameSetting,
  tryParseQuarantine,
  type UnixSeconds,
  usdFromQuota,
} from '../../domain/index.ts';
import { granted } from '../observe/fingerprint.ts';
import { patchOf, snapshotOf } from './diff.ts';

export type KeyChange = Exclude<Pending, { verb: 'create' }>;

/** `$5.00`, with as many decimals as one unit needs. */
export const inDollars = (units: Quota | bigint, rate: Decimal): string =>
  `$${usdFromQuota(units, rate, 6).replace(/0{1,4}$/, '')}`;

/** The parts of a key that may differ from what a change was planned on. */
type Ignored = (change: KeyChange) => ReadonlySet<Edit['field'] | 'status'>;

/** Lists everything a saved plan would change that has moved since it was saved. Empty: the plan is fresh. */
export function moved(plan: Plan, observed: ObservedState, ignored: Ignored = () => new Set()): readonly Moved[] {
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
    const whats = [
      ...clash,
      ...(live
        ? movesOf(change, snapshotOf(live), { ignored: ignored(change), rate: observed.quotaPerUnit })
        : ['it no longer exists']),
    ];
    return whats.map((what) => ({ name: change.name, id: change.id, what }));
  });
  if (rate === renderDecimal(plan.quotaPerUnit)) return changes;
  const what = `one dollar is now ${rate} quota units (was ${renderDecimal(plan.quotaPerUnit)})`;
  return [{ name: 'the gateway', what }, ...changes];
}

/**
 * Lists what somebody else changed about a key since a change of it was planned, as far as that change depends on it: its name,
 * its status, and the settings that the change writes; for a delete all settings. Spending is not among it.
 *
 * @param isDisabled whether the run that makes the change has disabled the key itself, and `isEnabled` whether it has enabled it.
 */
export function movedSince(
  change: KeyChange,
  now: ObservedKey,
  {
    rate,
    isDisabled,
    isEnabled = false,
  }: { readonly rate: Decimal; readonly isDisabled: boolean; readonly isEnabled?: boolean },
): readonly string[] {
  const wanted = 'edits' in change ? patchOf(change.edits) : {};
  const snapshot = snapshotOf(now);
  const matters = (field: Edit['field']): boolean => {
    if (field === 'name') return now.name !== change.name;
    if (change.verb === 'delete') return field !== 'remain';
    return field in wanted && !sameSetting(snapshot[field], wanted[field] ?? null);
  };
  const ignored = new Set<Edit['field'] | 'status'>(SETTING_NAMES.filter((field) => !matters(field)));
  const wasDisabled = (change.before.status === 'disabled' && !isEnabled) || isDisabled;
  const [then, today] = [wasDisabled, now.status === 'disabled'];
  // Somebody may have made the same change of the status.
  const isWanted = (change.verb === 'disable' && today) || (change.verb === 'enable' && now.status === 'enabled');
  const status = then === today || isWanted ? [] : [`its status is now ${now.status} (was ${change.before.status})`];
  const used = change.verb === 'delete' && change.reason === 'quarantined' && !isUnused(now) ? [USED] : [];
  return [...movesOf(change, snapshot, { ignored: ignored.add('status'), rate }), ...status, ...used];
}

const USED = 'it was used while it was in quarantine';

/** Does the name of a key in quarantine still fit it? */
function isUnused(now: ObservedKey): boolean {
  const stated = tryParseQuarantine(now.name);
  return stated !== undefined && evidenceOf(stated, now) === 'unused';
}

function movesOf(
  change: KeyChange,
  now: Snapshot,
  { ignored, rate }: { readonly ignored: ReturnType<Ignored>; readonly rate: Decimal },
): string[] {
  const { before } = change;
  const fields = SETTING_NAMES.filter((field) => field !== 'remain' && !ignored.has(field));
  const moves = fields
    .filter((field) => !sameSetting(now[field], before[field]))
    .map((field) => `${field} is now ${showSetting(field, now[field])} (was ${showSetting(field, before[field])})`);
  if (!ignored.has('status') && statusMoved(change, now))
    moves.push(`its status is now ${now.status} (was ${before.status})`);
  if (!ignored.has('remain') && remainderMoved(change, now)) {
    moves.push(`its remaining budget is now ${inDollars(now.remain, rate)} (was ${inDollars(before.remain, rate)})`);
  }
  return moves;
}

/** Writes out the value of a setting: JSON, or an instant. */
export function showSetting(field: Edit['field'], value: unknown): string {
  if (value === null) return 'unset';
  return field === 'expires' ? renderInstant(value as UnixSeconds) : JSON.stringify(value);
}

/** Traffic moves a key from enabled to expired or exhausted; that matters only to a disable. */
function statusMoved(change: KeyChange, now: Snapshot): boolean {
  if (change.before.status === now.status) return false;
  const lazily = change.before.status === 'enabled' && now.status !== 'disabled';
  return !lazily || change.verb === 'disable';
}

/** Did more than consumption move the remainder? Where the use is unknown, a key that holds less may have spent. */
function remainderMoved({ before }: KeyChange, now: Snapshot): boolean {
  if (now.unlimited || before.unlimited) return false;
  const [then, today] = [granted(before), granted(now)];
  return then !== null && today !== null ? then !== today : now.remain > before.remain;
}
