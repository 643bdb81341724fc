import {
  type Decimal,
  type DesiredKey,
  declarableEnabled,
  isPending,
  maskCredentials,
  type ObservedKey,
  quota,
  wantedCeiling,
} from '../../../../domain/index.ts';
import { diff } from '../../../../reconcile/index.ts';
import { ExactNumber, type TerraformValue } from '../../../codec/value.ts';
import { ChangedSincePlan, type OperationContext, type ResourceInstance } from '../../../provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { interimName } from '../names/rename-order.ts';
import { type Comparison, compareKey, hasOtherBudget, unlessTooLong } from '../plan/compare.ts';
import { rejectUnseenEnable } from '../plan/enabling.ts';
import { readKey } from '../read.ts';
import { declaredNameOf, type LiveGenerations } from '../rotation/generations.ts';
import { decodeKey, encodeLive } from '../values/fields.ts';
import { withOrigin } from '../values/origin.ts';
import { attributeOf } from './report.ts';

/**
 * Finds what somebody else changed about a key since Terraform read it. A saved plan may be applied days later, and shows none of
 * that: an apply that wrote its values would silently undo what a person did.
 */

/** An attribute that somebody changed. */
interface Discrepancy {
  readonly attribute: string;
  readonly text: string;
}

interface ReadKey {
  readonly prior: ResourceInstance;
  readonly live: ObservedKey;
}

function render(value: TerraformValue): string {
  if (value === null) return 'not set';
  if (Array.isArray(value)) return `[${value.map(render).join(', ')}]`;
  return value instanceof ExactNumber ? value.text : JSON.stringify(value);
}

const movedFrom = (attribute: string, before: TerraformValue, now: TerraformValue): Discrepancy => ({
  attribute,
  text: `\`${attribute}\` was ${maskCredentials(render(before))}, and is now ${maskCredentials(render(now))}`,
});

/** A run that was killed while keys exchanged their names leaves a name that is its own. */
function movedName({ prior: { state }, live }: ReadKey): readonly Discrepancy[] {
  const now = declaredNameOf(state.name, live);
  if (typeof state.name !== 'string' || now === state.name || now === interimName(live.id)) return [];
  return [movedFrom('name', state.name, now)];
}

/** The settings that differ from the state, without those of the budget, which traffic moves as well. */
function movedSettings({ prior: { state }, live }: ReadKey, quotaPerUnit: Decimal): readonly Discrepancy[] {
  const before = decodeKey({ ...state, name: null, budget: null }, live.name);
  const edits = diff(before, live, { quotaPerUnit, used: quota(live.used ?? 0) });
  const now = encodeLive(live, quotaPerUnit);
  return [...new Set(edits.map(({ field }) => attributeOf(field)))].map((name) =>
    movedFrom(name, state[name] ?? null, now[name] ?? null),
  );
}

const budgetMoved = ({ unlimited, remain }: ObservedKey): Discrepancy => ({
  attribute: 'budget',
  text: `what the key may spend was changed: ${unlimited ? 'it has no ceiling now' : `${remain} quota units remain now`}`,
});

/** Is a budget certainly in force, by the key alone? Others need the usage log, and a whole plan. */
function isInForce({ budget }: DesiredKey, live: ObservedKey, quotaPerUnit: Decimal): boolean {
  const { used } = live;
  if (budget?.kind !== 'lifetime' || used === undefined) return false;
  return wantedCeiling(budget, live, used, quotaPerUnit) === live;
}

/** Did somebody change what the key may spend, judged by the budget in the state? Neither use nor a refill that is due counts. */
async function isBudgetMoved({ prior, live }: ReadKey, all: LiveGenerations['all'], client: Client): Promise<boolean> {
  const { state } = prior;
  // The plan of a first budget shows that the budget decides from now on.
  if ((state.budget ?? null) === null) return false;
  const before = withOrigin(decodeKey(state, declaredNameOf(state.name, live)), prior);
  if (isInForce(before, live, await client.store.quotaPerUnit())) return false;
  const seen = await compareKey(before, all, client).catch(unlessTooLong);
  // The budget in the state is what the refresh found of the latest generation. A former one may have another ceiling.
  return seen !== undefined && hasOtherBudget(seen, client, live.id);
}

/** The attributes that a plan writes to one key. */
function written({ plan: { changes } }: Pick<Comparison, 'plan'>, live: ObservedKey): ReadonlySet<string> {
  const own = changes.filter((change) => isPending(change) && 'id' in change && change.id === live.id);
  return new Set(
    own.flatMap((change) => {
      if ('edits' in change) return change.edits.map(({ field }) => attributeOf(field));
      return change.verb === 'disable' ? ['enabled'] : [];
    }),
  );
}

const enabledSince = ({ prior, live }: ReadKey, { now }: Client): readonly Discrepancy[] =>
  prior.state.enabled === false && declarableEnabled(live, now()) ? [movedFrom('enabled', false, true)] : [];

function movedSince(
  moved: readonly Discrepancy[],
  { name, id }: ObservedKey,
  consequence: string,
): DiagnosticContent | undefined {
  const [first, ...others] = moved;
  if (first === undefined) return undefined;
  return {
    summary: `The key ${maskCredentials(JSON.stringify(name))} (id ${id}) has changed since Terraform last read it`,
    detail: `Somebody changed it: ${moved.map(({ text }) => text).join('; ')}. ${consequence} Plan again: a plan that refreshes the state shows what it changes.`,
    ...(others.length === 0 ? { path: [first.attribute] } : {}),
  };
}

/**
 * Refuses to overwrite an edit that somebody else made since Terraform read the key, and that the plan does not show. An edit of an
 * attribute that this run does not write stays, and one that made the planned change itself needs no second one.
 *
 * @param found the generations of the key, of which the last one is compared if it is the one in the state
 * @throws DiagnosticError
 */
export async function rejectUnseenEdits(
  prior: ResourceInstance,
  { comparison, found }: { readonly comparison: Comparison; readonly found: LiveGenerations },
  client: Client,
): Promise<void> {
  rejectUnseenEnable(prior, comparison);
  const { current: live, all } = found;
  const attributes = written(comparison, live);
  if (live.id !== prior.state.id || attributes.size === 0) return;
  const sides = { prior, live };
  const settings = [
    ...movedName(sides),
    ...enabledSince(sides, client),
    ...movedSettings(sides, comparison.observed.quotaPerUnit),
  ].filter(({ attribute }) => attributes.has(attribute));
  const isMoved = attributes.has('budget') && (await isBudgetMoved(sides, all, client));
  const error = movedSince(
    [...settings, ...(isMoved ? [budgetMoved(live)] : [])],
    live,
    'This plan would overwrite that, and does not show it. Nothing was changed.',
  );
  if (error) throw new DiagnosticError(error);
}

const DISABLED = 'disabled';

/** Use moves a key between the other statuses. */
function movedStatus({ prior: { state }, live }: ReadKey): readonly Discrepancy[] {
  const { stored_status: before = null } = state;
  const isMoved = before !== null && (before === DISABLED) !== (live.status === DISABLED);
  return isMoved ? [movedFrom('status', before, live.status)] : [];
}

/**
 * Refuses to delete a key that somebody changed since Terraform read it: whoever approved the plan saw another one. The state then gets
 * the edit, because Terraform 1.11 plans the end of what left the configuration before it refreshes it, and no plan would show it.
 *
 * @throws ChangedSincePlan
 */
export async function rejectUnseenDelete(
  prior: ResourceInstance,
  live: ObservedKey,
  context: OperationContext<Client>,
): Promise<void> {
  const { client } = context;
  if (live.id !== prior.state.id) return;
  const sides = { prior, live };
  const moved = [
    ...movedName(sides),
    ...movedStatus(sides),
    ...movedSettings(sides, await client.store.quotaPerUnit()),
  ];
  const error = movedSince(moved, live, 'The plan shows it as it was. The key was not deleted.');
  if (error) throw new ChangedSincePlan((await readKey(prior, context)) ?? prior, error);
}
