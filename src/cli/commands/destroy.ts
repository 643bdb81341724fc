import { type Plan, pendingChanges } from '../../domain/index.ts';
import type { PlanRequest } from '../../library/index.ts';
import { counted } from '../output/layout/amount.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { canAsk } from '../session/io.ts';
import { withKeyplane } from '../session/keyplane.ts';
import { reportResult } from './report-result.ts';

/** Deletes every key that the manifest owns, apart from protected ones. */
export const destroyAction = (context: Context): Promise<Result> =>
  withKeyplane(context, async ({ keyplane, manifest, request }) => {
    const report = await keyplane.destroy(manifest, {
      ...request,
      allow: limitsOf(context, request),
      confirm: (plan) => confirmNumber(context, plan),
    });
    return reportResult(report, context);
  });

/** Typing the number of keys agrees to it; unattended, a large number needs --max-deletes as everywhere. */
function limitsOf(context: Context, { allow }: PlanRequest): NonNullable<PlanRequest['allow']> {
  const asks = canAsk(context.io) && !has(context.given, 'yes');
  return { ...(asks ? { deletes: Number.POSITIVE_INFINITY } : {}), ...allow };
}

async function confirmNumber(context: Context, plan: Plan): Promise<void> {
  const doomed = pendingChanges(plan).length;
  const { url, userId } = plan.account;
  const keys = counted(doomed, 'key');
  const about = `${keys} of user ${userId} of ${printable(url)} will be permanently deleted; their secrets stop working.`;
  await confirm(context, { about, expect: String(doomed) });
}
