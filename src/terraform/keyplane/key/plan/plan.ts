import { type DesiredKey, isPending, LIFETIME } from '../../../../domain/index.ts';
import { isSameValue } from '../../../codec/same-value.ts';
import { isObject, isWhollyKnown, type TerraformObject, type TerraformValue, UNKNOWN } from '../../../codec/value.ts';
import type { OperationContext, ProposedChange, ResourceInstance } from '../../../provider/definition.ts';
import { DiagnosticError } from '../../../provider/diagnostics.ts';
import { attributesToReplace } from '../../../provider/planned.ts';
import { attributeType } from '../../../provider/schema.ts';
import type { Client } from '../../client.ts';
import { findGenerations, idOf, mayHaveSeveral } from '../find-live.ts';
import { nameWithPrefix, prefixOf, sampleName } from '../names/generated-name.ts';
import { NAMELESS } from '../names/name-taken.ts';
import { privateOf } from '../private-data.ts';
import { isRotating } from '../rotation/block.ts';
import { type LiveGenerations, presentNameOf } from '../rotation/generations.ts';
import { noteFormer, rejectMixed, warnOfRenamedGenerations } from '../rotation/keep-apart.ts';
import { asRefreshed, withRotation } from '../rotation/planned.ts';
import { isProvable } from '../rotation/prove.ts';
import { KEY_SCHEMA } from '../schema.ts';
import { isSameDeclaration } from '../values/declared.ts';
import { decodeKey, INITIAL_VALUES, MANAGED_ROWS } from '../values/fields.ts';
import { withOrigin } from '../values/origin.ts';
import { type Comparison, compareKey, compareNew, isUsedUp, withAccountOffer } from './compare.ts';
import { rejectUnseenEnable } from './enabling.ts';
import { noteStaying, stays } from './on-destroy.ts';
import { warnOfChange, warnOfName, warnOfNotes, warnOfPrefix } from './plan-warnings.ts';
import { guardPlan, guardUnread, warnOfUnverifiedRules } from './refusals.ts';
import { noteKept, rejectShared } from './relabeled.ts';
import { warnOfReleased } from './released.ts';

const STATUS_ATTRIBUTES = ['status', 'stored_status'];
/** An edit of these may make a rotation due that was not. */
const ROTATION_EDITS = ['rotation', 'enabled'];
/** The time within which people apply most plans that they saved. */
const SAVED_PLAN_SECONDS = 7 * 86_400;
const FIGURES = ['remaining_quota', 'used_quota'];

const isChanged = (name: string, prior: TerraformObject, planned: TerraformObject): boolean => {
  const attribute = KEY_SCHEMA.attributes[name];
  return attribute !== undefined && !isSameValue(prior[name] ?? null, planned[name] ?? null, attributeType(attribute));
};

/** A budget that no refill raises. */
const isSteady = (budget: TerraformValue = null): boolean =>
  !isObject(budget) || ((budget.per === null || budget.per === LIFETIME) && budget.below === null);

/**
 * Determines whether an update leaves what the key may spend as it is. Decides by what is the same when core plans again right
 * before it applies: the live key may have changed by then.
 */
const leavesFigures = (prior: ResourceInstance, planned: TerraformObject): boolean =>
  (prior.state.status ?? null) !== null &&
  privateOf(prior).budgetDrifted !== true &&
  isSteady(planned.budget) &&
  !isChanged('budget', prior.state, planned);

/**
 * Marks the status as unknown once anything changes, and the figures unless the update leaves them. By the time core applies,
 * the key may have been used: a value planned now might not hold. Figures that are left are those of the state.
 */
function withUnknownUsage(prior: ResourceInstance, planned: TerraformObject): TerraformObject {
  const unknown = leavesFigures(prior, planned) ? STATUS_ATTRIBUTES : [...STATUS_ATTRIBUTES, ...FIGURES];
  return { ...planned, ...Object.fromEntries(unknown.map((name) => [name, UNKNOWN])) };
}

/** Warns of what is known about the name of a new key. */
async function warnOfNewName(
  name: string,
  desired: DesiredKey,
  { client, warn }: Pick<OperationContext<Client>, 'client' | 'warn'>,
  prefix?: string,
) {
  if (prefix === undefined) return await warnOfName(name, { client, warn });
  return await warnOfPrefix(prefix, desired, { client, warn });
}

async function planNew(
  { config, planned }: ProposedChange,
  context: OperationContext<Client | undefined>,
): Promise<TerraformObject> {
  const omitted = Object.entries(INITIAL_VALUES).filter(([name]) => (config[name] ?? null) === null);
  const complete = { ...planned, ...Object.fromEntries(omitted), enabled: config.enabled ?? true };
  const { name: written = null, name_prefix: begin = null } = config;
  if (written === null && begin === null) throw new DiagnosticError(NAMELESS);
  const { client, warn } = context;
  const prefix = prefixOf(config);
  const name = prefix === undefined ? planned.name : sampleName(prefix);
  // Nothing can be judged by a name that is not known yet.
  if (client === undefined || typeof name !== 'string') return complete;
  const desired = decodeKey({ ...config, name });
  const comparison = await compareNew(desired, client);
  // A budget that is not known yet is not missing.
  const notes = comparison.plan.notes.filter(({ code }) => code !== 'no-budget' || (config.budget ?? null) === null);
  guardPlan({ ...comparison, plan: { ...comparison.plan, notes } }, client, config);
  warnOfUnverifiedRules({ client, warn });
  await warnOfNewName(name, desired, { client, warn }, prefix);
  warnOfNotes(notes, { client, warn });
  warnOfChange({ planned: complete, comparison }, { client, warn });
  return complete;
}

/** Keeps the prior spelling of equivalent JSON: core accepts the prior value in place of the configured one. */
function equivalentJson({ prior, config }: ProposedChange): TerraformObject {
  const same = MANAGED_ROWS.flatMap(([, row]) => {
    const [before, after] = [prior?.state[row.terraform], config[row.terraform]];
    if (row.kind !== 'json' || typeof before !== 'string' || typeof after !== 'string') return [];
    return isSameDeclaration(row.terraform, before, after) ? [[row.terraform, before]] : [];
  });
  return Object.fromEntries(same);
}

/** The name with another prefix. A name that is not configured at all is not managed. */
function plannedName({ prior, config, planned }: ProposedChange): TerraformValue {
  const { name_prefix: prefix = null } = config;
  const { name = null } = prior?.state ?? {};
  if ((config.name ?? null) !== null || prefix === null) return planned.name ?? null;
  if (typeof prefix !== 'string' || typeof name !== 'string') return UNKNOWN;
  return nameWithPrefix(name, prefix) ?? UNKNOWN;
}

/** The values that follow from the schema, except that a budget is unmanaged once its line is removed. */
function plannedAttributes(change: ProposedChange): TerraformObject {
  const { prior, config } = change;
  const planned = { ...change.planned, ...equivalentJson(change), name: plannedName(change) };
  return config.budget === null && prior && !privateOf(prior).imported ? { ...planned, budget: null } : planned;
}

/**
 * Did the last refresh find the key as its state declares it? Then a plan without an edit changes nothing, and need not compare it
 * again: that takes longer than to refresh it. A key that was refreshed in this run is judged by the policies, though. After
 * `-refresh=false`, which core does not report, and in the plan of an apply it was not: there the state counts.
 */
function isSettled(prior: ResourceInstance, { run, policies = [] }: Client): boolean {
  const id = idOf(prior);
  const { due = false, imported = false, unproven = false } = privateOf(prior);
  if (id === undefined || due || imported || unproven || prior.state.enabled === null) return false;
  // Only the live name shows whose key it is.
  if (prior.state.name === null) return false;
  // Only a comparison with all generations shows whether one of them is to end.
  return !run.managedIds.has(id) || (policies.length === 0 && !mayHaveSeveral(prior));
}

/** Plans a key as its state has it. The policies judge its declaration all the same. @throws DiagnosticError */
async function planUnread(change: ProposedChange, client: Client): Promise<TerraformObject> {
  await guardUnread(change, client);
  return change.planned;
}

/** Warns of a key that another one replaces and that is not deleted. Core does not pass `-replace` on to providers. */
function warnOfStaying(
  prior: ResourceInstance,
  planned: TerraformObject,
  warn: OperationContext<unknown>['warn'],
): void {
  const staying = attributesToReplace(KEY_SCHEMA, prior.state, planned).length > 0 ? stays(prior) : undefined;
  if (staying) warn(staying);
}

/** Finds the keys of a resource. Undefined when they are gone. @throws DiagnosticError, Fault */
async function findOwn(
  { config, planned }: Pick<ProposedChange, 'config' | 'planned'>,
  prior: ResourceInstance,
  { client, warn }: Pick<OperationContext<Client>, 'client' | 'warn'>,
): Promise<LiveGenerations | undefined> {
  const found = await findGenerations(prior, client, planned);
  await warnOfRenamedGenerations(prior, found, { client, warn });
  if (found === undefined) return undefined;
  await rejectMixed({ config, prior }, found, client);
  noteFormer(prior, found, client.run);
  return found;
}

interface ComparedKey {
  readonly prior: ResourceInstance;
  readonly planned: TerraformObject;
  readonly found: LiveGenerations;
  readonly comparison: Comparison;
}

const isRotationEdited = ({ prior, planned }: Pick<ComparedKey, 'prior' | 'planned'>): boolean =>
  ROTATION_EDITS.some((name) => isChanged(name, prior.state, planned));

/**
 * Marks what a rotation changes, now or until the apply: core rejects one that changes what its plan showed as known, and with an edit
 * the last refresh cannot decide what is due.
 */
async function withDueRotation({ prior, planned, found, comparison }: ComparedKey, client: Client) {
  const { current, all } = found;
  const isEdited = isRotating(planned) && isRotationEdited({ prior, planned });
  const [key] = comparison.desired.keys;
  const atLatest = { ...client, now: () => client.now() + SAVED_PLAN_SECONDS };
  const later = isEdited && key ? [...(await compareKey(key, all, atLatest)).plan.changes] : [];
  // Another run may have rotated the key since the last refresh, and a value that is not known yet may make it due.
  const mayBeOther = current.id !== prior.state.id || (isRotating(planned) && !isWhollyKnown(planned));
  return withRotation(withUnknownUsage(prior, planned), {
    changes: [...comparison.plan.changes, ...later],
    mayBeOther,
    mayEnd: isEdited && all.length > 1,
  });
}

/** Plans a key: configured attributes that changed, and live settings that drifted. @throws DiagnosticError, Fault */
export async function planKey(
  change: ProposedChange,
  context: OperationContext<Client | undefined>,
): Promise<TerraformObject> {
  const { prior, config } = change;
  if (prior === undefined) return await planNew(change, context);
  const { client, warn } = context;
  if (client) noteKept(prior, client);
  const planned = plannedAttributes(change);
  if (client) noteStaying(prior, typeof planned.name === 'string' ? planned.name : undefined, client.run);
  warnOfStaying(prior, planned, warn);
  const isReleased = warnOfReleased(change, context);
  const isEdited =
    isReleased ||
    !isWhollyKnown(planned) ||
    Object.keys(KEY_SCHEMA.attributes).some((name) => isChanged(name, prior.state, planned));
  if (client && !isEdited && isSettled(prior, client)) return await planUnread({ ...change, planned }, client);
  const found = client && (await findOwn({ config, planned }, prior, { client, warn }));
  if (client === undefined || found === undefined) return isEdited ? withUnknownUsage(prior, planned) : planned;
  const { current: live, all } = found;
  rejectShared(prior, live, client.run);
  const isRefreshed = client.run.managedIds.has(idOf(prior) ?? 0);
  for (const each of all) {
    client.run.managedIds.add(each.id);
    await client.creates?.stored(each);
  }
  const name = presentNameOf(planned, prior.state, found);
  const desired = withOrigin(decodeKey({ ...config, name: planned.name ?? null }, name), prior);
  const compared = await withAccountOffer(await compareKey(desired, all, client), client);
  // What came due after the last refresh waits for the next plan, unless an edit made it due: core plans again right before it applies.
  const isSeen = isRefreshed || isRotationEdited({ prior, planned });
  const comparison = isSeen ? compared : asRefreshed(compared, prior);
  rejectUnseenEnable(prior, comparison);
  guardPlan(comparison, client, config);
  warnOfUnverifiedRules({ client, warn });
  const mustProve = privateOf(prior).unproven === true && isProvable(desired);
  if (!isEdited && !mustProve && !comparison.plan.changes.some(isPending)) {
    if (privateOf(prior).imported) warnOfNotes(comparison.plan.notes.filter(isUsedUp), { client, warn });
    return planned;
  }
  warnOfNotes(comparison.plan.notes, { client, warn });
  warnOfChange({ prior, planned, comparison }, { client, warn });
  return await withDueRotation({ prior, planned, found, comparison }, client);
}
