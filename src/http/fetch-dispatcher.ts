import type { Dispatcher } from 'undici';
import type { AnyDispatcher, SentRequest } from './exchange.ts';

/** The part of `fetch` that Keyplane uses: that of Node.js, or one that behaves like it. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array;
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
  },
) => Promise<Pick<Response, 'status' | 'headers' | 'body'>>;

/** Describes the body before it was decoded, which `fetch` has done. */
const OF_CODED_BODY: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

/** A connection of `fetch`, as far as the client controls it. */
interface Flow extends Dispatcher.DispatchController {
  /** Resolves while nobody has paused it. */
  readonly open: () => Promise<void>;
  readonly signal: AbortSignal;
}

function openFlow(): Flow {
  const cut = new AbortController();
  let failure: Error | null = null;
  let resumed: (() => void) | undefined;
  let gate = Promise.resolve();
  const resume = () => {
    resumed?.();
    resumed = undefined;
  };
  cut.signal.addEventListener('abort', resume, { once: true });
  return {
    signal: cut.signal,
    open: () => gate,
    abort(reason) {
      failure = reason;
      cut.abort(reason);
    },
    pause() {
      gate = new Promise((done) => {
        resumed = done;
      });
    },
    resume,
    get aborted() {
      return cut.signal.aborted;
    },
    get paused() {
      return resumed !== undefined;
    },
    get reason() {
      return failure;
    },
  };
}

async function transfer(
  fetch: Fetch,
  { origin, path, method, headers, body }: SentRequest,
  { handler, flow }: { readonly handler: Dispatcher.DispatchHandler; readonly flow: Flow },
): Promise<void> {
  const { signal } = flow;
  const response = await fetch(`${origin}${path}`, {
    method,
    headers,
    ...(body === null ? {} : { body }),
    signal,
    redirect: 'manual',
  });
  const kept = [...response.headers].filter(([name]) => !OF_CODED_BODY.has(name));
  handler.onResponseStart?.(flow, response.status, Object.fromEntries(kept), '');
  for await (const chunk of response.body ?? []) {
    handler.onResponseData?.(flow, Buffer.from(chunk));
    await flow.open();
    if (signal.aborted) return;
  }
  handler.onResponseEnd?.(flow, {});
}

/**
 * Sends requests with a `fetch`. It does not show when a request leaves this machine, so a request that fails without a response
 * counts as one that may have been sent.
 */
export const fetchDispatcher = (fetch: Fetch): AnyDispatcher => ({
  dispatch(options: SentRequest, handler: Dispatcher.DispatchHandler) {
    const flow = openFlow();
    handler.onRequestStart?.(flow, {});
    if (flow.aborted) return true;
    transfer(fetch, options, { handler, flow }).catch((thrown: unknown) => {
      // `fetch failed` has the error of the connection as its cause.
      const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
      handler.onResponseError?.(flow, cause instanceof Error ? cause : new Error(String(cause)));
    });
    return true;
  },
});
