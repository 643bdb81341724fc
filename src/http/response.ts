import { Fault } from '../domain/index.ts';
import { type Body, readWhole } from './decoding.ts';
import { ExchangeError, type RawResponse } from './exchange.ts';
import { type ClassifiedFault, exchangeFault } from './exchange-fault.ts';
import { askedHeaders, type HttpRequest, type HttpResponse, type OpenResponse, requestIdOf } from './request.ts';

/** A response whose head has arrived, with its body decoded as it is read. */
export interface IncomingResponse {
  readonly request: HttpRequest;
  readonly raw: RawResponse;
  readonly body: Body;
  readonly mediaType: string;
  readonly firstByteMs: number;
  readonly elapsedMs: () => number;
}

/** Reads the whole body. @throws ExchangeError when the body is incomplete. */
export async function readResponse(incoming: IncomingResponse): Promise<HttpResponse> {
  const { request, raw, body, mediaType, firstByteMs, elapsedMs } = incoming;
  const text = await readWhole(body);
  const timing = { firstByteMs, totalMs: elapsedMs() };
  return { status: raw.status, mediaType, text, timing, ...requestIdOf(raw, request), ...askedHeaders(request, raw) };
}

/** Hands the body to the caller while it arrives. */
export function openResponse({ request, raw, body, ...head }: IncomingResponse, proxied: boolean): OpenResponse {
  const close = () => {
    raw.abandon();
    void body.return?.().catch(() => undefined);
  };
  const read = () =>
    body.next().catch((thrown: unknown) => {
      throw thrown instanceof ExchangeError ? incompleteFault(request, thrown, { raw, proxied }).fault : thrown;
    });
  return {
    status: raw.status,
    ...head,
    ...requestIdOf(raw, request),
    ...askedHeaders(request, raw),
    close,
    over: raw.over,
    // Not a generator: leaving one before its first step would not close anything.
    body: {
      [Symbol.asyncIterator]: () => ({
        next: read,
        async return() {
          close();
          return { done: true, value: undefined };
        },
      }),
    },
  };
}

/** Explains a response that broke off after its head, which may have its id. */
export function incompleteFault(
  request: HttpRequest,
  failure: ExchangeError,
  { raw, proxied }: { raw: RawResponse | undefined; proxied: boolean },
): ClassifiedFault {
  const { fault, transient } = exchangeFault(request, failure, proxied);
  const { code, message, hint, remedy, detail, cause } = fault;
  const more = raw === undefined ? {} : requestIdOf(raw, request);
  return { fault: new Fault(code, message, { hint, remedy, cause, detail: { ...detail, ...more } }), transient };
}

/** Presents a response that was read whole as an open one. */
export function reopenResponse({ text, timing, ...head }: HttpResponse): OpenResponse {
  return {
    ...head,
    firstByteMs: timing.firstByteMs,
    elapsedMs: () => timing.totalMs,
    close: () => undefined,
    over: Promise.resolve(),
    body: (async function* () {
      yield new TextEncoder().encode(text);
    })(),
  };
}
