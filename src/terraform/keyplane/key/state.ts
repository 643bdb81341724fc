import {
  type Decimal,
  declarableEnabled,
  effectiveStatus,
  isPending,
  maskOf,
  type ObservedKey,
  type Plan,
  quota,
  renderInstant,
  type UnixSeconds,
} from '../../../domain/index.ts';
import { diff } from '../../../reconcile/index.ts';
import { isWhollyKnown, type ObjectValue, type Value } from '../../codec/value.ts';
import { desiredFrom, FORMS } from './forms.ts';

/** A key as it is, and what telling it needs. */
export interface Seen {
  readonly key: ObservedKey;
  readonly quotaPerUnit: Decimal;
  readonly now: UnixSeconds;
}

/** What moves while a key is used. */
export const figuresOf = ({ key, now }: Pick<Seen, 'key' | 'now'>): ObjectValue => ({
  status: effectiveStatus(key, now),
  stored_status: key.status,
  remaining_quota: key.unlimited ? null : key.remain,
  used_quota: key.used ?? null,
});

/** What never changes as long as the key lives. */
const fixedOf = (key: ObservedKey): ObjectValue => ({
  id: key.id,
  masked_key: maskOf(key),
  created_at: key.createdAt === undefined ? null : renderInstant(key.createdAt),
});

const known = (value: Value | undefined): Value | undefined =>
  value !== undefined && value !== null && isWhollyKnown(value) ? value : undefined;

/** The settings in which a live key differs from what is written of it. */
function differing(written: ObjectValue, { key, quotaPerUnit }: Seen): ReadonlySet<string> {
  const edits = diff(desiredFrom(written, key.name), key, { quotaPerUnit, used: quota(key.used ?? 0) });
  return new Set(edits.map(({ field }) => field));
}

/**
 * A key as Terraform keeps it. What is written and still holds stays as it was written, `203.0.113.7` and not
 * `203.0.113.7/32`; everything else is as the key is. A budget stays as it is written in every case: that it does not
 * hold shows in what remains.
 */
export function declaredState(written: ObjectValue, seen: Seen): ObjectValue {
  const edited = differing(written, seen);
  const fields = Object.entries(FORMS).map(([attribute, form]): [string, Value] => {
    const value = known(written[attribute]);
    if (attribute === 'budget') return [attribute, value ?? null];
    const holds = value !== undefined && !form.settings.some((setting) => edited.has(setting));
    return [attribute, holds ? value : form.fromLive(seen.key, seen.quotaPerUnit)];
  });
  return { name: seen.key.name, ...Object.fromEntries(fields), ...fixedOf(seen.key) };
}

/** Whether a key is enabled, in the words of a declaration: one that expired as declared still is. */
export function enabledState(declared: boolean, { changes }: Pick<Plan, 'changes'>, { key, now }: Seen): boolean {
  const verbs = new Set(changes.filter(isPending).map(({ verb }) => verb));
  return verbs.has('enable') || verbs.has('disable') ? declarableEnabled(key, now) : declared;
}

/** A key that nothing is written of yet: as an import gives it. */
export function importedState(seen: Seen): ObjectValue {
  const fields = Object.entries(FORMS).map(([attribute, form]): [string, Value] => [
    attribute,
    form.fromLive(seen.key, seen.quotaPerUnit),
  ]);
  return {
    name: seen.key.name,
    enabled: declarableEnabled(seen.key, seen.now),
    ...Object.fromEntries(fields),
    ...fixedOf(seen.key),
    ...figuresOf(seen),
  };
}
