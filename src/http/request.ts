import type { Fault } from '../domain/index.ts';
import type { Timeouts } from './deadlines.ts';

/** A request, with the rules for retrying, slowing down and giving it up. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  /** May contain credentials: never shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** May contain secrets: never shown. */
  readonly body?: string | Uint8Array;
  /**
   * The rule for a request without a response. `yes`: send it again. `no`: send it again only when the server
   * certainly did not process it, that is, it was never sent or got a 429. `never`: not even then; it leaves this
   * machine at most once.
   */
  readonly retry: 'yes' | 'no' | 'never';
  /** After an interruption of the run, writes are no longer sent; reads are. */
  readonly effect: 'reads' | 'writes';
  /** The rate limit that it counts against: all requests of one pace slow down together. */
  readonly pace: string;
  /** Overrides the client's timeouts. */
  readonly timeouts?: Partial<Timeouts>;
  /** Cancels the request in the queue, under way, or in the middle of the response. */
  readonly signal?: AbortSignal | undefined;
  /** The longest time of all attempts and waits, to the end of the body; no limit by default. */
  readonly deadlineMs?: number | undefined;
  /** The limit of the whole call, of which the deadline is what is left: for messages. */
  readonly callMs?: number | undefined;
  /**
   * Attempts after a failure; with this set, also after a 429. By default three after a failure, and as many after 429s as
   * patience allows.
   */
  readonly maxRetries?: number | undefined;
  /** The signal and the deadline end only its waits: once it was sent, its response is waited for. */
  readonly completesOnceSent?: true;
  /** The longest response that is read, in bytes. Defaults to the client's limit. */
  readonly maxBytes?: number;
  /** The longest wait for rate limits. Defaults to the client's patience. */
  readonly patienceMs?: number;
  /** `answered` returns a 5xx that is not retried instead of throwing it, for callers that need its body. */
  readonly serverErrors?: 'thrown' | 'answered';
  /** Returns true for the response of a 429 that is a rejection and no limit: it is returned instead of waited for. */
  readonly isFinalLimit?: (response: HttpResponse) => boolean;
  /** Recognizes a rate limit in a 403, and its wait in a 429, where a server has its own way to announce them. */
  readonly limitOf?: (response: HttpResponse) => { readonly retryAfterMs: number | undefined } | undefined;
  /** Headers of the response that the caller needs, in lower case. */
  readonly readHeaders?: readonly string[];
  /**
   * `anywhere` also follows redirects to other paths and origins, without the credentials. Only for a GET that may be
   * repeated.
   */
  readonly redirects?: 'same-path' | 'anywhere';
}

/** The duration of the attempt that got the response, in milliseconds from when it was sent. */
export interface Timing {
  /** To the head of the response. */
  readonly firstByteMs: number;
  /** To the end of the response. */
  readonly totalMs: number;
}

/** A response whose status is not 3xx, 429 or, unless requested, 5xx. The caller decides whether it is a success. */
export interface HttpResponse {
  readonly status: number;
  /** The media type in lower case, without parameters; empty when it is missing. */
  readonly mediaType: string;
  /** The whole body, decoded, without a byte order mark. May contain secrets. */
  readonly text: string;
  readonly timing: Timing;
  /** The server's id of the request. */
  readonly requestId?: string;
  /** Those of `readHeaders` that it has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The fault of an earlier attempt of the same write: a rejection now does not undo what that attempt may have done. */
  readonly afterLoss?: Fault;
}

/** A response whose body is still arriving. It keeps its place in the queue until the body ends or is closed. */
export interface OpenResponse extends Omit<HttpResponse, 'text' | 'timing'> {
  readonly firstByteMs: number;
  /** Milliseconds since the attempt was sent. */
  readonly elapsedMs: () => number;
  /**
   * The decoded body as it arrives, to be read once. Leaving the loop early closes it.
   * Throws the Faults of a response that breaks off, times out, is too long or is aborted.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Discards the rest of the body. Harmless when the body has ended. */
  readonly close: () => void;
  /** Resolves when the body has ended, broken off, or been closed. */
  readonly over: Promise<void>;
}

/** The certainty that a request left this machine: `yes` once the head of a response arrived, `maybe` once the connection was open. */
export type SentCertainty = 'no' | 'maybe' | 'yes';

/** The head of a response. */
export interface RawHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export function headerOf({ headers }: RawHead, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The headers that the caller asked for. */
export function askedHeaders({ readHeaders = [] }: HttpRequest, raw: RawHead): Pick<HttpResponse, 'headers'> {
  const entries = readHeaders.flatMap((name) => {
    const value = headerOf(raw, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) };
}

const REQUEST_ID_HEADERS = ['x-request-id', 'x-oneapi-request-id', 'request-id'];

/** The request id, if it looks like one: it is shown, so it is none that repeats what a header of the request held. */
export function requestIdOf(raw: RawHead, request: Pick<HttpRequest, 'headers'>): { requestId?: string } {
  const found = REQUEST_ID_HEADERS.map((name) => headerOf(raw, name)).find((text) => text !== undefined);
  return found !== undefined && /^[\w.:-]{1,128}$/.test(found) && !repeatsHeader(found, request)
    ? { requestId: found }
    : {};
}

const CREDENTIAL_HEADER = /auth|token|key|secret|cookie/i;

/** The least length of a word that is worth hiding. */
const LEAST_WORD = 8;

/** Has it a word of a header, with or without `sk-` and in any case, or a large part of one? */
function repeatsHeader(id: string, { headers }: Pick<HttpRequest, 'headers'>): boolean {
  const [whole, bare] = [id.toLowerCase(), id.toLowerCase().replace(/^sk-/, '')];
  return Object.entries(headers).some(
    ([name, value]) =>
      CREDENTIAL_HEADER.test(name) &&
      value
        .toLowerCase()
        .split(' ')
        .map((word) => word.replace(/^sk-/, ''))
        .some((word) => {
          if (word.length < LEAST_WORD) return false;
          return whole.includes(word) || (bare.length >= LEAST_WORD && word.includes(bare));
        }),
  );
}

/** Names a request in messages by method and path, without the query, which may contain secrets. */
export const requestName = (request: Pick<HttpRequest, 'method' | 'url'>): string =>
  `${request.method} ${request.url.pathname}`;

/** The detail that all faults of one request share. */
export const requestDetail = (request: HttpRequest, sent: SentCertainty) => ({
  method: request.method,
  path: request.url.pathname,
  sent,
});
