import type { GatewayContext } from '../context.ts';
import type { StoredTask, TaskError, TaskStatus } from '../ledger/tasks.ts';
import type { TaskFlaw } from './kinds.ts';

/** Of a task that was made to fail without a word. */
export const UNNAMED_ERROR: TaskError = { code: 1000, message: 'the upstream failed as asked' };

/** Kept beside the ledger, as scripts are: a gateway that starts again has forgotten them. */
const FLAWS = new WeakMap<GatewayContext, Map<string, TaskFlaw>>();

export function setTaskFlaw(context: GatewayContext, id: string, flaw: TaskFlaw): void {
  const flaws = FLAWS.get(context) ?? new Map();
  FLAWS.set(context, flaws.set(id, flaw));
}

/** What was made to go wrong with a task; undefined: nothing. */
export const tryFindTaskFlaw = (
  context: GatewayContext,
  { task_id }: Pick<StoredTask, 'task_id'>,
): TaskFlaw | undefined => FLAWS.get(context)?.get(task_id);

/** In the middle of its run; while it still waits, where it takes no time. */
function earlyExpiry({ catalog }: GatewayContext, { model, created_at }: StoredTask): number {
  const { queueSeconds = 0, runSeconds = 0 } = catalog.models[model]?.task ?? {};
  return created_at + queueSeconds + runSeconds / 2;
}

/** A new task with what of its flaw is stored with it. */
export function withTaskFlaw(context: GatewayContext, task: StoredTask, flaw: TaskFlaw | undefined): StoredTask {
  if (flaw === 'stuck') return { ...task, expires_at: undefined };
  if (flaw === 'expires') return { ...task, expires_at: earlyExpiry(context, task) };
  if (flaw === 'fails') return { ...task, error: UNNAMED_ERROR };
  return flaw === 'no-callback' ? { ...task, callback: undefined } : task;
}

/** The end that a lying notification tells of instead of this one; what comes before an end is told as it is. */
export function falseStatus(status: TaskStatus): TaskStatus {
  if (status === 'queued' || status === 'in_progress') return status;
  return status === 'succeeded' ? 'failed' : 'succeeded';
}
