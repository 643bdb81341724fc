import { Fault } from '../../domain/index.ts';
import { invalidRequestFault, requestError, tryReadErrorBody, VideoTask } from '../../wire/index.ts';
import { callInference } from '../inference/call.ts';
import type { Answered, CallOptions, InferenceConnection } from '../inference/connection.ts';
import type { EndpointCall } from '../inference/request.ts';

/** Rejects an empty id, and dots, which would lead to another path in any encoding. @throws Fault `request.invalid` */
export function checkTaskId(taskId: string): void {
  if (taskId.trim() === '' || /^\.{1,2}$/.test(taskId)) {
    throw invalidRequestFault('Video task', [requestError(['task_id'], 'is not a task id')]);
  }
}

type QueryOptions = CallOptions & { patienceMs?: number };

/** Queries a task once with the key. @throws Fault those of `callInference` */
async function queryTask(
  connection: InferenceConnection,
  taskId: string,
  { patienceMs, ...options }: QueryOptions,
): Promise<Answered<VideoTask>> {
  const call: EndpointCall = {
    endpoint: 'videoTask',
    segment: taskId,
    options,
    ...(patienceMs === undefined ? {} : { patienceMs }),
  };
  // A failed task has a member `error`, and is a valid response.
  const isError = (body: unknown) => !VideoTask.safeParse(body).success && tryReadErrorBody(body) !== undefined;
  const answered = await callInference(connection, call, { schema: VideoTask, isError });
  return { ...answered, value: { ...answered.value, taskId } };
}

/** Reads a task with the credentials of the account; undefined when there is none, or the gateway does not show it. */
async function tryReadOwnTask(
  { ownTask, clock }: InferenceConnection,
  taskId: string,
): Promise<Answered<VideoTask> | undefined> {
  const began = clock.now();
  const value = await ownTask?.(taskId).catch(() => undefined);
  if (value === undefined) return undefined;
  const totalMs = clock.now() - began;
  return { value, raw: value, status: 200, timing: { firstByteMs: totalMs, totalMs } };
}

/** Gateways that compare a query without a model with the allowlist of the key reject it: the key itself is fine. */
export const isHidden = (thrown: unknown): boolean =>
  thrown instanceof Fault &&
  thrown.detail.status === 403 &&
  (thrown.code === 'gateway.refused' || thrown.code === 'key.model-not-allowed');

/** The way on which a task can be read, as far as it is known. */
export interface TaskRoute {
  /** The key may not query tasks: they are read with the credentials of the account. */
  isHidden?: true;
}

/** Queries a task once. A failed task is a result. @throws Fault those of `callInference` */
export async function readVideoTask(
  connection: InferenceConnection,
  taskId: string,
  options: QueryOptions = {},
  route: TaskRoute = {},
): Promise<Answered<VideoTask>> {
  checkTaskId(taskId);
  const known = route.isHidden ? await tryReadOwnTask(connection, taskId) : undefined;
  if (known) return known;
  try {
    return await queryTask(connection, taskId, options);
  } catch (thrown) {
    const own = isHidden(thrown) ? await tryReadOwnTask(connection, taskId) : undefined;
    if (own === undefined) throw thrown;
    route.isHidden = true;
    return own;
  }
}

/** No gateway gives a task this id. */
const NO_TASK = 'keyplane-asks-whether-tasks-can-be-read';

/** Finds out whether tasks of this key can be read, by asking for one that does not exist. Free. */
export async function canReadTasks(connection: InferenceConnection, options: CallOptions = {}): Promise<boolean> {
  try {
    await queryTask(connection, NO_TASK, options);
    return true;
  } catch (thrown) {
    // Any other rejection is about the missing task, or about something that the submission meets, too.
    if (!isHidden(thrown)) return true;
    return (
      connection.ownTask?.(NO_TASK).then(
        () => true,
        () => false,
      ) ?? false
    );
  }
}
