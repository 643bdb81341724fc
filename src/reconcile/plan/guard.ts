import {
  type DesiredState,
  type Diagnostic,
  declaredName,
  errorAt,
  type GuardCode,
  inOneLine,
  isProtectedKey,
  judgePolicies,
  type KeyId,
  type ObservedState,
  type Ownership,
  type Pending,
  pendingChanges,
  type Verb,
} from '../../domain/index.ts';
import { type EndingLimits, massChange } from './mass-change.ts';
import type { Preview } from './plan.ts';
import { isRestore } from './quarantine.ts';

/** The limits of one run. Each lifts a rule that applies by default. */
export interface Limits extends EndingLimits {
  /** Lets a run touch these protected keys, by their names; true: all. */
  readonly allowProtected?: boolean | readonly string[];
  readonly allowUnknownGroups?: boolean;
  readonly allowUnknownModels?: boolean;
}

/**
 * Judges whether a plan is safe to run and returns every reason why it is not; none when it is safe. Pure.
 *
 * `data.names` lists the keys that a reason is about, `data.count` how many keys a mass change would end.
 */
export function guard(
  plan: Preview,
  context: {
    readonly desired: DesiredState;
    readonly observed: Pick<ObservedState, 'keys' | 'groups' | 'models'>;
    /** Keys that an earlier run created to be disabled, and that are not disabled yet. */
    readonly unfinished?: ReadonlySet<KeyId> | undefined;
  },
  limits: Limits,
): readonly Diagnostic[] {
  const changes = pendingChanges(plan);
  return [
    ...massChange({ at: plan.at, changes }, context, limits),
    ...protectedKeys(changes, context.desired.ownership, limits),
    ...unknownGroups(changes, context.observed, limits),
    ...unknownModels(changes, context.observed, limits),
    ...unbudgeted(plan, changes),
    ...againstPolicy(plan, context.desired),
  ];
}

/** The verbs of keys that stay, or come, as their declaration has them. */
const AS_DECLARED: readonly Verb[] = ['create', 'rename', 'update', 'enable', 'hold', 'keep'];

/** No limit lifts this rule: whoever runs a plan is not who sets the policy. */
function againstPolicy(
  { at, quotaPerUnit, changes }: Preview,
  { policies = [], keys }: DesiredState,
): readonly Diagnostic[] {
  if (policies.length === 0) return [];
  const planned = changes.filter(({ verb }) => AS_DECLARED.includes(verb));
  const names = new Set(planned.map(declaredName));
  const judged = keys.filter(({ name }) => names.has(name));
  // A destruction brings nothing that a policy could forbid.
  return judged.length === 0 ? [] : judgePolicies(policies, { keys: judged, all: keys }, { now: at, quotaPerUnit });
}

const refusal = (code: GuardCode, message: string, data: { names: readonly string[]; count?: number }): Diagnostic =>
  errorAt([], code, { message, data });

const namesOf = (changes: readonly Pending[]): string[] => [...new Set(changes.map((change) => change.name))];

function protectedKeys(changes: readonly Pending[], { protect }: Ownership, limits: Limits): Diagnostic[] {
  const { allowProtected = false } = limits;
  if (allowProtected === true) return [];
  const lifted = new Set(allowProtected || []);
  const names = changes.flatMap((change) => {
    const name = change.verb === 'rename' ? change.from : change.name;
    // A key that leaves its quarantine gets its name back.
    const ends =
      (change.verb === 'rename' && !isRestore(change)) || change.verb === 'delete' || change.verb === 'disable';
    const known = declaredName({ ...change, name });
    const isProtected = isProtectedKey(protect, name, change.of);
    return ends && isProtected && !lifted.has(name) && !lifted.has(known) ? [name] : [];
  });
  if (names.length === 0) return [];
  const message = `A protected key would be disabled, deleted or renamed: ${listed(names)}.`;
  return [refusal('guard.protected', message, { names })];
}

/** Returns the edit of one field; undefined when the change leaves the field alone. */
function newly<F extends 'group' | 'models'>(change: Pending, field: F) {
  if (change.verb === 'create') return { before: null, after: change.settings[field] };
  if (change.verb !== 'update' && change.verb !== 'rename') return undefined;
  return change.edits.find((edit) => edit.field === field);
}

function unknownGroups(
  changes: readonly Pending[],
  observed: Pick<ObservedState, 'groups'>,
  limits: Limits,
): Diagnostic[] {
  if (limits.allowUnknownGroups || !observed.groups) return [];
  // An empty group means the account's own, which always exists.
  const known = new Set(['', ...observed.groups.map((group) => group.name)]);
  const wrong = changes.flatMap((change) => {
    const group = newly(change, 'group')?.after;
    return typeof group === 'string' && !known.has(group) ? [{ change, group }] : [];
  });
  if (wrong.length === 0) return [];
  const groups = [...new Set(wrong.map((w) => w.group))];
  const message = `The account does not have these groups: ${listed(groups)}. It has ${listed([...known].filter(Boolean)) || 'none'}.`;
  const names = namesOf(wrong.map((w) => w.change));
  return [refusal('guard.unknown-group', message, { names })];
}

function unknownModels(
  changes: readonly Pending[],
  observed: Pick<ObservedState, 'models'>,
  limits: Limits,
): Diagnostic[] {
  if (limits.allowUnknownModels || !observed.models) return [];
  const known = new Set(observed.models);
  const wrong = changes.flatMap((change) => {
    const edit = newly(change, 'models');
    const had = new Set(Array.isArray(edit?.before) ? edit.before : []);
    const models = (Array.isArray(edit?.after) ? edit.after : []).filter((m: string) => !known.has(m) && !had.has(m));
    return models.length > 0 ? [{ change, models }] : [];
  });
  if (wrong.length === 0) return [];
  const models = [...new Set(wrong.flatMap((w) => w.models))];
  const names = namesOf(wrong.map((w) => w.change));
  const message = `The account does not have these models: ${listed(models)}.`;
  return [refusal('guard.unknown-model', message, { names })];
}

/** No limit lifts this rule: the gateway's default is a key with nothing to spend, and a default must not be unlimited. */
function unbudgeted({ notes }: Preview, changes: readonly Pending[]): Diagnostic[] {
  const without = new Set(notes.filter(({ code }) => code === 'no-budget').map(({ data }) => data?.name));
  const names = namesOf(changes.filter(({ verb, name }) => verb === 'create' && without.has(name)));
  if (names.length === 0) return [];
  return [refusal('guard.no-budget', `A new key has no budget: ${listed(names)}.`, { names })];
}

function listed(items: readonly string[]): string {
  const more = items.length > 8 ? `, and ${items.length - 8} more` : '';
  return (
    items
      .slice(0, 8)
      .map((item) => `“${inOneLine(item)}”`)
      .join(', ') + more
  );
}
