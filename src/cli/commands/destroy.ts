import { pendingChanges } from '../../domain/index.ts';
import { guard } from '../../reconcile/index.ts';
import { counted } from '../output/layout/amount.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { canAsk } from '../session/io.ts';
import { destructionFor, limitsOf, type Sight, withLockedSight } from '../session/planning.ts';
import { showPlan } from './apply.ts';
import { carryOut, refuseUnsafe } from './carry-out.ts';

async function destroySeen(context: Context, sight: Sight): Promise<Result> {
  const made = destructionFor(context, sight);
  const doomed = pendingChanges(made).length;
  showPlan(context, made, sight);
  // Who types the number has agreed to it; unattended, a large one needs --max-deletes as everywhere.
  const asks = canAsk(context.io) && !has(context.given, 'yes');
  const limits = { ...(asks ? { maxDeletes: doomed } : {}), ...limitsOf(context) };
  refuseUnsafe(guard(made, { desired: sight.manifest.desired, observed: sight.observed }, limits));
  if (doomed > 0) {
    const { url, userId } = made.account;
    const about = `${counted(doomed, 'key')} of user ${userId} of ${printable(url)} will be deleted for good; their secrets end working.`;
    await confirm(context, { about, expect: String(doomed) });
  }
  return await carryOut(context, sight, { plan: made });
}

/** Deletes every key that the manifest owns; protected ones stay. */
export const destroyAction = (context: Context): Promise<Result> =>
  withLockedSight(context, (sight) => destroySeen(context, sight));
