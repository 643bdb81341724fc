import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type Deadlines, startDeadlines, type Timeouts } from './deadlines.ts';
import type { HttpRequest, Sent } from './request.ts';

/** One answer as it came, whatever its status. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Why no whole answer came. */
export class NoAnswer extends Error {
  readonly sent: Sent;
  readonly why: 'network' | 'timeout' | 'too-large' | 'undecodable' | 'repeated';

  constructor(why: NoAnswer['why'], sent: Sent, cause?: unknown) {
    super(why, { cause });
    this.why = why;
    this.sent = sent;
  }
}

export interface ExchangeOptions {
  readonly timeouts: Timeouts;
  readonly maxBytes: number;
}

/**
 * Sends one request once and reads the answer whole. Follows nothing, repeats nothing.
 * @throws NoAnswer
 */
export function exchange(dispatcher: Dispatcher, request: HttpRequest, options: ExchangeOptions): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const run: Run = {
      options,
      sent: 'no',
      ended: false,
      chunks: [],
      bytes: 0,
      deadlines: startDeadlines(options.timeouts, () => fail(run, 'timeout')),
      resolve,
      reject,
    };
    dispatch(dispatcher, request, handlerOf(run));
  });
}

/** One exchange under way. */
interface Run {
  readonly options: ExchangeOptions;
  readonly deadlines: Deadlines;
  readonly chunks: Buffer[];
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (failure: NoAnswer) => void;
  sent: Sent;
  ended: boolean;
  bytes: number;
  head?: Omit<RawAnswer, 'text'>;
  control?: Dispatcher.DispatchController;
}

function handlerOf(run: Run): Dispatcher.DispatchHandler {
  const { deadlines, options } = run;
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
      run.sent = 'yes';
      run.head = { status, headers };
      deadlines.next(bodyMs);
    },
    onResponseData(_controller, chunk) {
      run.chunks.push(chunk);
      run.bytes += chunk.length;
      if (run.bytes > options.maxBytes) fail(run, 'too-large');
      else deadlines.next(bodyMs);
    },
    onResponseEnd: () => succeed(run),
    onResponseError: (_controller, error) => fail(run, 'network', error),
  };
}

function fail(run: Run, why: NoAnswer['why'], cause?: unknown): void {
  if (run.ended) return;
  run.ended = true;
  run.deadlines.end();
  const failure = new NoAnswer(why, run.sent, cause);
  run.control?.abort(failure);
  run.reject(failure);
}

function succeed(run: Run): void {
  if (run.ended || !run.head) return;
  try {
    const text = decoded(Buffer.concat(run.chunks), run.head.headers, run.options.maxBytes);
    run.ended = true;
    run.deadlines.end();
    run.resolve({ ...run.head, text });
  } catch (error) {
    fail(run, 'undecodable', error);
  }
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

type Inflate = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;
const CODINGS: Readonly<Record<string, Inflate>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** No coding is asked for, yet some proxies always use one. */
function decoded(bytes: Buffer, headers: RawAnswer['headers'], maxBytes: number): string {
  const coding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  const inflate = CODINGS[coding];
  const plain = inflate && bytes.length > 0 ? inflate(bytes, { maxOutputLength: maxBytes }) : bytes;
  if (!inflate && coding !== 'identity' && coding !== '') throw new Error(`unknown coding ${coding}`);
  // The decoder drops a byte order mark.
  return new TextDecoder().decode(plain);
}
