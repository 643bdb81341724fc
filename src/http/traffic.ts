import { Fault } from '../domain/index.ts';
import type { Clock } from './clock.ts';
import { abortedFault } from './no-answer-fault.ts';
import { afterLimited, afterPassed, openPace, type Pace } from './pace.ts';
import type { HttpRequest } from './request.ts';

/** One request's place in the queue, kept over all its attempts: who came first goes first. */
export interface Ticket {
  readonly order: number;
  readonly request: HttpRequest;
  /** When a limit first held it up: patience is counted from there, over all its waits. */
  heldSince?: number;
}

/** Leave to send one attempt. */
export interface Admission {
  /** What the head of the answer says of the limit; told before it is left, because the body may take long. */
  hear(news: { kind: 'limited'; retryAfterMs: number | undefined } | { kind: 'passed' }): void;
  /** Every admission must be left, once; more does no harm. */
  leave(): void;
}

export interface TrafficOptions {
  /** Requests under way together, over all paces. */
  readonly concurrency: number;
  /** How long one request lets itself be held up by limits. */
  readonly patienceMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal;
}

/** What patience is left to reads once the run is interrupted: enough to look something up, not to sit out a limit. */
const PATIENCE_AFTER_INTERRUPT_MS = 10_000;

interface Waiting {
  readonly ticket: Ticket;
  readonly admit: (admission: Admission) => void;
  readonly refuse: (fault: Fault) => void;
}

interface Traffic {
  readonly options: TrafficOptions;
  readonly paces: Map<string, { pace: Pace; running: number }>;
  waiting: Waiting[];
  running: number;
  orders: number;
  interruptedAt: number | undefined;
  /** Ends the sleep until the next door opens. */
  alarm: AbortController | undefined;
}

/**
 * The queue that all requests go through: it bounds how many are under way, holds each pace back as its limit asks, and
 * ends the waits of an interrupted run.
 */
export function openTraffic(options: TrafficOptions) {
  const traffic: Traffic = {
    options,
    paces: new Map(),
    waiting: [],
    running: 0,
    orders: 0,
    interruptedAt: undefined,
    alarm: undefined,
  };
  const interrupt = () => {
    traffic.interruptedAt = options.clock.now();
    pump(traffic);
  };
  if (options.signal?.aborted) interrupt();
  else options.signal?.addEventListener('abort', interrupt, { once: true });
  return {
    ticket: (request: HttpRequest): Ticket => ({ order: traffic.orders++, request }),
    /**
     * Resolves when the request may be sent.
     * @throws Fault `gateway.rate-limited` when patience ends, `gateway.interrupted` when the run did or the asker gave up.
     */
    enter: (ticket: Ticket): Promise<Admission> => enter(traffic, ticket),
    /** How long this pace is closed yet, in milliseconds. */
    closedFor: (pace: string): number => Math.max(0, lane(traffic, pace).pace.until - options.clock.now()),
    close(): void {
      options.signal?.removeEventListener('abort', interrupt);
      for (const { refuse } of traffic.waiting.splice(0)) refuse(interruptedFault());
      traffic.alarm?.abort();
    },
  };
}

async function enter(traffic: Traffic, ticket: Ticket): Promise<Admission> {
  const { signal } = ticket.request;
  const giveUp = () => pump(traffic);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return await new Promise<Admission>((admit, refuse) => {
      traffic.waiting.push({ ticket, admit, refuse });
      traffic.waiting.sort((a, b) => a.ticket.order - b.ticket.order);
      pump(traffic);
    });
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

function lane(traffic: Traffic, name: string) {
  let found = traffic.paces.get(name);
  if (!found) {
    found = { pace: openPace(traffic.options.concurrency), running: 0 };
    traffic.paces.set(name, found);
  }
  return found;
}

/** Lets go whoever may go, refuses whoever may not any more, and sets the alarm for the rest. */
function pump(traffic: Traffic): void {
  const now = traffic.options.clock.now();
  let wakeAt = Number.POSITIVE_INFINITY;
  traffic.waiting = traffic.waiting.filter((waiting) => {
    const { pace, running } = lane(traffic, waiting.ticket.request.pace);
    const fault = refusal(traffic, waiting.ticket, pace, now);
    if (fault) {
      waiting.refuse(fault);
      return false;
    }
    if (pace.until > now) wakeAt = Math.min(wakeAt, pace.until);
    else if (running < pace.width && traffic.running < traffic.options.concurrency) {
      waiting.admit(admission(traffic, waiting.ticket.request.pace));
      return false;
    }
    return true;
  });
  setAlarm(traffic, wakeAt - now);
}

function refusal(traffic: Traffic, ticket: Ticket, pace: Pace, now: number): Fault | undefined {
  const { interruptedAt, options } = traffic;
  if (ticket.request.signal?.aborted) return abortedFault(ticket.request, 'no');
  if (interruptedAt !== undefined && ticket.request.effect === 'writes') return interruptedFault();
  if (pace.until <= now) return undefined;
  ticket.heldSince ??= now;
  if (interruptedAt !== undefined && pace.until > interruptedAt + PATIENCE_AFTER_INTERRUPT_MS) {
    return interruptedFault();
  }
  const patienceMs = ticket.request.patienceMs ?? options.patienceMs;
  return pace.until > ticket.heldSince + patienceMs ? limitedFault(pace.until - now) : undefined;
}

function admission(traffic: Traffic, name: string): Admission {
  const mine = lane(traffic, name);
  const { epoch } = mine.pace;
  const { clock, random, concurrency } = traffic.options;
  let left = false;
  mine.running += 1;
  traffic.running += 1;
  return {
    leave() {
      if (left) return;
      left = true;
      mine.running -= 1;
      traffic.running -= 1;
      pump(traffic);
    },
    hear(news) {
      if (news.kind === 'limited') {
        const answer = { epoch, now: clock.now(), random: random(), retryAfterMs: news.retryAfterMs };
        mine.pace = afterLimited(mine.pace, answer);
      }
      if (news.kind === 'passed') mine.pace = afterPassed(mine.pace, epoch, concurrency);
      pump(traffic);
    },
  };
}

function setAlarm(traffic: Traffic, ms: number): void {
  traffic.alarm?.abort();
  traffic.alarm = undefined;
  if (!Number.isFinite(ms)) return;
  const alarm = new AbortController();
  traffic.alarm = alarm;
  void traffic.options.clock.sleep(ms, alarm.signal).then(() => {
    if (!alarm.signal.aborted) pump(traffic);
  });
}

const interruptedFault = (): Fault =>
  new Fault('gateway.interrupted', 'The run was interrupted before this request was sent.', {
    detail: { sent: 'no' },
  });

function limitedFault(waitMs: number): Fault {
  const seconds = Math.ceil(waitMs / 1000);
  return new Fault('gateway.rate-limited', `The gateway kept answering 429; the next try would be in ${seconds} s.`, {
    hint: 'Run it again later. Nothing was done by the refused request.',
    remedy: 'lower-concurrency',
    detail: { sent: 'no', waitMs },
  });
}
