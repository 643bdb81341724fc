import type { Dispatcher } from 'undici';
import { type ChunkQueue, openChunkQueue } from './chunk-queue.ts';
import { type Deadlines, type Exceeded, startDeadlines, type Timeouts } from './deadlines.ts';
import type { AbortWatch } from './on-abort.ts';
import type { HttpRequest, RawHead, SentCertainty } from './request.ts';

/** An exchange that ended without a complete response. */
export class ExchangeError extends Error {
  readonly sent: SentCertainty;
  readonly reason: 'network' | 'timeout' | 'too-large' | 'undecodable' | 'repeated' | 'aborted';
  /** The limit of a `timeout`. */
  readonly exceeded: Exceeded | undefined;

  constructor(reason: ExchangeError['reason'], sent: SentCertainty, cause?: unknown, exceeded?: Exceeded) {
    super(reason, { cause });
    this.reason = reason;
    this.exceeded = exceeded;
    this.sent = sent;
  }
}

/** A response of any status whose head has arrived and whose body is on its way. */
export interface RawResponse extends RawHead {
  /** The body as sent, not decoded. Throws ExchangeError when it breaks off. */
  readonly body: AsyncIterator<Uint8Array, undefined>;
  /** Discards the rest of the body and closes the connection. */
  readonly abandon: () => void;
  /** Resolves when the body has ended, broken off, or been abandoned. */
  readonly over: Promise<void>;
}

/** Sends requests: a dispatcher of undici 7 or newer, or one that behaves like it. */
export interface AnyDispatcher {
  /** Sends one request, and calls the handler as its response arrives. */
  dispatch(options: object, handler: object): boolean;
}

export interface ExchangeOptions {
  readonly timeouts: Timeouts;
  readonly maxBytes: number;
  readonly aborts: AbortWatch;
}

/**
 * Sends one request once and resolves with the response when its head arrives. Does not retry or follow redirects.
 * @throws ExchangeError
 */
export function exchange(
  dispatcher: AnyDispatcher,
  request: HttpRequest,
  options: ExchangeOptions,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let over: () => void = () => undefined;
    // Before the timers start: it fails for what is not a signal, and nothing would stop them.
    const abort = () => {
      if (!request.completesOnceSent || run.sent === 'no') fail(run, 'aborted');
    };
    const ignoreAbort = options.aborts.onAbort(request.signal, abort);
    const run: OpenExchange = {
      options,
      sent: 'no',
      ended: false,
      bytes: 0,
      queue: openChunkQueue({ onFull: () => pause(run), onDrained: () => resume(run) }),
      deadlines: startDeadlines(options.timeouts, (exceeded) => fail(run, 'timeout', undefined, exceeded)),
      over: new Promise((done) => {
        over = done;
      }),
      resolve,
      reject,
      onOver() {
        ignoreAbort();
        over();
      },
    };
    if (request.signal?.aborted) abort();
    else dispatch(dispatcher, request, handlerOf(run));
  });
}

/** The state of one exchange under way. */
interface OpenExchange {
  readonly options: ExchangeOptions;
  readonly deadlines: Deadlines;
  readonly queue: ChunkQueue;
  readonly over: Promise<void>;
  readonly onOver: () => void;
  readonly resolve: (response: RawResponse) => void;
  readonly reject: (failure: ExchangeError) => void;
  sent: SentCertainty;
  ended: boolean;
  bytes: number;
  control?: Dispatcher.DispatchController;
}

function handlerOf(run: OpenExchange): Dispatcher.DispatchHandler {
  const { deadlines, options, queue } = run;
  const { headersMs, bodyMs } = options.timeouts;
  return {
    onRequestStart(controller) {
      // The exchange ended before it got a connection: do not send the request.
      if (run.ended) return controller.abort(new Error('abandoned'));
      run.control = controller;
      // undici may dispatch again what it believes was not processed; that decision belongs to the caller.
      if (run.sent !== 'no') return fail(run, 'repeated');
      run.sent = 'maybe';
      deadlines.next(headersMs);
    },
    onResponseStart(_controller, status, headers) {
      // A 1xx is not the final response.
      if (run.ended || status < 200) return;
      run.sent = 'yes';
      deadlines.next(bodyMs);
      run.resolve({ status, headers, body: bodyOf(run), abandon: () => abandon(run), over: run.over });
      // None of it is read: waiting for it would take the time and the memory up to the limit.
      if (Number(headers['content-length']) > options.maxBytes) fail(run, 'too-large');
    },
    onResponseData(controller, chunk) {
      if (run.ended) return;
      run.bytes += chunk.length;
      if (run.bytes > options.maxBytes) return fail(run, 'too-large');
      queue.push(chunk);
      if (!controller.paused) deadlines.next(bodyMs);
    },
    onResponseEnd() {
      if (end(run)) queue.end();
    },
    onResponseError: (_controller, error) => fail(run, 'network', error),
  };
}

const bodyOf = (run: OpenExchange): RawResponse['body'] => ({
  next: () => run.queue.read(),
  async return() {
    abandon(run);
    return { done: true, value: undefined };
  },
});

/** Pauses the connection, and the deadline with it: a slow reader is not the server's fault. */
function pause(run: OpenExchange): void {
  run.control?.pause();
  run.deadlines.pause();
}

function resume(run: OpenExchange): void {
  if (run.ended) return;
  run.deadlines.next(run.options.timeouts.bodyMs);
  run.control?.resume();
}

/** Returns false when the exchange had already ended. */
function end(run: OpenExchange): boolean {
  if (run.ended) return false;
  run.ended = true;
  run.deadlines.end();
  run.onOver();
  return true;
}

function fail(run: OpenExchange, reason: ExchangeError['reason'], cause?: unknown, exceeded?: Exceeded): void {
  if (!end(run)) return;
  const failure = new ExchangeError(reason, run.sent, cause, exceeded);
  run.control?.abort(failure);
  if (run.sent !== 'yes') run.reject(failure);
  else if (reason === 'aborted') run.queue.drop(failure);
  else run.queue.fail(failure);
}

function abandon(run: OpenExchange): void {
  if (end(run)) run.control?.abort(new Error('abandoned'));
  run.queue.drop();
}

/** A request as a dispatcher gets it, with limits that only undici knows. */
export interface SentRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: HttpRequest['method'];
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | null;
}

/** The deadlines of an exchange are ours. */
const LIMITS = { headersTimeout: 0, bodyTimeout: 0, idempotent: false };

function dispatch(dispatcher: AnyDispatcher, request: HttpRequest, handler: Dispatcher.DispatchHandler): void {
  const { url, method, headers, body } = request;
  const sent: SentRequest & typeof LIMITS = {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { ...headers },
    body: body ?? null,
    ...LIMITS,
  };
  try {
    dispatcher.dispatch(sent, handler);
  } catch (error) {
    handler.onResponseError?.(undefined as never, error as Error);
  }
}
