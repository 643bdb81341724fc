import {
  type DesiredKey,
  type DesiredState,
  Fault,
  type Guardrails,
  isPending,
  type KeyId,
  type ObservedKey,
  type ObservedState,
  type Plan,
  type PlanNote,
  type UnixSeconds,
} from '../../../../domain/index.ts';
import { driftOf, observe, type Preview, plan, preview } from '../../../../reconcile/index.ts';
import { DiagnosticError } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';

/** A resource has no owner: the rule applies where a manifest reads the configuration. */
const withoutOwner = ({ owner: _, ...guardrails }: Guardrails): Guardrails => guardrails;

/** A resource owns only its one key: it never prunes another, and `lifecycle` replaces the protection. */
export const singleKey = (key: DesiredKey, policies: readonly Guardrails[] = []): DesiredState => ({
  keys: [key],
  ...(policies.length > 0 ? { policies: policies.map(withoutOwner) } : {}),
  ownership: { prune: 'never', protect: [] },
});

/** One key with its declaration and the plan that follows, which only a write needs whole. */
export interface Comparison<P extends Preview = Preview> {
  readonly desired: DesiredState;
  readonly observed: ObservedState;
  readonly plan: P;
}

export const logOptions = ({ maxLogPages, assumeLogComplete = false }: Client) => ({
  assumeLogComplete,
  ...(maxLogPages === undefined ? {} : { maxLogPages }),
});

const AMOUNT_REMEDIES: Readonly<Record<string, string>> = {
  'plan.amount-too-small': 'Set `usd = 0`, or an amount of at least one unit.',
  'plan.amount-too-large': 'Set a smaller amount, or `unlimited = true`.',
};

/** Adds the attribute to the faults that are about one. */
export function atBudget(thrown: unknown): unknown {
  if (!(thrown instanceof Fault)) return thrown;
  const remedy = AMOUNT_REMEDIES[thrown.code];
  if (remedy !== undefined) return new DiagnosticError({ summary: thrown.message, detail: remedy, path: ['budget'] });
  if (thrown.code !== 'plan.usage-too-long') return thrown;
  const detail =
    'Raise `max_log_pages` in the provider, or give these keys a budget with a shorter window, `initial` or `below`.';
  return new DiagnosticError({ summary: thrown.message, detail, path: ['budget'] });
}

/** Leaves a budget unjudged whose log is too long for that: a plan that needs the log reports it. */
export const unlessTooLong = (thrown: unknown): undefined => {
  if (thrown instanceof DiagnosticError) return undefined;
  throw thrown;
};

const rethrow = (thrown: unknown): never => {
  throw atBudget(thrown);
};

/** Terraform shows every enable as a change of `enabled`, which somebody approves. */
const permissionsOf = ({ keys }: DesiredState) => ({ allowEnable: keys.map(({ name }) => name) });

export const isUsedUp = ({ code }: PlanNote): boolean => code === 'exhausted-as-declared';

/** Without a declared budget, a key may be used up at any time. */
const hasBudget = ({ keys }: DesiredState): boolean => keys.some(({ budget }) => budget !== undefined);

/** A former key that ends as planned is not worth a warning in each plan. */
const isInOverlap = ({ changes }: Preview): boolean =>
  changes.every(
    ({ verb, ...change }) => verb !== 'retain' || ('reason' in change && AS_PLANNED.includes(change.reason)),
  );

const AS_PLANNED: readonly unknown[] = ['overlap', 'already-disabled', 'use-counts'];

/** @throws DiagnosticError for a budget that is too small for the gateway’s rate; Fault */
function planOf<P extends Preview>(
  make: (...sides: Parameters<typeof plan>) => P,
  { desired, observed, now }: Omit<Comparison, 'plan'> & { readonly now: UnixSeconds },
): P {
  try {
    const made = make(desired, observed, now, permissionsOf(desired));
    const isShown = (note: PlanNote): boolean => {
      if (note.code === 'old-generation') return !isInOverlap(made);
      // Whoever approved the create was warned, and the rest of the window needs no warning in each plan.
      if (note.code === 'former-use') return made.changes.some(({ verb }) => verb === 'create');
      return !isUsedUp(note) || hasBudget(desired);
    };
    return { ...made, notes: made.notes.filter(isShown) };
  } catch (thrown) {
    throw atBudget(thrown);
  }
}

/** A key with all its generations, where it rotates. */
type Live = ObservedKey | readonly ObservedKey[] | undefined;

/** Plans one key by the rules of every plan. @throws DiagnosticError, Fault */
export async function compareKey(key: DesiredKey, live: Live, client: Client): Promise<Comparison> {
  const sides = await observeKey(key, live, client);
  return { ...sides, plan: planOf(preview, { ...sides, now: client.now() }) };
}

/** Plans the write of one key. @throws as {@link compareKey} does */
export async function planWrite(key: DesiredKey, live: Live, client: Client): Promise<Comparison<Plan>> {
  const sides = await observeKey(key, live, client);
  return { ...sides, plan: planOf(plan, { ...sides, now: client.now() }) };
}

async function observeKey(key: DesiredKey, live: Live, client: Client): Promise<Omit<Comparison, 'plan'>> {
  const { store, now } = client;
  const desired = singleKey(key, client.policies);
  const quotaPerUnit = await store.quotaPerUnit();
  const keys = live === undefined ? [] : [live].flat();
  const known = { quotaPerUnit, keys };
  const [only, ...others] = keys;
  const source = only && others.length === 0 ? { ...store, usage: () => store.usageOf(only) } : store;
  return {
    desired,
    observed: await observe(source, desired, { now: now(), known, ...logOptions(client) }).catch(rethrow),
  };
}

/** Compares a new key, of which the account must have the group and the models. @throws as {@link compareKey} does */
export async function compareNew(key: DesiredKey, client: Client): Promise<Comparison> {
  const { store, now } = client;
  const desired = singleKey(key, client.policies);
  const [quotaPerUnit, groups, models] = await Promise.all([
    store.quotaPerUnit(),
    key.group ? store.groups() : undefined,
    key.models ? store.models().catch(unverifiable) : undefined,
  ]);
  const known = { quotaPerUnit, keys: [], ...(groups && { groups }), ...(models && { models }) };
  const observed = await observe(store, desired, { now: now(), known, ...logOptions(client) }).catch(rethrow);
  return { desired, observed, plan: planOf(preview, { desired, observed, now: now() }) };
}

/** Returns what former keys of a new key’s name used of its allowance, by its comparison. */
export const formerUseOf = ({ observed, desired: { keys } }: Pick<Comparison, 'observed' | 'desired'>): number =>
  keys.reduce((sum, { name }) => sum + (observed.formerUse?.get(name) ?? 0), 0);

const writes = ({ changes }: Preview, field: 'group' | 'models'): boolean =>
  changes.some(
    (change) =>
      (change.verb === 'create' && Boolean(change.settings[field])) ||
      ('edits' in change && change.edits.some((edit) => edit.field === field && Boolean(edit.after))),
  );

/** The gateway lists models to keys only, and the key for that may be invalid or restricted. */
const unverifiable = (thrown: unknown): never => {
  if (!(thrown instanceof Fault) || thrown.code === 'gateway.unreachable') throw thrown;
  throw new DiagnosticError({
    summary: 'The models cannot be verified with the API key of the provider',
    detail: `${thrown.message} Set \`models_key\` or KEYPLANE_MODELS_KEY to a key that may use every model from this address, or unset it.`,
    path: ['models'],
  });
};

/** Adds the account’s groups and models, which it reads only when the plan writes some. */
export async function withAccountOffer(comparison: Comparison, { store, now }: Client): Promise<Comparison> {
  const [groups, models] = await Promise.all([
    writes(comparison.plan, 'group') ? store.groups() : undefined,
    writes(comparison.plan, 'models') ? store.models().catch(unverifiable) : undefined,
  ]);
  if (groups === undefined && models === undefined) return comparison;
  const observed = { ...comparison.observed, ...(groups && { groups }), ...(models && { models }) };
  return { ...comparison, observed, plan: planOf(preview, { ...comparison, observed, now: now() }) };
}

export const isInSync = ({ plan: { changes } }: Comparison): boolean => !changes.some(isPending);

const CEILING: readonly string[] = ['unlimited', 'remain'];

/**
 * Determines whether somebody changed what the key may spend, or its budget was never in force. A refill that is due is neither.
 *
 * @param id the only generation that counts. Omitted: each does
 */
export function hasOtherBudget(sides: Omit<Comparison, 'plan'>, client: Client, id?: KeyId): boolean {
  const context = { ...sides, now: client.now() };
  return driftOf(planOf(plan, context), context).changes.some(
    (change) =>
      isPending(change) &&
      'edits' in change &&
      (id === undefined || change.id === id) &&
      change.edits.some(({ field }) => CEILING.includes(field)),
  );
}
