import { setImmediate as pass } from 'node:timers/promises';
import { type Clock, systemClock } from './clock.ts';
import type { Timeouts } from './deadlines.ts';
import { exchange } from './exchange.ts';
import { type HttpHooks, observerOf } from './hooks.ts';
import { watchAborts } from './on-abort.ts';
import type { KnownLimit } from './pace.ts';
import type { HttpRequest, HttpResponse, OpenResponse } from './request.ts';
import { openRequestQueue } from './request-queue.ts';
import { openWithRetries, type SendContext, sendWithRetries } from './send.ts';
import type { TraceEvent } from './trace.ts';
import { openTransport, type TransportOptions, withOwnHeaders } from './transport.ts';

export interface HttpOptions extends TransportOptions {
  readonly timeouts?: Partial<Timeouts>;
  /** The number of concurrent requests. Defaults to 8. */
  readonly concurrency?: number;
  /** The longest time that one request waits for rate limits. Defaults to ten minutes. */
  readonly patienceMs?: number;
  /** The limits of paces, where they are known: they shorten waits, or end them immediately. */
  readonly limits?: Readonly<Record<string, KnownLimit>>;
  /** The longest response that is read, in bytes. Defaults to 64 MB. */
  readonly maxBytes?: number;
  /** Ends the waits of writes and sends no further one. Reads continue with little patience; requests under way finish. */
  readonly signal?: AbortSignal;
  readonly onTrace?: (event: TraceEvent) => void;
  readonly hooks?: readonly HttpHooks[];
  readonly clock?: Clock;
  /** 0 to 1. */
  readonly random?: () => number;
}

export interface Http {
  /**
   * Sends a request, retries it as its rules allow, and returns any response whose status is not 3xx, 429 or 5xx.
   *
   * @throws Fault `gateway.unreachable`, `gateway.timeout`, `gateway.connection-lost`, `gateway.unavailable`,
   * `gateway.rate-limited`, `gateway.redirected`, `gateway.not-json`, `gateway.unexpected-shape`, or
   * `gateway.interrupted`, also when `request.signal` aborts. Its detail has the method, the path, the status, and
   * `sent`: `no`, `maybe` or `yes`. A fault whose `retry` is not `look` was not processed in any attempt.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * The same up to the head of the response; its body then arrives as it is sent. Nothing is retried once the head is
   * here. A caller who does not read the body to its end leaves the loop early, or closes the response.
   *
   * @throws Fault as `send`, until the head; after that, reading the body throws.
   */
  open(request: HttpRequest): Promise<OpenResponse>;
  /** Closes every connection. */
  close(): Promise<void>;
}

const TIMEOUTS: Timeouts = { connectMs: 10_000, headersMs: 30_000, bodyMs: 30_000, totalMs: 60_000 };
const MAX_BYTES = 64 * 1024 * 1024;
const PATIENCE_MS = 600_000;

/**
 * Gives callers their turns, one after the other. What one has led to, such as the next request, is sent before the turn of the next:
 * a connection that was used takes two passes of the event loop until it sends again.
 *
 * Otherwise, responses that have arrived together would all be handled first, and the server would wait for the requests that follow them.
 */
function openTurns(): () => Promise<void> {
  let free = Promise.resolve();
  return () => {
    const turn = free;
    free = turn.then(() => pass()).then(() => pass());
    return turn;
  };
}

/** Opens a client. Does not connect yet, and does not read the environment. */
export function openHttp(options: HttpOptions = {}): Http {
  const { clock = systemClock, random = Math.random, concurrency = 8, patienceMs = PATIENCE_MS, limits = {} } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const transport = openTransport(options, { connectMs: timeouts.connectMs, concurrency });
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const aborts = watchAborts();
  const queue = openRequestQueue({ concurrency, patienceMs, limits, clock, random, aborts, ...signal });
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  const proxied = Boolean(options.proxy?.http || options.proxy?.https);
  const context: SendContext = {
    clock,
    random,
    queue,
    proxied,
    maxBytes,
    exchange: (request) =>
      exchange(transport.dispatcherFor(request.url), withOwnHeaders(request, options), {
        timeouts: { ...timeouts, ...request.timeouts },
        maxBytes: request.maxBytes ?? maxBytes,
        aborts,
      }),
    turn: openTurns(),
    observer: observerOf(options.hooks ?? [], options.onTrace),
    signal: options.signal,
    interrupted: () => options.signal?.aborted ?? false,
  };
  return {
    send: (request) => sendWithRetries(context, request),
    open: (request) => openWithRetries(context, request),
    async close() {
      queue.close();
      await transport.close();
    },
  };
}
