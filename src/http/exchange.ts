import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { HttpRequest, Sent } from './request.ts';

export interface Timeouts {
  readonly connectMs: number;
  /** From the request being sent to the head of the answer. */
  readonly headersMs: number;
  /** Between two parts of the body. */
  readonly bodyMs: number;
  /** One attempt as a whole. */
  readonly totalMs: number;
}

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
    const { timeouts, maxBytes } = options;
    const chunks: Buffer[] = [];
    let [sent, bytes, ended]: [Sent, number, boolean] = ['no', 0, false];
    let head: Omit<RawAnswer, 'text'> | undefined;
    let control: Dispatcher.DispatchController | undefined;
    const fail = (why: NoAnswer['why'], cause?: unknown) => {
      if (ended) return;
      end();
      const failure = new NoAnswer(why, sent, cause);
      control?.abort(failure);
      reject(failure);
    };
    const end = () => {
      ended = true;
      clearTimeout(total);
      clearTimeout(stage);
    };
    const total = setTimeout(fail, timeouts.totalMs, 'timeout');
    // undici's own timers tick once a second; these are exact, and tell which stage it was.
    let stage = setTimeout(fail, timeouts.connectMs, 'timeout');
    const nextStage = (ms: number) => {
      clearTimeout(stage);
      if (!ended) stage = setTimeout(fail, ms, 'timeout');
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // Given up before there was a connection: it does not go out any more.
        if (ended) return controller.abort(new Error('given up'));
        control = controller;
        // undici may dispatch again what it believes was not taken up; that is not for it to judge here.
        if (sent !== 'no') return fail('repeated');
        sent = 'maybe';
        nextStage(timeouts.headersMs);
      },
      onResponseStart(_controller, status, headers) {
        sent = 'yes';
        head = { status, headers };
        nextStage(timeouts.bodyMs);
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > maxBytes) fail('too-large');
        else nextStage(timeouts.bodyMs);
      },
      onResponseEnd() {
        if (ended || !head) return fail('network');
        try {
          const answer = { ...head, text: decoded(Buffer.concat(chunks), head.headers, maxBytes) };
          end();
          resolve(answer);
        } catch (error) {
          fail('undecodable', error);
        }
      },
      onResponseError: (_controller, error) => fail('network', error),
    };
    dispatch(dispatcher, request, handler);
  });
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
