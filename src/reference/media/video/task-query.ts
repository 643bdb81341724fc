import type { GatewayContext } from '../../context.ts';
import { findRequestKey } from '../../inference/credential.ts';
import { refuseUse } from '../../inference/refusal.ts';
import type { InferenceRequest } from '../../inference/request.ts';
import { admit } from '../../keys/admission.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import type { Answer } from '../../server/answer.ts';
import { taskShapeOf, viewOf } from './task-record.ts';
import { settleIfDue } from './task-scheduler.ts';

/**
 * The task that a key asks for, as the clock has left it: one of the account that the key belongs to. A foreign one does
 * not exist.
 */
export function findRequestedTask(
  context: GatewayContext,
  request: InferenceRequest,
  id: string,
): { task: StoredTask } | { refusal: Answer } {
  const admission = context.ledger.transact(() =>
    admit(context, findRequestKey(context, request), { address: request.address }),
  );
  if ('refusal' in admission) return { refusal: refuseUse(context, request, admission.refusal) };
  settleIfDue(context);
  const task = context.ledger.tasks.tryFind(id);
  const isOwn = task?.user_id === admission.account.user_id;
  return task && isOwn ? { task } : { refusal: taskShapeOf(context).missing(context) };
}

/** `GET /v1/video/generations/{task_id}`. Costs nothing. */
export async function videoTask(context: GatewayContext, request: InferenceRequest): Promise<Answer> {
  const asked = findRequestedTask(context, request, request.taskId);
  if ('refusal' in asked) return asked.refusal;
  return { status: 200, body: taskShapeOf(context).record(viewOf(context, asked.task, request.origin)) };
}
