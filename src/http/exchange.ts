import type { Dispatcher } from 'undici';
import { type ChunkQueue, openChunkQueue } from './chunk-queue.ts';
import { type Deadlines, startDeadlines, type Timeouts } from './deadlines.ts';
import { NoAnswer } from './no-answer.ts';
import type { HttpRequest, Sent } from './request.ts';

/** One answer as it comes, whatever its status: the head is here, the body is on its way. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it was sent, not decoded. Throws NoAnswer where it breaks off. */
  readonly body: AsyncIterator<Uint8Array, undefined>;
  /** Gives the rest of the body up, and the connection with it. */
  readonly giveUp: () => void;
  /** Resolves when the exchange is over: the body came whole, broke off, or was given up. */
  readonly over: Promise<void>;
}

export interface ExchangeOptions {
  readonly timeouts: Timeouts;
  readonly maxBytes: number;
}

/**
 * Sends one request once and gives the answer as soon as its head is here. Follows nothing, repeats nothing.
 * @throws NoAnswer
 */
export function exchange(dispatcher: Dispatcher, request: HttpRequest, options: ExchangeOptions): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let over: () => void = () => undefined;
    const run: Run = {
      options,
      sent: 'no',
      ended: false,
      bytes: 0,
      queue: openChunkQueue({ onFull: () => pause(run), onDrained: () => resume(run) }),
      deadlines: startDeadlines(options.timeouts, () => fail(run, 'timeout')),
      over: new Promise((done) => {
        over = done;
      }),
      resolve,
      reject,
      onOver() {
        request.signal?.removeEventListener('abort', abort);
        over();
      },
    };
    const abort = () => fail(run, 'aborted');
    request.signal?.addEventListener('abort', abort, { once: true });
    if (request.signal?.aborted) abort();
    else dispatch(dispatcher, request, handlerOf(run));
  });
}

/** One exchange under way. */
interface Run {
  readonly options: ExchangeOptions;
  readonly deadlines: Deadlines;
  readonly queue: ChunkQueue;
  readonly over: Promise<void>;
  readonly onOver: () => void;
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (failure: NoAnswer) => void;
  sent: Sent;
  ended: boolean;
  bytes: number;
  control?: Dispatcher.DispatchController;
}

function handlerOf(run: Run): Dispatcher.DispatchHandler {
  const { deadlines, options, queue } = run;
  const { headersMs, bodyMs } = options.timeouts;
  return {
    onRequestStart(controller) {
      // Given up before there was a connection: it does not go out any more.
      if (run.ended) return controller.abort(new Error('given up'));
      run.control = controller;
      // undici may dispatch again what it believes was not taken up; that is not for it to judge here.
      if (run.sent !== 'no') return fail(run, 'repeated');
      run.sent = 'maybe';
      deadlines.next(headersMs);
    },
    onResponseStart(_controller, status, headers) {
      // 1xx are no answers.
      if (run.ended || status < 200) return;
      run.sent = 'yes';
      deadlines.next(bodyMs);
      run.resolve({ status, headers, body: bodyOf(run), giveUp: () => giveUp(run), over: run.over });
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

const bodyOf = (run: Run): RawAnswer['body'] => ({
  next: () => run.queue.read(),
  async return() {
    giveUp(run);
    return { done: true, value: undefined };
  },
});

/** Of a body that is not read as fast as it comes, the other side is not to blame. */
function pause(run: Run): void {
  run.control?.pause();
  run.deadlines.hold();
}

function resume(run: Run): void {
  if (run.ended) return;
  run.deadlines.next(run.options.timeouts.bodyMs);
  run.control?.resume();
}

/** False: it had ended before. */
function end(run: Run): boolean {
  if (run.ended) return false;
  run.ended = true;
  run.deadlines.end();
  run.onOver();
  return true;
}

function fail(run: Run, why: NoAnswer['why'], cause?: unknown): void {
  if (!end(run)) return;
  const failure = new NoAnswer(why, run.sent, cause);
  run.control?.abort(failure);
  if (run.sent !== 'yes') run.reject(failure);
  else if (why === 'aborted') run.queue.drop(failure);
  else run.queue.fail(failure);
}

function giveUp(run: Run): void {
  if (end(run)) run.control?.abort(new Error('given up'));
  run.queue.drop();
}

function dispatch(dispatcher: Dispatcher, request: HttpRequest, handler: Dispatcher.DispatchHandler): void {
  const { url, method, headers, body } = request;
  const path = url.pathname + url.search;
  const limits = { headersTimeout: 0, bodyTimeout: 0, idempotent: false };
  try {
    dispatcher.dispatch(
      { origin: url.origin, path, method, headers: { ...headers }, body: body ?? null, ...limits },
      handler,
    );
  } catch (error) {
    handler.onResponseError?.(undefined as never, error as Error);
  }
}
