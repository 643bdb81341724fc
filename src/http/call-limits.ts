import type { Http } from './http.ts';
import type { HttpRequest } from './request.ts';

/** The limits of one call, which may take several requests. */
export interface CallLimits {
  /**
   * Ends the call: a read at once, also while it waits; a write only before it is sent. One that was sent is finished, and looked
   * up if its response is lost. The reason of the signal is the cause of the fault.
   */
  readonly signal?: AbortSignal | undefined;
  /** The longest time of the whole call, with its waits and retries, in milliseconds. It ends the call as `signal` does. */
  readonly timeoutMs?: number | undefined;
  /**
   * The number of retries of each request after a failure or a 429; 0: none. By default three after a failure, and as many after
   * 429s as fit into ten minutes. A write whose response was lost is looked up, and never repeated blindly.
   */
  readonly maxRetries?: number | undefined;
}

/** Limits every request of one call. Once it has written, its reads show what became of that, and are not cut off. */
export function withLimits(http: Http, { signal, timeoutMs, maxRetries }: CallLimits): Http {
  const endsAt = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  let hasWritten = false;
  const limited = (request: HttpRequest): HttpRequest => {
    const retries = { maxRetries: request.maxRetries ?? maxRetries };
    const writes = request.effect === 'writes';
    if (hasWritten && !writes) return { ...request, ...retries };
    hasWritten ||= writes;
    const isBoth = request.signal !== undefined && signal !== undefined;
    return {
      ...request,
      ...retries,
      signal: isBoth ? AbortSignal.any([request.signal, signal]) : (request.signal ?? signal),
      ...(endsAt === undefined ? {} : { deadlineMs: Math.max(0, endsAt - performance.now()), callMs: timeoutMs }),
      ...(writes ? { completesOnceSent: true } : {}),
    };
  };
  return { ...http, send: (request) => http.send(limited(request)), open: (request) => http.open(limited(request)) };
}
