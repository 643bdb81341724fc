import { isPending, type Plan } from '../../../../domain/index.ts';
import { type TerraformObject, UNKNOWN } from '../../../codec/value.ts';
import type { Comparison } from '../plan/compare.ts';
import { isOfOldGeneration } from '../values/state.ts';

/** The attributes of one generation, which the next one has otherwise. */
const OF_GENERATION = ['id', 'masked_key', 'created_at', 'status', 'stored_status', 'remaining_quota', 'used_quota'];
const OLD = 'old_generations';

const pendingOf = ({ changes }: Pick<Plan, 'changes'>) => changes.filter(isPending);

/** Marks what a rotation changes: with a successor, whatever reads the secret by `id` gets the new one after the apply. */
export function withRotation(
  planned: TerraformObject,
  { plan, isOther }: Pick<Comparison, 'plan'> & { readonly isOther: boolean },
): TerraformObject {
  const pending = pendingOf(plan);
  // Another run may have rotated the key since the last refresh.
  const isDue = isOther || pending.some(({ verb }) => verb === 'create');
  const unknown = [...(isDue ? [...OF_GENERATION, OLD] : []), ...(pending.some(isOfOldGeneration) ? [OLD] : [])];
  return { ...planned, ...Object.fromEntries(unknown.map((name) => [name, UNKNOWN])) };
}

const isUnknownIn = (planned: TerraformObject, name: string): boolean => planned[name] === UNKNOWN;

/** Leaves out what came due after the plan: nobody approved it, and the values of the plan would not hold. */
export function asApproved<C extends Pick<Comparison, 'plan'>>(comparison: C, planned: TerraformObject): C {
  const { plan } = comparison;
  const changes = plan.changes.filter((change) => {
    if (change.verb === 'create') return isUnknownIn(planned, 'id');
    return !isOfOldGeneration(change) || !isPending(change) || isUnknownIn(planned, OLD);
  });
  return { ...comparison, plan: { ...plan, changes } };
}
