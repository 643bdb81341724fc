import { z } from 'zod';
import type { Site } from '../../context.ts';
import type { StoredTask, TaskStatus } from '../../ledger/tasks.ts';
import { enter, isEnd, settleTasks } from './settle.ts';
import { wakeTasks } from './task-scheduler.ts';

/** All video tasks, without their requests: for the control endpoints. Undelivered notifications show in `callback`. */
export function storedTasks(site: Site): readonly StoredTask[] {
  wakeTasks(site);
  return site.ledger.tasks.all();
}

const Patch = z.strictObject({
  status: z.enum(['in_progress', 'succeeded', 'failed', 'expired', 'cancelled']).optional(),
  error: z.strictObject({ code: z.int(), message: z.string().min(1) }).optional(),
  url: z.string().min(1).optional(),
});

/** A task goes forward only: what has ended was billed or refunded, and stays so. */
function problemOf({ status }: StoredTask, wanted: TaskStatus | undefined): string | undefined {
  if (wanted === undefined || wanted === status) return undefined;
  if (isEnd(status)) return `status: the task has ${status === 'succeeded' ? 'succeeded' : `ended as ${status}`}`;
  return undefined;
}

function patched(site: Site, task: StoredTask, patch: z.output<typeof Patch>): StoredTask {
  const { status = task.status, error = task.error, url = task.url } = patch;
  const changed = { ...task, error, url };
  if (status === task.status) site.ledger.tasks.write(changed);
  else return enter(site, changed, { at: site.clock.now(), status });
  return changed;
}

/**
 * Plays the upstream for one task: gives it a state now, the error that it fails with when its time has come, or another
 * result. Undefined when it is not there.
 */
export function tryPatchTask(
  site: Site,
  id: string,
  body: unknown,
): { readonly task: StoredTask } | { readonly problem: string } | undefined {
  const patch = Patch.safeParse(body ?? {});
  if (!patch.success) return { problem: z.prettifyError(patch.error) };
  settleTasks(site);
  const outcome = site.ledger.transact(() => {
    const task = site.ledger.tasks.tryFind(id);
    if (task === undefined) return undefined;
    const problem = problemOf(task, patch.data.status);
    return problem === undefined ? { task: patched(site, task, patch.data) } : { problem };
  });
  wakeTasks(site);
  return outcome;
}
