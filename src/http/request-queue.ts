import { Fault } from '../domain/index.ts';
import type { Clock } from './clock.ts';
import { abortedFault } from './exchange-fault.ts';
import { afterLimited, afterPassed, openPace, type Pace } from './pace.ts';
import type { HttpRequest } from './request.ts';

/** One request's place in the queue, kept over all its attempts: first come, first served. */
export interface Ticket {
  readonly order: number;
  readonly request: HttpRequest;
  /** When a limit first made it wait: patience is counted from there, over all its waits. */
  limitedSince?: number;
}

/** Permission to send one attempt. */
export interface SendPermit {
  /** Reports whether the attempt met the limit, before it is released: the body may take long. */
  report(result: { kind: 'limited'; retryAfterMs: number | undefined } | { kind: 'passed' }): void;
  /** Must be called once for each admission; further calls have no effect. */
  release(): void;
}

export interface RequestQueueOptions {
  /** Requests that run in parallel, over all paces. */
  readonly concurrency: number;
  /** The longest time that one request waits for limits. */
  readonly patienceMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal;
}

/** The queue that all requests pass through. */
export interface RequestQueue {
  ticket(request: HttpRequest): Ticket;
  /**
   * Resolves when the request may be sent.
   * @throws Fault `gateway.rate-limited` when patience ends, `gateway.interrupted` when the run was interrupted or the
   * request was cancelled.
   */
  enter(ticket: Ticket): Promise<SendPermit>;
  /** The milliseconds until this pace opens. */
  closedForMs(pace: string): number;
  close(): void;
}

/** The patience of reads after an interruption: enough for a lookup, not for waiting out a limit. */
const PATIENCE_AFTER_INTERRUPT_MS = 10_000;

interface QueuedRequest {
  readonly ticket: Ticket;
  readonly admit: (admission: SendPermit) => void;
  readonly reject: (fault: Fault) => void;
}

interface QueueState {
  readonly options: RequestQueueOptions;
  readonly lanes: Map<string, { pace: Pace; running: number }>;
  queued: QueuedRequest[];
  running: number;
  nextOrder: number;
  interruptedAt: number | undefined;
  /** Ends the sleep until the next pace opens. */
  timer: AbortController | undefined;
}

/** Opens a queue that bounds concurrency, slows each pace down as its limit requires, and ends waits on interruption. */
export function openRequestQueue(options: RequestQueueOptions): RequestQueue {
  const state: QueueState = {
    options,
    lanes: new Map(),
    queued: [],
    running: 0,
    nextOrder: 0,
    interruptedAt: undefined,
    timer: undefined,
  };
  const interrupt = () => {
    state.interruptedAt = options.clock.now();
    admitQueued(state);
  };
  if (options.signal?.aborted) interrupt();
  else options.signal?.addEventListener('abort', interrupt, { once: true });
  return {
    ticket: (request) => ({ order: state.nextOrder++, request }),
    enter: (ticket) => enter(state, ticket),
    closedForMs: (pace) => Math.max(0, laneOf(state, pace).pace.until - options.clock.now()),
    close(): void {
      options.signal?.removeEventListener('abort', interrupt);
      for (const { reject } of state.queued.splice(0)) reject(interruptedFault());
      state.timer?.abort();
    },
  };
}

async function enter(state: QueueState, ticket: Ticket): Promise<SendPermit> {
  const { signal } = ticket.request;
  const cancel = () => admitQueued(state);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await new Promise<SendPermit>((admit, reject) => {
      state.queued.push({ ticket, admit, reject });
      state.queued.sort((a, b) => a.ticket.order - b.ticket.order);
      admitQueued(state);
    });
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

function laneOf(state: QueueState, name: string) {
  let lane = state.lanes.get(name);
  if (!lane) {
    lane = { pace: openPace(state.options.concurrency), running: 0 };
    state.lanes.set(name, lane);
  }
  return lane;
}

/** Admits the requests that may go, rejects those that must not wait longer, and sets the timer for the rest. */
function admitQueued(state: QueueState): void {
  const now = state.options.clock.now();
  let wakeAt = Number.POSITIVE_INFINITY;
  state.queued = state.queued.filter((queued) => {
    const { pace, running } = laneOf(state, queued.ticket.request.pace);
    const fault = tryFindFault(state, queued.ticket, pace, now);
    if (fault) {
      queued.reject(fault);
      return false;
    }
    if (pace.until > now) wakeAt = Math.min(wakeAt, pace.until);
    else if (running < pace.width && state.running < state.options.concurrency) {
      queued.admit(openAdmission(state, queued.ticket.request.pace));
      return false;
    }
    return true;
  });
  setTimer(state, wakeAt - now);
}

/** The reason why a queued request must not wait any longer; undefined while it may. */
function tryFindFault(state: QueueState, ticket: Ticket, pace: Pace, now: number): Fault | undefined {
  const { interruptedAt, options } = state;
  if (ticket.request.signal?.aborted) return abortedFault(ticket.request, 'no');
  if (interruptedAt !== undefined && ticket.request.effect === 'writes') return interruptedFault();
  if (pace.until <= now) return undefined;
  ticket.limitedSince ??= now;
  if (interruptedAt !== undefined && pace.until > interruptedAt + PATIENCE_AFTER_INTERRUPT_MS) {
    return interruptedFault();
  }
  const patienceMs = ticket.request.patienceMs ?? options.patienceMs;
  return pace.until > ticket.limitedSince + patienceMs ? patienceFault(pace.until - now) : undefined;
}

function openAdmission(state: QueueState, paceName: string): SendPermit {
  const lane = laneOf(state, paceName);
  const { epoch } = lane.pace;
  const { clock, random, concurrency } = state.options;
  let released = false;
  lane.running += 1;
  state.running += 1;
  return {
    release() {
      if (released) return;
      released = true;
      lane.running -= 1;
      state.running -= 1;
      admitQueued(state);
    },
    report(result) {
      if (result.kind === 'limited') {
        const response = { epoch, now: clock.now(), random: random(), retryAfterMs: result.retryAfterMs };
        lane.pace = afterLimited(lane.pace, response);
      }
      if (result.kind === 'passed') lane.pace = afterPassed(lane.pace, epoch, concurrency);
      admitQueued(state);
    },
  };
}

function setTimer(state: QueueState, ms: number): void {
  state.timer?.abort();
  state.timer = undefined;
  if (!Number.isFinite(ms)) return;
  const timer = new AbortController();
  state.timer = timer;
  void state.options.clock.sleep(ms, timer.signal).then(() => {
    if (!timer.signal.aborted) admitQueued(state);
  });
}

const interruptedFault = (): Fault =>
  new Fault('gateway.interrupted', 'The run was interrupted before this request was sent.', {
    detail: { sent: 'no' },
  });

function patienceFault(waitMs: number): Fault {
  const seconds = Math.ceil(waitMs / 1000);
  return new Fault(
    'gateway.rate-limited',
    `The gateway kept responding with 429; the next attempt is due in ${seconds} s.`,
    {
      hint: 'Try again later. The rejected request had no effect.',
      remedy: 'lower-concurrency',
      detail: { sent: 'no', waitMs },
    },
  );
}
