import { Fault, type FaultCode } from '../../domain/index.ts';
import type { VideoTask } from '../../wire/index.ts';
import { checkCallOptions } from '../inference/call-options.ts';
import type { Answered, CallOptions, InferenceConnection } from '../inference/connection.ts';
import { isHidden, readVideoTask, type TaskRoute } from './read-task.ts';

/** The options of waiting for a video task. */
export interface AwaitOptions extends CallOptions {
  /** The longest wait for the task to settle, if `timeoutMs` is not less. Defaults to half an hour. */
  readonly deadlineMs?: number;
  /** Called after each query, including the last one. */
  readonly onTask?: (task: VideoTask) => void;
}

/** Contract: “Task query”: every 3 to 5 seconds, with backoff. */
const FIRST_MS = 3000;
const LONGEST_MS = 5000;
const GROWTH = 1.2;
const DEADLINE_MS = 30 * 60_000;

const SETTLED: ReadonlySet<VideoTask['status']> = new Set(['succeeded', 'failed', 'cancelled', 'expired']);

/** Faults of a query after which the next query may succeed. */
const TRANSIENT: ReadonlySet<FaultCode> = new Set([
  'gateway.unreachable',
  'gateway.timeout',
  'gateway.connection-lost',
  'gateway.rate-limited',
  'gateway.unavailable',
  'gateway.not-json',
]);
/** Faults of a query for a task that the gateway has not recorded yet: some do so only after they have responded. */
const UNKNOWN: ReadonlySet<FaultCode> = new Set(['request.refused', 'gateway.refused']);

/** The state of waiting for one task. */
interface VideoWait {
  readonly connection: InferenceConnection;
  readonly taskId: string;
  readonly options: AwaitOptions;
  readonly until: number;
  unknownCount: number;
  readonly route: TaskRoute;
  last?: VideoTask;
  lastFault?: Fault | undefined;
}

/**
 * Queries a task until it is settled. A failed task is a result, not a fault.
 * @throws Fault `video.unsettled` at the deadline, `gateway.interrupted`, and those of `callInference` that are not
 * transient
 */
export async function awaitVideo(
  connection: InferenceConnection,
  taskId: string,
  options: AwaitOptions = {},
): Promise<Answered<VideoTask>> {
  checkCallOptions(options);
  const { clock } = connection;
  const deadlineMs = Math.min(options.deadlineMs ?? DEADLINE_MS, options.timeoutMs ?? Number.POSITIVE_INFINITY);
  const wait: VideoWait = { connection, taskId, options, until: clock.now() + deadlineMs, unknownCount: 0, route: {} };
  const signals = [options.signal, connection.signal].filter((signal) => signal !== undefined);
  const signal = signals.length > 0 ? AbortSignal.any(signals) : undefined;
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_MS)) {
    const answered = await tryQuery(wait);
    if (answered && SETTLED.has(answered.value.status)) return answered;
    const leftMs = wait.until - clock.now();
    if (leftMs <= 0) throw unsettledFault(wait, deadlineMs);
    await clock.sleep(Math.min(Math.round(pauseMs), leftMs), signal);
    if (signal?.aborted) throw interruptedFault(taskId, signal.reason);
  }
}

/** Returns undefined when the query failed and the next one may succeed. */
async function tryQuery(wait: VideoWait): Promise<Answered<VideoTask> | undefined> {
  const { connection, taskId, options, until, route } = wait;
  const { signal, timeouts } = options;
  // Rate limits are not waited for beyond the deadline.
  const patienceMs = Math.max(until - connection.clock.now(), 1);
  try {
    const query = { signal, patienceMs, ...(timeouts === undefined ? {} : { timeouts }) };
    const answered = await readVideoTask(connection, taskId, query, route);
    wait.last = answered.value;
    wait.lastFault = undefined;
    options.onTask?.(answered.value);
    return answered;
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    wait.lastFault = thrown;
    if (UNKNOWN.has(thrown.code) && wait.last === undefined && ++wait.unknownCount === 1) return undefined;
    if (TRANSIENT.has(thrown.code) || (route.isHidden && isHidden(thrown))) return undefined;
    throw thrown;
  }
}

const renderTaskId = (taskId: string): string => (/^[\w.:-]{1,128}$/.test(taskId) ? taskId : JSON.stringify(taskId));

function unsettledFault({ taskId, last, lastFault }: VideoWait, deadlineMs: number): Fault {
  const seconds = Math.round(deadlineMs / 1000);
  const state = last === undefined ? 'could not be queried' : `is still ${last.status.replace('_', ' ')}`;
  return new Fault('video.unsettled', `The video task ${renderTaskId(taskId)} ${state} after ${seconds} s.`, {
    hint: 'The task continues on the gateway. Query it later by its id; do not submit it again.',
    detail: {
      taskId,
      ...(last === undefined ? {} : { status: last.status }),
      ...(lastFault === undefined ? {} : { trouble: lastFault.code }),
    },
    cause: lastFault,
  });
}

const interruptedFault = (taskId: string, cause: unknown): Fault =>
  new Fault('gateway.interrupted', `The wait for the video task ${renderTaskId(taskId)} was interrupted.`, {
    hint: 'The task continues on the gateway. Query it later by its id; do not submit it again.',
    detail: { taskId },
    cause,
  });
