import { Fault } from '../domain/index.ts';
import type { Clock } from './clock.ts';
import { decodedBody } from './decoding.ts';
import { ExchangeError, type RawResponse } from './exchange.ts';
import type { Observer } from './hooks.ts';
import type { KnownLimit } from './pace.ts';
import { redirectTarget } from './redirect.ts';
import { type HttpRequest, type HttpResponse, headerOf } from './request.ts';
import type { SendPermit } from './request-queue.ts';
import { type IncomingResponse, incompleteFault, readResponse } from './response.ts';
import { TRANSIENT_STATUS, tryParseRetryAfter } from './retry.ts';
import { rateLimitedFault, unavailableFault } from './status-fault.ts';

export interface AttemptContext {
  readonly clock: Clock;
  readonly proxied: boolean;
  readonly exchange: (request: HttpRequest) => Promise<RawResponse>;
  /** Resolves when a response may be handled: when what the one before it led to is sent. */
  readonly turn: () => Promise<void>;
  readonly observer: Observer;
  readonly maxBytes: number;
}

/** Turns a response into the result of the call: read whole, or still open. */
export interface ResponseReader<T> {
  readonly read: (incoming: IncomingResponse) => Promise<T>;
  /** The same for an error response that was read whole to classify it. */
  readonly fromWhole: (response: HttpResponse) => T;
}

/** The outcome of one attempt, and with it the next step. */
export type AttemptOutcome<T> =
  | { readonly next: 'return'; readonly result: T }
  | { readonly next: 'throw'; readonly fault: Fault }
  /** Its rate limit makes it wait. */
  | { readonly next: 'queue'; readonly fault: Fault }
  | {
      readonly next: 'retry';
      readonly fault: Fault;
      readonly retryAfterMs: number | undefined;
      /** Returned instead of throwing the fault, when there is no retry left. */
      readonly result?: T;
    }
  | { readonly next: 'follow'; readonly url: URL };

/** Sends one admitted request once; releases the admission when the response's body ends, or when there is none. */
export async function attemptOnce<T>(
  context: AttemptContext,
  reader: ResponseReader<T>,
  { id, attempt, request, admission }: { id: number; request: HttpRequest; admission: SendPermit; attempt: number },
): Promise<AttemptOutcome<T>> {
  const { clock, observer } = context;
  const startedAt = clock.now();
  const attempted = { id, attempt, request };
  let raw: RawResponse | undefined;
  try {
    observer.sending(attempted);
    raw = await context.exchange(request);
    void raw.over.then(admission.release);
    const incoming = incomingResponse(context, { request, raw, startedAt });
    // Without a way of its own, a limit closes its pace at once: nothing else may be admitted before that.
    const own: OwnLimit = request.limitOf === undefined ? {} : await ownLimit(incoming);
    const retryAfterMs = own.limit?.retryAfterMs ?? tryParseRetryAfter(headerOf(raw, 'retry-after'), clock.now());
    const isLimited = raw.status === 429 || own.limit !== undefined;
    admission.report(isLimited ? { kind: 'limited', retryAfterMs } : { kind: 'passed' });
    const outcome = await outcomeOf(incoming, reader, {
      retryAfterMs,
      isLimited,
      limit: admission.limit,
      ...(own.whole ? { whole: own.whole } : {}),
    });
    observer.ended(attempted, { raw, ms: clock.now() - startedAt, ...dateOf(raw) });
    await context.turn();
    return outcome;
  } catch (thrown) {
    admission.release();
    if (!(thrown instanceof ExchangeError)) throw thrown;
    const { fault, transient } = incompleteFault(request, thrown, { raw, proxied: context.proxied });
    observer.ended(attempted, { raw, code: fault.code, ms: clock.now() - startedAt });
    const again = transient && (request.retry === 'yes' || (request.retry === 'no' && thrown.sent === 'no'));
    return again ? { next: 'retry', fault, retryAfterMs: undefined } : { next: 'throw', fault };
  }
}

function incomingResponse(
  context: AttemptContext,
  sent: { request: HttpRequest; raw: RawResponse; startedAt: number },
): IncomingResponse {
  const { request, raw, startedAt } = sent;
  const elapsedMs = () => context.clock.now() - startedAt;
  return {
    request,
    raw,
    body: decodedBody(raw, request.maxBytes ?? context.maxBytes),
    mediaType: (headerOf(raw, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    firstByteMs: elapsedMs(),
    elapsedMs,
  };
}

interface OwnLimit {
  readonly limit?: ReturnType<NonNullable<HttpRequest['limitOf']>>;
  /** The response, which was read for it. */
  readonly whole?: HttpResponse;
}

/** A limit that only the caller recognizes. Its response is read first, because the body may announce it. */
async function ownLimit(incoming: IncomingResponse): Promise<OwnLimit> {
  const { request, raw } = incoming;
  if (request.limitOf === undefined || (raw.status !== 403 && raw.status !== 429)) return {};
  const whole = await readResponse(incoming);
  return { limit: request.limitOf(whole), whole };
}

interface ReadLimit {
  readonly retryAfterMs: number | undefined;
  readonly isLimited: boolean;
  readonly limit: KnownLimit | undefined;
  readonly whole?: HttpResponse;
}

async function outcomeOf<T>(
  incoming: IncomingResponse,
  { read, fromWhole }: ResponseReader<T>,
  { retryAfterMs, isLimited, limit, whole }: ReadLimit,
): Promise<AttemptOutcome<T>> {
  const { request, raw } = incoming;
  const { status } = raw;
  const moved = status >= 300 && status < 400;
  if (status < 500 && !isLimited && !moved) {
    return { next: 'return', result: whole ? fromWhole(whole) : await read(incoming) };
  }
  const response = whole ?? (await readResponse(incoming));
  if (isLimited && request.isFinalLimit?.(response)) return { next: 'return', result: fromWhole(response) };
  if (isLimited)
    return { next: request.retry === 'never' ? 'throw' : 'queue', fault: rateLimitedFault(request, limit) };
  if (moved) return redirectOutcome(incoming);
  const fault = unavailableFault(request, response);
  const kept = request.serverErrors === 'answered' ? { result: fromWhole(response) } : {};
  if (request.retry === 'yes' && TRANSIENT_STATUS.has(status)) return { next: 'retry', fault, retryAfterMs, ...kept };
  return kept.result === undefined ? { next: 'throw', fault } : { next: 'return', result: kept.result };
}

function redirectOutcome<T>({ request, raw }: IncomingResponse): AttemptOutcome<T> {
  const target = redirectTarget(request, raw.status, headerOf(raw, 'location'));
  return target instanceof Fault ? { next: 'throw', fault: target } : { next: 'follow', url: target };
}

function dateOf(raw: RawResponse): { date?: string } {
  const date = headerOf(raw, 'date');
  return date !== undefined && Number.isFinite(Date.parse(date)) ? { date } : {};
}
