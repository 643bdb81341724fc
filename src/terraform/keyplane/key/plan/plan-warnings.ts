import {
  type Decimal,
  type DesiredKey,
  type Diagnostic,
  type Fault,
  FIELD_ROWS,
  type GuardCode,
  isPending,
  nameFold,
  type ObservedKey,
  type PlanNote,
  type PlanNoteCode,
  type Quota,
  tryParseInstant,
  usdFromQuota,
} from '../../../../domain/index.ts';
import { guard } from '../../../../reconcile/index.ts';
import { isObject, isWhollyKnown, type TerraformObject } from '../../../codec/value.ts';
import type { OperationContext, ResourceInstance } from '../../../provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { recognizeOwn } from '../creates/recognize-own.ts';
import { privateOf } from '../find-live.ts';
import { leftUnder } from '../names/generated-name.ts';
import { nameExists } from '../names/name-taken.ts';
import { undeclarable } from '../values/fields.ts';
import type { Observation } from '../values/state.ts';
import type { Comparison } from './compare.ts';
import { rejectStayingName } from './on-destroy.ts';
import { createdAgain } from './relabeled.ts';

type WarningContext = Pick<OperationContext<Client>, 'client' | 'warn'>;

const lift = (argument: string): string => `If it is correct, set \`${argument} = true\` in the provider.`;

const REMEDIES: Partial<Record<GuardCode, { readonly path: string; readonly detail: string }>> = {
  'guard.unknown-group': { path: 'group', detail: lift('allow_unknown_groups') },
  'guard.unknown-model': { path: 'models', detail: lift('allow_unknown_models') },
  'guard.no-budget': { path: 'budget', detail: 'Set a `budget`; `{ unlimited = true }` sets no ceiling.' },
};

/** The attribute of the field that a rule of a policy is about. */
const attributeOf = ({ path: [field] = [] }: Diagnostic): string =>
  FIELD_ROWS.find(([name]) => name === field)?.[1].terraform ?? 'name';

/** A value that is not known yet is judged at the apply. */
const isUnknownYet = (refusal: Diagnostic, config: TerraformObject): boolean =>
  refusal.code === 'guard.policy' && !isWhollyKnown(config[attributeOf(refusal)] ?? null);

/** A key that breaks a rule of a policy, with the place of the rule. */
function againstPolicy(refusal: Diagnostic): DiagnosticContent {
  const { message, expected, hint, place } = refusal;
  const rule = place ? ` The rule: ${place.file}:${place.line}.` : '';
  const attribute = attributeOf(refusal);
  const detail = `Expected ${expected}. ${hint}${rule}`.replaceAll(/`(expires|allowIps)`/g, `\`${attribute}\``);
  return { summary: message.replace('`allowIps`', '`allow_ips`'), detail, path: [attribute] };
}

/** The rules that one resource cannot show to be kept. */
const UNVERIFIED = {
  owner: {
    summary: 'The policy requires an owner, which Terraform configurations do not have',
    detail: 'The rule was not verified. A manifest that reads the configuration can name the owners of keys.',
  },
  totalExposure: {
    summary: 'The policy limits what all keys together can spend, and the provider sees one key at a time',
    detail:
      'Each key was compared with the limit by itself, and their total was not verified. Keyplane judges the total of a configuration in JSON.',
  },
} as const;

/** Warns once of rules that were not verified, or not as a whole. */
export function warnOfUnverifiedRules({ client, warn }: WarningContext): void {
  for (const rule of ['owner', 'totalExposure'] as const) {
    const mark = `rule ${rule}`;
    if (!client.policies?.some((policy) => policy[rule] !== undefined) || client.run.shownWarnings.has(mark)) continue;
    client.run.shownWarnings.add(mark);
    warn(UNVERIFIED[rule]);
  }
}

/** Rejects new keys without a budget, and groups and models that the account does not have. @throws DiagnosticError */
export function guardPlan(
  { plan, desired, observed }: Comparison,
  { limits }: Client,
  config: TerraformObject = {},
): void {
  // A resource owns its one key, and whoever approves the plan sees that this key ends.
  const own = { ...limits, allowLastKey: true, maxDeletes: 1 };
  const refusals = guard(plan, { desired, observed }, own).filter((refusal) => !isUnknownYet(refusal, config));
  if (refusals.length > 0) throw new DiagnosticError(...refusals.map(refusalContent));
}

function refusalContent(refusal: Diagnostic): DiagnosticContent {
  const { code, message } = refusal;
  if (code === 'guard.policy') return againstPolicy(refusal);
  const remedy = REMEDIES[code as GuardCode];
  return remedy === undefined ? { summary: message } : { summary: message, detail: remedy.detail, path: [remedy.path] };
}

const areRefusals = (value: unknown): value is readonly Diagnostic[] => Array.isArray(value) && value.length > 0;

/** The error of a write that the guard refused, at the attributes that it is about; any other fault stays as it is. */
export const refusedPlan = (fault: Fault): DiagnosticError | Fault =>
  fault.code.startsWith('guard.') && areRefusals(fault.detail.refusals)
    ? new DiagnosticError(...fault.detail.refusals.map(refusalContent))
    : fault;

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
function unsupported({ code, path: [field] = [] }: PlanNote): NoteWarning | undefined {
  const path = FIELD_ROWS.find(([name]) => name === field)?.[1].terraform;
  if (code !== 'not-supported' || path === undefined) return undefined;
  return { path, detail: `Remove \`${path}\`, or every plan will show it again.` };
}

/** Warns of a plan's notes. Summaries do not name the key: core does, and groups equal ones. */
export function warnOfNotes(notes: readonly PlanNote[], { client, warn }: WarningContext): void {
  for (const note of notes) {
    const { code, message } = note;
    const { path, detail, isOnce = false, silencedBy } = unsupported(note) ?? NOTE_WARNINGS[code] ?? { path: 'name' };
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
const byFold = new WeakMap<readonly ObservedKey[], ReadonlyMap<string, readonly ObservedKey[]>>();

function keysNamed(fold: string, keys: readonly ObservedKey[]): readonly ObservedKey[] {
  const known = byFold.get(keys);
  if (known !== undefined) return known.get(fold) ?? [];
  const named = new Map<string, ObservedKey[]>();
  for (const key of keys) {
    const same = named.get(nameFold(key.name));
    if (same) same.push(key);
    else named.set(nameFold(key.name), [key]);
  }
  byFold.set(keys, named);
  return named.get(fold) ?? [];
}

/** Warns of a name that exists already, or nearly. Not an error: another resource may release it in the same run. */
export async function warnOfName(name: string, { client, warn }: WarningContext): Promise<void> {
  const { store, run } = client;
  const [fold, path] = [nameFold(name), ['name']];
  const other = run.plannedNames.get(fold);
  run.plannedNames.set(fold, name);
  if (other !== undefined) {
    const detail = other === name ? 'Only one of them can.' : `${JSON.stringify(other)} differs from it only by case.`;
    warn({ summary: 'Two resources create keys with the same name', detail, path });
  }
  rejectStayingName(name, run);
  const former = [...run.plannedDeletes].find(([, deleted]) => deleted === name);
  if (former) return warn({ ...createdAgain(...former), path });
  const keys = await store.recent();
  const named = keysNamed(fold, keys).filter(({ id }) => !run.managedIds.has(id));
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

/** Warns of a key that will be enabled again. The summary names it, because core groups warnings with one summary. */
function warnOfEnable({ observed, plan }: Comparison, warn: WarningContext['warn']): void {
  const enables = plan.changes.some((change) => change.verb === 'enable' && change.reason !== 'repaired');
  const key = observed.keys.at(-1);
  if (!enables || !key) return;
  warn({
    summary: `The disabled key ${JSON.stringify(key.name)} (id ${key.id}) will be enabled`,
    detail:
      'If someone disabled it because its credential leaked, this makes the credential valid again. To keep it disabled, set `enabled = false`, or remove the attribute.',
    path: ['enabled'],
  });
}

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
