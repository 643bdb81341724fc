import {
  type Decimal,
  type DesiredKey,
  FIELD_ROWS,
  isPending,
  nameFold,
  type ObservedKey,
  oncePer,
  type PlanNote,
  type PlanNoteCode,
  type Quota,
  tryParseGeneration,
  tryParseInstant,
  usdFromQuota,
} from '../../../../domain/index.ts';
import { isObject, type TerraformObject } from '../../../codec/value.ts';
import type { OperationContext, ResourceInstance } from '../../../provider/definition.ts';
import type { DiagnosticContent } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { recognizeOwn } from '../creates/recognize-own.ts';
import { leftUnder } from '../names/generated-name.ts';
import { nameExists } from '../names/name-taken.ts';
import { privateOf } from '../private-data.ts';
import { undeclarable } from '../values/fields.ts';
import type { Observation } from '../values/state.ts';
import type { Comparison } from './compare.ts';
import { warnOfEnable } from './enabling.ts';
import { rejectStayingName, warnOfUnplanned } from './on-destroy.ts';
import { createdAgain } from './relabeled.ts';

type WarningContext = Pick<OperationContext<Client>, 'client' | 'warn'>;

interface NoteWarning {
  readonly path: string;
  readonly detail?: string;
  /** Shown once for each run, because it is not about one key. */
  readonly isOnce?: true;
  /** The limit whose absence makes verification pointless. */
  readonly silencedBy?: 'allowUnknownGroups' | 'allowUnknownModels';
}

const NOTE_WARNINGS: Partial<Record<PlanNoteCode, NoteWarning>> = {
  'expired-as-declared': { path: 'expires_at', detail: 'The gateway rejects the key and cannot enable it.' },
  'exhausted-as-declared': { path: 'budget', detail: 'The gateway rejects the key and cannot enable it.' },
  'budget-unverified': { path: 'budget' },
  'log-incomplete': {
    path: 'budget',
    detail: 'If the usage log has an entry for everything that was spent, set `assume_log_complete` in the provider.',
  },
  'groups-unverified': { path: 'group', isOnce: true, silencedBy: 'allowUnknownGroups' },
  'models-unverified': {
    path: 'models',
    detail:
      'Set `models_key` in the provider, or KEYPLANE_MODELS_KEY, to an API key that may use every model from this address. To accept models without verification, set `allow_unknown_models = true` in the provider.',
    isOnce: true,
    silencedBy: 'allowUnknownModels',
  },
};

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The attribute that a note is about, with what to do where that is to remove it. */
function attributeWarning({ code, path: [field] = [] }: PlanNote): NoteWarning | undefined {
  const path = FIELD_ROWS.find(([name]) => name === field)?.[1].terraform;
  if (path === undefined) return undefined;
  if (code === 'not-held') return { path };
  if (code !== 'not-supported') return undefined;
  return { path, detail: `Remove \`${path}\`, or every plan will show it again.` };
}

/** Warns of a plan's notes. Summaries do not name the key: core does, and groups equal ones. */
export function warnOfNotes(notes: readonly PlanNote[], { client, warn }: WarningContext): void {
  for (const note of notes) {
    const { code, message } = note;
    const {
      path,
      detail,
      isOnce = false,
      silencedBy,
    } = attributeWarning(note) ?? NOTE_WARNINGS[code] ?? { path: 'name' };
    if (silencedBy !== undefined && client.limits[silencedBy] === true) continue;
    if (isOnce && client.run.shownWarnings.has(code)) continue;
    client.run.shownWarnings.add(code);
    warn({ summary: sentence(message), path: [path], ...(detail === undefined ? {} : { detail }) });
  }
}

/**
 * Warns of live values that no configuration can hold. The state has null for them, which would look like an omitted
 * attribute, or like no restriction.
 */
export function warnOfUndeclarable(
  { key, quotaPerUnit }: Pick<Observation, 'key' | 'quotaPerUnit'>,
  { warn }: Pick<WarningContext, 'warn'>,
): void {
  for (const [attribute, reason] of undeclarable(key, quotaPerUnit)) {
    // The state has the name of the key that rotates, or a plan rejects the resource.
    if (attribute === 'name' && tryParseGeneration(key.name)) continue;
    warn({
      summary: `The live \`${attribute}\` of the key ${JSON.stringify(key.name)} cannot be declared: ${reason}`,
      detail: `Its value in the state is null. As long as the configuration omits \`${attribute}\`, the key keeps its live value.`,
      path: [attribute],
    });
  }
}

/** Shown in the plan and at the apply. */
export const adoption = (id: number): DiagnosticContent => ({
  summary: `Adopts the key ${id}, which an interrupted run created`,
  detail:
    'Its name and settings are exactly those that the run sent, it is newer than every key that the run had listed, and it was never used. No second key is created.',
  path: ['name'],
});

const orphan = (name: string, id: number): DiagnosticContent => ({
  summary: `An interrupted run created the key ${id} (${JSON.stringify(name)}) with this prefix and other settings`,
  detail:
    'It is not adopted: another resource may have sent it. If this resource did, import the key by its ID. If no state has it, delete it at the gateway.',
  path: ['name_prefix'],
});

/** The keys of a list by their case-folded names: a plan of many new keys looks each of them up. */
const keysByFold = oncePer((keys: readonly ObservedKey[]): ReadonlyMap<string, readonly ObservedKey[]> => {
  const named = new Map<string, ObservedKey[]>();
  for (const key of keys) {
    const same = named.get(nameFold(key.name));
    if (same) same.push(key);
    else named.set(nameFold(key.name), [key]);
  }
  return named;
});

/** Warns of a name that exists already, or nearly. Not an error: another resource may release it in the same run. */
export async function warnOfName(name: string, { client, warn }: WarningContext): Promise<void> {
  const { store, run } = client;
  const [fold, path] = [nameFold(name), ['name']];
  const other = run.plannedNames.get(fold);
  run.plannedNames.set(fold, name);
  if (other !== undefined) {
    const detail = other === name ? 'Only one of them can.' : `${JSON.stringify(other)} differs from it only by case.`;
    warn({ summary: `Two resources create keys with the same name: ${JSON.stringify(name)}`, detail, path });
  }
  rejectStayingName(name, run);
  warnOfUnplanned(name, { client, warn });
  const former = [...run.plannedDeletes].find(([, deleted]) => deleted === name);
  if (former) return warn({ ...createdAgain(...former), path });
  const keys = await store.recent();
  const named = (keysByFold(keys).get(fold) ?? []).filter(({ id }) => !run.managedIds.has(id));
  const [existing] = named;
  if (existing === undefined) return;
  const own = await recognizeOwn(name, client, keys);
  if (own?.state === 'own') return warn(adoption(own.key.id));
  const same = named.filter((key) => key.name === name).map(({ id }) => id);
  if (same.length > 0) return warn(nameExists(same.sort((a, b) => a - b)));
  const detail = `It is a different key, named ${JSON.stringify(existing.name)}; the names differ only by case.`;
  warn({ summary: `A key with this name already exists (id ${existing.id})`, detail, path });
}

/** Warns of the key that a killed process made under the prefix of a new one, which adopts it, or which a person must judge. */
export async function warnOfPrefix(
  prefix: string,
  desired: DesiredKey,
  { client, warn }: WarningContext,
): Promise<void> {
  const { plannedAdoptions } = client.run;
  const left = await leftUnder(prefix, desired, client);
  const own = left.find(({ name, found, isSame }) => isSame && found.state === 'own' && !plannedAdoptions.has(name));
  if (own?.found.state === 'own') {
    plannedAdoptions.add(own.name);
    return warn(adoption(own.found.key.id));
  }
  for (const { name, found, isSame } of left) {
    if (found.state !== 'own' || isSame || client.run.managedIds.has(found.key.id)) continue;
    warn(orphan(name, found.key.id));
  }
}

const money = (units: Quota, rate: Decimal): string => `$${usdFromQuota(units, rate)} (${units} units)`;

/** Explains a new ceiling without a configured change: a window began, it ran low, or somebody changed it. */
function ceilingWarning({ plan: { changes, quotaPerUnit }, observed }: Comparison): DiagnosticContent | undefined {
  // The last key is the one of the resource, where it has generations.
  const live = observed.keys.at(-1);
  const own = changes.filter(isPending).filter((change) => 'id' in change && change.id === live?.id);
  const edits = own.flatMap((change) => ('edits' in change ? change.edits : []));
  const edit = edits.find(({ field }) => field === 'remain' || field === 'unlimited');
  if (edit === undefined || edit.after === true || live === undefined) return undefined;
  const before = live.unlimited ? 'The key has no ceiling' : `${money(live.remain, quotaPerUnit)} remain`;
  const after = edit.field === 'remain' ? edit.after : live.remain;
  const detail = `${before}, and its budget leaves ${money(after, quotaPerUnit)}.`;
  return { summary: 'The remaining quota will be reset to match the budget', detail, path: ['budget'] };
}

const isInitial = (budget: TerraformObject[string] = null): boolean => isObject(budget) && budget.initial === true;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

interface PlannedChange {
  readonly prior?: ResourceInstance;
  readonly planned: TerraformObject;
  readonly comparison: Comparison;
}

/** Warns of effects that the changed attributes do not show. */
export function warnOfChange({ prior, planned, comparison }: PlannedChange, { client, warn }: WarningContext): void {
  const { expires_at: expires, budget } = planned;
  const at = typeof expires === 'string' ? tryParseInstant(expires) : undefined;
  if (prior === undefined) {
    if (at !== undefined && at <= client.now()) warn({ summary: 'The expiry is in the past', path: ['expires_at'] });
    return;
  }
  const isSameBudget = privateOf(prior).budgetDrifted === true || isSame(prior.state.budget, budget);
  if (!isSameBudget && isInitial(budget)) {
    warn({ summary: '`initial` applies only at creation: the remaining quota does not change', path: ['budget'] });
  }
  const warning = isSameBudget ? ceilingWarning(comparison) : undefined;
  if (warning) warn(warning);
  warnOfEnable(comparison, warn);
}
