import {
  type Decimal,
  type DesiredKey,
  type Edit,
  initialCeiling,
  type KeySettings,
  type ObservedKey,
  type Quota,
  quota,
  wantedCeiling,
} from '../domain/index.ts';
import { comparable, sameSetting } from './comparable.ts';

/** What a comparison of one key needs to know beside the two sides. */
export interface DiffContext {
  readonly quotaPerUnit: Decimal;
  /** Used since the budget's window began, quota units. */
  readonly used: Quota;
}

/** The settings that a declaration wants of a live key. What it does not manage is absent. */
function wanted(desired: DesiredKey, live: ObservedKey, context: DiffContext): Partial<KeySettings> {
  const ceiling = desired.budget && wantedCeiling(desired.budget, live, context.used, context.quotaPerUnit);
  return {
    name: desired.name,
    ...managed(desired),
    ...(ceiling && { unlimited: ceiling.unlimited, remain: ceiling.remain }),
  };
}

/** The managed settings that do not depend on a live key. */
function managed(desired: DesiredKey): Partial<KeySettings> {
  const { group, crossGroupRetry, models, allowIps, expires, smartRouteTiers } = desired;
  return {
    ...(group !== undefined && { group }),
    ...(crossGroupRetry !== undefined && { crossGroupRetry }),
    ...(models !== undefined && { models }),
    ...(allowIps !== undefined && { allowIps }),
    ...(expires !== undefined && { expires }),
    ...(smartRouteTiers !== undefined && { smartRouting: true, smartRouteTiers }),
  };
}

/**
 * The edits that make a live key what is declared; none when it is so already.
 *
 * Pure. Consumption is never an edit: what a budget wants is computed from what was used.
 */
export function diff(desired: DesiredKey, live: ObservedKey, context: DiffContext): readonly Edit[] {
  const before = comparable(live);
  const after = wanted(desired, live, context);
  return (Object.keys(before) as (keyof KeySettings)[]).flatMap((field): Edit[] => {
    const value = after[field];
    if (value === undefined || sameSetting(value, before[field])) return [];
    // Field and values belong together by construction, which TypeScript can not follow through an index.
    return [{ field, before: before[field], after: value } as Edit];
  });
}

/** Every setting of a key that does not exist yet: what is declared, else the gateway's default, explicitly. */
export function settingsOfNew(desired: DesiredKey, quotaPerUnit: Decimal): KeySettings {
  const ceiling = desired.budget
    ? initialCeiling(desired.budget, quotaPerUnit)
    : { unlimited: false, remain: quota(0) };
  return {
    group: '',
    crossGroupRetry: false,
    models: null,
    allowIps: null,
    expires: null,
    smartRouting: false,
    smartRouteTiers: '',
    ...managed(desired),
    ...ceiling,
    name: desired.name,
  };
}

/** Edits as a patch. */
export function patchOf(edits: readonly Edit[]): Partial<KeySettings> {
  return Object.fromEntries(edits.map((edit) => [edit.field, edit.after]));
}
