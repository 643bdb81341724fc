import type { Site } from '../../context.ts';
import { keyBehind } from '../../inference/credential.ts';
import { refusedUseOf } from '../../inference/refusal.ts';
import type { InferenceCall } from '../../inference/request.ts';
import { admit } from '../../keys/admission.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import type { Answer } from '../../server/answer.ts';
import { taskShapeOf, viewOf } from './task-record.ts';
import { letTimePass } from './task-scheduler.ts';

/**
 * The task that a key asks for, as the clock has left it: one of the account that the key belongs to. A foreign one does
 * not exist.
 */
export function askedTask(site: Site, call: InferenceCall, id: string): { task: StoredTask } | { refusal: Answer } {
  const admission = site.ledger.transact(() => admit(site, keyBehind(site, call), { address: call.address }));
  if ('refusal' in admission) return { refusal: refusedUseOf(site, call, admission.refusal) };
  letTimePass(site);
  const task = site.ledger.tasks.tryFind(id);
  const isOwn = task?.user_id === admission.account.user_id;
  return task && isOwn ? { task } : { refusal: taskShapeOf(site).missing(site) };
}

/** `GET /v1/video/generations/{task_id}`. Costs nothing. */
export async function videoTask(site: Site, call: InferenceCall): Promise<Answer> {
  const asked = askedTask(site, call, call.taskId);
  if ('refusal' in asked) return asked.refusal;
  return { status: 200, body: taskShapeOf(site).record(viewOf(site, asked.task, call.origin)) };
}
