import { hasDrift, isPolicyChange, type Plan, pendingDeliveries, type Verb } from '../../domain/index.ts';
import { counted, renderUnits } from './layout/amount.ts';
import { PLAN_WORDING, type Wording } from './wording.ts';

const WRITES: readonly Verb[] = ['create', 'rename', 'update', 'enable', 'disable', 'delete'];
const ORDER: readonly Verb[] = ['hold', ...WRITES, 'retain', 'keep'];

/** The number of changes of each verb, including zeros. */
export function countVerbs(plan: Pick<Plan, 'changes'>): Readonly<Record<Verb, number>> {
  const counts = Object.fromEntries(ORDER.map((verb) => [verb, 0])) as Record<Verb, number>;
  for (const { verb } of plan.changes) counts[verb] += 1;
  return counts;
}

/** The keys whose budget policy changed, as far as the earlier policies are known. */
const changedPolicies = ({ policies, quotaPerUnit }: Plan) =>
  policies.filter((policy) => isPolicyChange(policy, quotaPerUnit));

/** The words of a plan that writes nothing: budget policies that changed, or may have, are not nothing. */
function nothingOf(plan: Plan, { nothing, nothingNow }: Wording): string {
  const isUnknown = plan.policies.some(({ before, after }) => before.kind === 'unknown' && 'amount' in after);
  return isUnknown || changedPolicies(plan).length > 0 ? nothingNow : nothing;
}

/** `2 secrets to deliver, 1 sink blocked` */
function deliveryParts(plan: Plan, { edits }: Wording): readonly string[] {
  const writes = pendingDeliveries(plan).filter(({ action }) => action === 'write').length;
  const removals = pendingDeliveries(plan).length - writes;
  const blocked = (plan.deliveries ?? []).filter(({ action }) => action === 'blocked').length;
  return [
    ...(writes > 0 ? [`${counted(writes, 'secret')} ${edits === 'sides' ? 'not delivered' : 'to deliver'}`] : []),
    ...(removals > 0 ? [`${counted(removals, 'secret')} to remove`] : []),
    ...(blocked > 0 ? [`${counted(blocked, 'sink')} blocked`] : []),
  ];
}

/** `Plan: 2 to create, 1 to delete, 1 budget policy changed, 12 unchanged. 3 keys outside the scope.` */
export function renderSummary(plan: Plan, wording: Wording = PLAN_WORDING): string {
  const changed = wording.policies ? changedPolicies(plan) : [];
  const ids = new Set(changed.map(({ id }) => id));
  const kept = plan.changes.filter((change) => change.verb === 'keep' && ids.has(change.id)).length;
  const verbs = countVerbs(plan);
  const counts = { ...verbs, keep: verbs.keep - kept };
  const partsOf = (order: readonly Verb[]): readonly string[] =>
    order
      .filter((verb) => counts[verb] > 0)
      .map((verb) => `${renderUnits(counts[verb])} ${wording.counts[verb][counts[verb] === 1 ? 0 : 1]}`);
  const parts = [
    ...(hasDrift(plan) ? [] : [nothingOf(plan, wording)]),
    ...partsOf(['hold', ...WRITES]),
    ...deliveryParts(plan, wording),
    ...(changed.length > 0 ? [`${counted(changed.length, 'budget policy', 'budget policies')} changed`] : []),
    ...partsOf(['retain', 'keep']),
  ];
  const outside = plan.invisible > 0 ? ` ${counted(plan.invisible, 'key')} outside the scope.` : '';
  return `${wording.title}: ${parts.join(', ')}.${outside}`;
}
