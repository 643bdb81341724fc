import {
  type Change,
  type Decimal,
  declarableEnabled,
  effectiveStatus,
  maskOf,
  type ObservedKey,
  type Plan,
  quota,
  renderInstant,
  type UnixSeconds,
  type Verb,
} from '../../../../domain/index.ts';
import { diff } from '../../../../reconcile/index.ts';
import { isWhollyKnown, type TerraformObject, type TerraformValue } from '../../../codec/value.ts';
import type { Client } from '../../client.ts';
import { isDated, isGenerationOf } from '../rotation/generations.ts';
import { LOCAL_ATTRIBUTES } from '../schema.ts';
import { decodeKey, encodeLive, liveNameProblem, MANAGED_ROWS, settingsOf } from './fields.ts';

/** A live key with the context that its state depends on. */
export interface Observation {
  readonly key: ObservedKey;
  readonly quotaPerUnit: Decimal;
  readonly now: UnixSeconds;
  /** The names of its former generations, the oldest first. */
  readonly old?: readonly string[];
}

/** @param generations all of the key, where it rotates */
export const observationOf = async (
  key: ObservedKey,
  { store, now }: Client,
  generations: readonly ObservedKey[] = [],
): Promise<Observation> => ({
  key,
  quotaPerUnit: await store.quotaPerUnit(),
  now: now(),
  old: generations.filter(({ id }) => id !== key.id).map(({ name }) => name),
});

/** The attributes that change while a key is used. */
export const usageState = ({ key, now }: Pick<Observation, 'key' | 'now'>): TerraformObject => ({
  status: effectiveStatus(key, now),
  stored_status: key.status,
  remaining_quota: key.unlimited ? null : key.remain,
  used_quota: key.used ?? null,
});

/** The attributes that never change while the key exists, and those of its generations. */
const immutableState = ({ key, old = [] }: Observation): TerraformObject => ({
  id: key.id,
  masked_key: maskOf(key),
  created_at: key.createdAt === undefined ? null : renderInstant(key.createdAt),
  old_generations: old.length === 0 ? null : old,
});

/** Generations that a run has renamed only in part keep the name of their resource. */
const isOwnGeneration = ({ name, rotation = null }: TerraformObject, key: ObservedKey): boolean =>
  isGenerationOf(name, key.name) || (rotation !== null && isDated(key));

/** Null for a name that no configuration may have: an import would generate a file that is invalid as a whole. */
const declarableName = ({ name }: ObservedKey): string | null => (liveNameProblem(name) === undefined ? name : null);

const localValues = (configured: TerraformObject): TerraformObject =>
  Object.fromEntries(LOCAL_ATTRIBUTES.map((name) => [name, configured[name] ?? null]));

const known = (value: TerraformValue | undefined): TerraformValue | undefined =>
  value !== undefined && value !== null && isWhollyKnown(value) ? value : undefined;

/** The settings in which a live key differs from its configured attributes. */
function differingSettings(configured: TerraformObject, { key, quotaPerUnit }: Observation): ReadonlySet<string> {
  const edits = diff(decodeKey(configured, key.name), key, { quotaPerUnit, used: quota(key.used ?? 0) });
  return new Set(edits.map(({ field }) => field));
}

/**
 * The state of a configured key. Configured values that still hold keep their spelling, `203.0.113.7` and not
 * `203.0.113.7/32`; all others are read from the key. A budget is kept, because a refill that is due does not change
 * it: see {@link liveBudget} for another one.
 */
export function declaredState(configured: TerraformObject, observation: Observation): TerraformObject {
  const differing = differingSettings(configured, observation);
  const live = encodeLive(observation.key, observation.quotaPerUnit);
  const fields = MANAGED_ROWS.map(([field, row]): [string, TerraformValue] => {
    const value = known(configured[row.terraform]);
    if (row.kind === 'budget') return [row.terraform, value ?? null];
    const holds = value !== undefined && !settingsOf(field, row).some((setting) => differing.has(setting));
    return [row.terraform, holds ? value : (live[row.terraform] ?? null)];
  });
  return {
    name: isOwnGeneration(configured, observation.key) ? (configured.name ?? null) : declarableName(observation.key),
    ...Object.fromEntries(fields),
    ...localValues(configured),
    ...immutableState(observation),
  };
}

/** The budget that leaves a live key as it is. */
export const liveBudget = ({ key, quotaPerUnit }: Observation): TerraformObject => ({
  budget: encodeLive(key, quotaPerUnit).budget ?? null,
});

/** Does a change end a former generation of a key? */
export const isOfOldGeneration = (change: Change): boolean => 'reason' in change && change.reason === 'rotated';

const STATUS_VERBS: readonly Verb[] = ['enable', 'hold', 'disable'];

/** Returns `enabled` as a declaration has it: a key that expired as declared still counts as enabled. */
export function enabledState(declared: boolean, { changes }: Pick<Plan, 'changes'>, observation: Observation): boolean {
  return changes.some((change) => STATUS_VERBS.includes(change.verb) && !isOfOldGeneration(change))
    ? declarableEnabled(observation.key, observation.now)
    : declared;
}

/** The state of a key without configuration, as an import gives it. */
export const importedState = (observation: Observation): TerraformObject => ({
  name: declarableName(observation.key),
  enabled: declarableEnabled(observation.key, observation.now),
  ...encodeLive(observation.key, observation.quotaPerUnit),
  ...localValues({}),
  ...immutableState(observation),
  ...usageState(observation),
});
