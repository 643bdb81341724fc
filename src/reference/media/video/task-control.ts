import * as z from 'zod';
import type { GatewayContext } from '../../context.ts';
import type { StoredTask, TaskStatus } from '../../ledger/tasks.ts';
import { changeStatus, isFinal, settleTasks } from './settle.ts';

/** All video tasks without their requests, for the control endpoints. `callback` shows undelivered notifications. */
export function storedTasks(context: GatewayContext): readonly StoredTask[] {
  context.scheduler.run();
  return context.ledger.tasks.all();
}

const Patch = z.strictObject({
  status: z.enum(['in_progress', 'succeeded', 'failed', 'expired', 'cancelled']).optional(),
  error: z.strictObject({ code: z.int(), message: z.string().min(1) }).optional(),
  url: z.string().min(1).optional(),
});

/** Tasks only move forward: one that has ended was billed or refunded. */
function tryFindConflict({ status }: StoredTask, wanted: TaskStatus | undefined): string | undefined {
  if (wanted === undefined || wanted === status) return undefined;
  if (isFinal(status)) return `status: the task has ${status === 'succeeded' ? 'succeeded' : `ended as ${status}`}`;
  return undefined;
}

function applyPatch(context: GatewayContext, task: StoredTask, patch: z.output<typeof Patch>): StoredTask {
  const { status = task.status, error = task.error, url = task.url } = patch;
  const changed = { ...task, error, url };
  if (status === task.status) context.ledger.tasks.write(changed);
  else return changeStatus(context, changed, { at: context.clock.now(), status });
  return changed;
}

/**
 * Acts as the upstream of one task: sets its status now, the error for the end of its run, or another result. Returns
 * undefined if the task does not exist.
 */
export function tryPatchTask(
  context: GatewayContext,
  id: string,
  body: unknown,
): { readonly task: StoredTask } | { readonly problem: string } | undefined {
  const patch = Patch.safeParse(body ?? {});
  if (!patch.success) return { problem: z.prettifyError(patch.error) };
  settleTasks(context);
  const outcome = context.ledger.transact(() => {
    const task = context.ledger.tasks.tryFind(id);
    if (task === undefined) return undefined;
    const problem = tryFindConflict(task, patch.data.status);
    return problem === undefined ? { task: applyPatch(context, task, patch.data) } : { problem };
  });
  context.scheduler.run();
  return outcome;
}
