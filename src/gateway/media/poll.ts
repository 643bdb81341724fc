import { Fault, type FaultCode } from '../../domain/index.ts';
import { tryReadErrorBody, VideoTask } from '../../wire/index.ts';
import { ask } from '../inference/ask.ts';
import type { Answered, CallOptions, InferenceLine } from '../inference/line.ts';
import type { Order } from '../inference/request.ts';
import { invalidFault } from '../inference/sendable.ts';

export interface AwaitOptions extends CallOptions {
  /** How long to wait in all; half an hour unless told. */
  readonly deadlineMs?: number;
  /** After every look, also the last one. */
  readonly onTask?: (task: VideoTask) => void;
}

/** Contract: “Task query”: every 3 to 5 seconds, with backoff. */
const FIRST_MS = 3000;
const LONGEST_MS = 5000;
const GROWTH = 1.2;
const DEADLINE_MS = 30 * 60_000;

/** Dots would lead to another path, in any spelling. */
export function checkTaskId(taskId: string): void {
  if (taskId.trim() === '' || /^\.{1,2}$/.test(taskId)) {
    throw invalidFault('Video task', [{ path: 'task_id', message: 'is none' }]);
  }
}

/** Looks at a task once. @throws Fault those of `ask`; a task that failed is none. */
export async function readVideoTask(
  line: InferenceLine,
  taskId: string,
  { patienceMs, ...options }: CallOptions & { patienceMs?: number } = {},
): Promise<Answered<VideoTask>> {
  checkTaskId(taskId);
  const order: Order = {
    endpoint: 'videoTask',
    segment: taskId,
    options,
    ...(patienceMs === undefined ? {} : { patienceMs }),
  };
  // A task that failed has a member `error`, and is a good answer.
  const isError = (body: unknown) => !VideoTask.safeParse(body).success && tryReadErrorBody(body) !== undefined;
  const answer = await ask(line, order, { schema: VideoTask, isError });
  return { ...answer, value: { ...answer.value, taskId } };
}

const SETTLED: ReadonlySet<VideoTask['status']> = new Set(['succeeded', 'failed', 'cancelled', 'expired']);

/** A look that failed so may go better the next time. */
const PASSING: ReadonlySet<FaultCode> = new Set([
  'gateway.unreachable',
  'gateway.timeout',
  'gateway.connection-lost',
  'gateway.rate-limited',
  'gateway.unavailable',
  'gateway.not-json',
]);
/** Some gateways write a task down only after they have answered its submission. */
const UNKNOWN: ReadonlySet<FaultCode> = new Set(['request.refused', 'gateway.refused']);

/** The waiting for one task. */
interface Wait {
  readonly line: InferenceLine;
  readonly taskId: string;
  readonly options: AwaitOptions;
  readonly until: number;
  unknown: number;
  last?: VideoTask;
  trouble?: Fault | undefined;
}

/**
 * Looks at a task until it is settled, in whichever way: a failed task is an answer and no fault.
 * @throws Fault `video.unsettled` when the time is over, `gateway.interrupted`, and those of `ask` that do not pass
 */
export async function awaitVideo(
  line: InferenceLine,
  taskId: string,
  options: AwaitOptions = {},
): Promise<Answered<VideoTask>> {
  const { clock } = line;
  const { deadlineMs = DEADLINE_MS } = options;
  const wait: Wait = { line, taskId, options, until: clock.now() + deadlineMs, unknown: 0 };
  const enders = [options.signal, line.signal].filter((signal) => signal !== undefined);
  const signal = enders.length > 0 ? AbortSignal.any(enders) : undefined;
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_MS)) {
    const answer = await look(wait);
    if (answer && SETTLED.has(answer.value.status)) return answer;
    const left = wait.until - clock.now();
    if (left <= 0) throw unsettledFault(wait, deadlineMs);
    await clock.sleep(Math.min(Math.round(pauseMs), left), signal);
    if (signal?.aborted) throw interruptedFault(taskId);
  }
}

/** Undefined: this look failed, and the next one may not. */
async function look(wait: Wait): Promise<Answered<VideoTask> | undefined> {
  const { line, taskId, options, until } = wait;
  const left = Math.max(until - line.clock.now(), 1);
  const { signal, timeouts } = options;
  try {
    const answer = await readVideoTask(line, taskId, {
      signal,
      ...(timeouts === undefined ? {} : { timeouts }),
      // A limit is not sat out beyond the deadline.
      patienceMs: left,
    });
    wait.last = answer.value;
    wait.trouble = undefined;
    options.onTask?.(answer.value);
    return answer;
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    wait.trouble = thrown;
    if (UNKNOWN.has(thrown.code) && wait.last === undefined && ++wait.unknown === 1) return undefined;
    if (PASSING.has(thrown.code)) return undefined;
    throw thrown;
  }
}

const shownId = (taskId: string): string => (/^[\w.:-]{1,128}$/.test(taskId) ? taskId : JSON.stringify(taskId));

function unsettledFault({ taskId, last, trouble }: Wait, deadlineMs: number): Fault {
  const seconds = Math.round(deadlineMs / 1000);
  const state = last === undefined ? 'could not be looked at' : `is still ${last.status.replace('_', ' ')}`;
  return new Fault('video.unsettled', `The video task ${shownId(taskId)} ${state} after ${seconds} s.`, {
    hint: 'It goes on without you. Look at it again later by its id; do not submit it again.',
    detail: {
      taskId,
      ...(last === undefined ? {} : { status: last.status }),
      ...(trouble === undefined ? {} : { trouble: trouble.code }),
    },
    cause: trouble,
  });
}

const interruptedFault = (taskId: string): Fault =>
  new Fault('gateway.interrupted', `The waiting for the video task ${shownId(taskId)} was interrupted.`, {
    hint: 'The task goes on without you. Look at it again later by its id; do not submit it again.',
    detail: { taskId },
  });
