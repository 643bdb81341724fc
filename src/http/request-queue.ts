import { Fault, renderInstant } from '../domain/index.ts';
import type { Clock } from './clock.ts';
import { abortedFault } from './exchange-fault.ts';
import type { AbortWatch } from './on-abort.ts';
import { afterLimited, afterPassed, type KnownLimit, openPace, type Pace } from './pace.ts';
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
  readonly limit: KnownLimit | undefined;
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
  /** The limits of paces, where they are known. */
  readonly limits: Readonly<Record<string, KnownLimit>>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly aborts: AbortWatch;
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
  /** The milliseconds that the request will wait for its pace to open: 0 when it will not, or not that long. */
  waitMs(ticket: Ticket): number;
  close(): void;
}

/** The patience of reads after an interruption: enough for a lookup, not for waiting out a limit. */
const PATIENCE_AFTER_INTERRUPT_MS = 10_000;

interface QueuedRequest {
  readonly ticket: Ticket;
  readonly admit: (admission: SendPermit) => void;
  readonly reject: (fault: Fault) => void;
}

interface Lane {
  pace: Pace;
  running: number;
  readonly limit: KnownLimit | undefined;
  /** When own requests passed within the window of the known limit, oldest first. */
  readonly passed: number[];
}

interface QueueState {
  readonly options: RequestQueueOptions;
  readonly lanes: Map<string, Lane>;
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
    waitMs: (ticket) => waitMs(state, ticket),
    close(): void {
      options.signal?.removeEventListener('abort', interrupt);
      for (const { reject } of state.queued.splice(0)) reject(interruptedFault(options.signal));
      state.timer?.abort();
    },
  };
}

async function enter(state: QueueState, ticket: Ticket): Promise<SendPermit> {
  // Most requests find nobody waiting, and go at once: nothing can abort a wait that there is not.
  const isFree = state.queued.length === 0 && state.timer === undefined;
  const permit = isFree ? admissionOf(state, ticket, state.options.clock.now()) : undefined;
  if (permit instanceof Fault) throw permit;
  if (typeof permit === 'object') return permit;
  const ignoreAbort = state.options.aborts.onAbort(ticket.request.signal, () => admitQueued(state));
  try {
    return await new Promise<SendPermit>((admit, reject) => {
      state.queued.push({ ticket, admit, reject });
      state.queued.sort((a, b) => a.ticket.order - b.ticket.order);
      admitQueued(state);
    });
  } finally {
    ignoreAbort();
  }
}

function laneOf(state: QueueState, name: string): Lane {
  let lane = state.lanes.get(name);
  if (!lane) {
    lane = { pace: openPace(state.options.concurrency), running: 0, limit: state.options.limits[name], passed: [] };
    state.lanes.set(name, lane);
  }
  return lane;
}

function waitMs(state: QueueState, ticket: Ticket): number {
  const lane = laneOf(state, ticket.request.pace);
  const now = state.options.clock.now();
  return tryFindFault(state, ticket, lane, now) ? 0 : Math.max(0, lane.pace.until - now);
}

/** Admits the requests that may go, rejects those that must not wait longer, and sets the timer for the rest. */
function admitQueued(state: QueueState): void {
  if (state.queued.length === 0 && state.timer === undefined) return;
  const now = state.options.clock.now();
  let wakeAt = Number.POSITIVE_INFINITY;
  state.queued = state.queued.filter(({ ticket, admit, reject }) => {
    const admission = admissionOf(state, ticket, now);
    if (typeof admission === 'number') wakeAt = Math.min(wakeAt, admission);
    else if (admission instanceof Fault) reject(admission);
    else admit(admission);
    return typeof admission === 'number';
  });
  setTimer(state, wakeAt - now);
}

/** Admits a request, or returns the reason why it must not wait, or the time when its pace opens; infinite: when another request ends. */
function admissionOf(state: QueueState, ticket: Ticket, now: number): SendPermit | Fault | number {
  const lane = laneOf(state, ticket.request.pace);
  const { pace, running } = lane;
  const fault = tryFindFault(state, ticket, lane, now);
  if (fault) return fault;
  if (pace.until > now) return pace.until;
  const hasRoom = running < pace.width && state.running < state.options.concurrency;
  return hasRoom ? openAdmission(state, ticket.request.pace) : Number.POSITIVE_INFINITY;
}

/** The reason why a queued request must not wait any longer; undefined while it may. */
function tryFindFault(state: QueueState, ticket: Ticket, lane: Lane, now: number): Fault | undefined {
  const { pace, limit } = lane;
  const { interruptedAt, options } = state;
  if (ticket.request.signal?.aborted) return abortedFault(ticket.request, 'no', waitedMs(ticket, pace, now));
  if (interruptedAt !== undefined && ticket.request.effect === 'writes') return interruptedFault(options.signal);
  if (pace.until <= now) return undefined;
  ticket.limitedSince ??= now;
  if (interruptedAt !== undefined && pace.until > interruptedAt + PATIENCE_AFTER_INTERRUPT_MS) {
    return interruptedFault(options.signal);
  }
  const patienceMs = ticket.request.patienceMs ?? options.patienceMs;
  return pace.until > ticket.limitedSince + patienceMs
    ? patienceFault({
        now,
        until: pace.until,
        limit,
        lastsMs: lastsMs(lane, now),
        waitedMs: now - ticket.limitedSince,
        patienceMs,
      })
    : undefined;
}

/** The longest time until a limit whose window is known lets the oldest own request leave it. */
const lastsMs = ({ limit, passed }: Lane, now: number): number | undefined =>
  limit && (passed.find((at) => at > now - limit.windowMs) ?? now) + limit.windowMs - now;

/** The time for which a limit has held the request back; undefined when none does. */
const waitedMs = ({ limitedSince }: Ticket, pace: Pace, now: number): number | undefined =>
  limitedSince === undefined || pace.until <= now ? undefined : now - limitedSince;

function openAdmission(state: QueueState, paceName: string): SendPermit {
  const lane = laneOf(state, paceName);
  const { epoch } = lane.pace;
  const { clock, random, concurrency } = state.options;
  let released = false;
  lane.running += 1;
  state.running += 1;
  return {
    limit: lane.limit,
    release() {
      if (released) return;
      released = true;
      lane.running -= 1;
      state.running -= 1;
      admitQueued(state);
    },
    report(result) {
      const now = clock.now();
      const window = ownWindow(lane, now);
      if (result.kind === 'limited') {
        const { retryAfterMs } = result;
        lane.pace = afterLimited(lane.pace, { epoch, now, random: random(), retryAfterMs, window });
      } else {
        if (window) lane.passed.push(now);
        lane.pace = afterPassed(lane.pace, epoch, concurrency);
      }
      admitQueued(state);
    },
  };
}

/** Forgets the own requests that have left the window, and returns the window. */
function ownWindow({ limit, passed }: Lane, now: number) {
  if (limit === undefined) return undefined;
  const left = passed.findIndex((at) => at > now - limit.windowMs);
  passed.splice(0, left < 0 ? passed.length : left);
  return { ms: limit.windowMs, oldest: passed[0] };
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

const interruptedFault = (signal: AbortSignal | undefined): Fault =>
  new Fault('gateway.interrupted', 'The run was interrupted before this request was sent.', {
    detail: { sent: 'no' },
    cause: signal?.reason,
  });

interface OutlastedWait {
  readonly now: number;
  readonly until: number;
  readonly limit: KnownLimit | undefined;
  readonly lastsMs: number | undefined;
  readonly waitedMs: number;
  readonly patienceMs: number;
}

const secondsOf = (ms: number): number => Math.ceil(ms / 1000);

function patienceFault(wait: OutlastedWait): Fault {
  const { now, until, limit, lastsMs: lasts, patienceMs } = wait;
  const waitMs = until - now;
  const detail = { sent: 'no', waitMs };
  const seconds = secondsOf(waitMs);
  if (limit?.note === undefined) {
    const waited = secondsOf(wait.waitedMs);
    const soFar = waited === 0 ? '' : `, after ${waited} s of waiting`;
    const ends =
      lasts === undefined ? 'Try again later.' : `The limit ends in ${secondsOf(Math.max(waitMs, lasts))} s at most.`;
    return new Fault(
      'gateway.rate-limited',
      `the gateway responds with 429 (too many requests)${soFar}. The next attempt would be in ${seconds} s, and a request waits ${secondsOf(patienceMs)} s in all.`,
      { hint: `${ends} The rejected request had no effect.`, remedy: 'lower-concurrency', detail },
    );
  }
  const at = renderInstant(Math.ceil(until / 1000));
  return new Fault('gateway.rate-limited', `a rate limit of the gateway is reached, until ${at} at the latest.`, {
    hint: `Try again in ${Math.max(1, Math.round(seconds / 60))} minutes. ${limit.note} The rejected request had no effect.`,
    detail,
  });
}
