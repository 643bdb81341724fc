import { type Change, isPending, type Plan } from '../../../../domain/index.ts';
import { type TerraformObject, UNKNOWN } from '../../../codec/value.ts';
import type { ResourceInstance } from '../../../provider/definition.ts';
import type { Comparison } from '../plan/compare.ts';
import { privateOf, type RotationPart } from '../private-data.ts';
import { isOfOldGeneration } from '../values/state.ts';

/** The attributes of one generation, which the next one has otherwise. */
const OF_GENERATION = ['id', 'masked_key', 'created_at', 'status', 'stored_status', 'remaining_quota', 'used_quota'];
const OLD = 'old_generations';

const isEnd = (change: Change): boolean => isOfOldGeneration(change) && isPending(change);

/** Marks what a rotation changes: with a successor, whatever reads the secret by `id` gets the new one after the apply. */
export function withRotation(
  planned: TerraformObject,
  { changes, mayBeOther, mayEnd }: Pick<Plan, 'changes'> & { readonly mayBeOther: boolean; readonly mayEnd: boolean },
): TerraformObject {
  const isDue = mayBeOther || changes.some(({ verb }) => verb === 'create');
  const unknown = [...(isDue ? [...OF_GENERATION, OLD] : []), ...(mayEnd || changes.some(isEnd) ? [OLD] : [])];
  return { ...planned, ...Object.fromEntries(unknown.map((name) => [name, UNKNOWN])) };
}

/** Leaves out the parts of a rotation that are not among these. */
function only<C extends Pick<Comparison, 'plan'>>(comparison: C, parts: readonly RotationPart[]): C {
  const { plan } = comparison;
  const changes = plan.changes.filter((change) => {
    if (change.verb === 'create') return parts.includes('successor');
    return !isEnd(change) || parts.includes('end');
  });
  return { ...comparison, plan: { ...plan, changes } };
}

/** The parts of a rotation that are due, for the private data of a key. */
export function rotationDue({ plan }: Pick<Comparison, 'plan'>): { readonly rotationDue?: readonly RotationPart[] } {
  const parts: readonly RotationPart[] = [
    ...(plan.changes.some(({ verb }) => verb === 'create') ? ['successor' as const] : []),
    ...(plan.changes.some(isEnd) ? ['end' as const] : []),
  ];
  return parts.length > 0 ? { rotationDue: parts } : {};
}

/** Leaves out what came due after the last refresh: core rejects an apply that plans more than was approved. */
export const asRefreshed = <C extends Pick<Comparison, 'plan'>>(comparison: C, prior: ResourceInstance): C =>
  only(comparison, privateOf(prior).rotationDue ?? []);

/** Leaves out what came due after the plan: nobody approved it, and the values of the plan would not hold. */
export function asApproved<C extends Pick<Comparison, 'plan'>>(comparison: C, planned: TerraformObject): C {
  const isUnknown = (name: string): boolean => planned[name] === UNKNOWN;
  return only(comparison, [
    ...(isUnknown('id') ? ['successor' as const] : []),
    ...(isUnknown(OLD) ? ['end' as const] : []),
  ]);
}
