import type { FaultCode } from '../domain/index.ts';
import { type HttpRequest, type RawHead, requestIdOf } from './request.ts';
import { describeRequest, type TraceEvent } from './trace.ts';

/** One attempt of a request. */
export interface RequestEvent {
  /** Identifies the request within its client; all attempts of one request have the same. */
  readonly id: number;
  /** Counts from 1 for each request. */
  readonly attempt: number;
  /** The HTTP method. */
  readonly method: HttpRequest['method'];
  /** The path, with only numbers and flags of the query: a search term may be a secret. */
  readonly path: string;
  /** The host and the port of the URL. */
  readonly host: string;
}

/** The end of an attempt: a response of any status, read to its end or open as a stream, or a fault instead of one. */
export interface ResponseEvent extends RequestEvent {
  /** Undefined when there was no response, or it broke off. */
  readonly status?: number;
  /** The fault of an attempt without a complete response. */
  readonly code?: FaultCode;
  /** The server's id of the request. */
  readonly requestId?: string;
  /** Milliseconds since the attempt was sent. */
  readonly ms: number;
}

/** A wait before a request is sent, or sent again. */
export interface RetryEvent extends RequestEvent {
  /** `rate-limited`: the gateway limits the number of requests; `retry`: an attempt failed. */
  readonly reason: 'rate-limited' | 'retry';
  /** The wait in milliseconds. */
  readonly ms: number;
}

/**
 * Functions that are called for each attempt, for logs, metrics and traces. They see no header, no body and no secret. What they
 * return is ignored, and what they throw, too: they cannot change a request.
 */
export interface HttpHooks {
  /** Called before each attempt. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called when the headers of a response arrive, or an attempt fails. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before each wait for a retry. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}

/** An attempt that is about to be sent, or waits for it. */
export interface RequestAttempt {
  readonly id: number;
  readonly attempt: number;
  readonly request: HttpRequest;
}

/** The end of an attempt. */
export type AttemptEnd = { readonly ms: number } & (
  | { readonly raw: RawHead; readonly date?: string }
  | { readonly raw: RawHead | undefined; readonly code: FaultCode }
);

/** Those who watch what the client does. Nothing that they throw gets out. */
export interface Observer {
  sending(attempted: RequestAttempt): void;
  ended(attempted: RequestAttempt, end: AttemptEnd): void;
  waiting(attempted: RequestAttempt, wait: Pick<RetryEvent, 'reason' | 'ms'>): void;
}

/** Calls a foreign function, also an asynchronous one, whose failure is its own. */
function callSafely<E>(hook: ((event: E) => unknown) | undefined, event: E): void {
  try {
    const result: unknown = hook?.(event);
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // A watcher changes nothing.
  }
}

const eventOf = ({ id, attempt, request }: RequestAttempt): RequestEvent => ({
  id,
  attempt,
  ...describeRequest(request),
  host: request.url.host,
});

const outcomeOf = (end: AttemptEnd) =>
  'code' in end
    ? ({ kind: 'failure', code: end.code, ms: end.ms } as const)
    : ({ kind: 'answer', status: end.raw.status, ms: end.ms, ...(end.date && { date: end.date }) } as const);

export function observerOf(hooks: readonly HttpHooks[], onTrace: ((event: TraceEvent) => void) | undefined): Observer {
  const traced = ({ attempt, request }: RequestAttempt) => ({ ...describeRequest(request), attempt });
  return {
    sending(attempted) {
      if (hooks.length === 0) return;
      const event = eventOf(attempted);
      for (const { onRequest } of hooks) callSafely(onRequest, event);
    },
    ended(attempted, end) {
      const { ms, raw } = end;
      const { status } = raw ?? {};
      if (onTrace) callSafely(onTrace, { ...traced(attempted), ...outcomeOf(end) });
      if (hooks.length === 0) return;
      const event: ResponseEvent = {
        ...eventOf(attempted),
        ms,
        ...(status === undefined ? {} : { status }),
        ...('code' in end ? { code: end.code } : {}),
        ...(raw === undefined ? {} : requestIdOf(raw, attempted.request)),
      };
      for (const { onResponse } of hooks) callSafely(onResponse, event);
    },
    waiting(attempted, wait) {
      if (onTrace) callSafely(onTrace, { kind: 'wait', ...traced(attempted), ...wait });
      if (hooks.length === 0) return;
      const event = { ...eventOf(attempted), ...wait };
      for (const { onRetry } of hooks) callSafely(onRetry, event);
    },
  };
}
