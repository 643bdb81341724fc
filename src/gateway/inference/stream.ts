import type { EventSourceMessage } from 'eventsource-parser';
import * as z from 'zod';
import { Fault } from '../../domain/index.ts';
import {
  type HttpRequest,
  type HttpResponse,
  isHtml,
  type OpenResponse,
  readText,
  requestName,
} from '../../http/index.ts';
import { type ErrorBody, tryReadErrorBody } from '../../wire/index.ts';
import { redactMessage } from '../messages.ts';
import { notJsonFault, responseDetail, unexpectedShapeFault } from '../response-fault.ts';
import { tryParse, withInferenceContext } from './call.ts';
import { type InferenceConnection, secretsOf } from './connection.ts';
import type { StreamProtocol } from './protocols.ts';
import { readError, rejectionFault } from './rejection.ts';
import { type EndpointCall, toHttpRequest } from './request.ts';
import { DONE, peekFirstCharacter, readEvents, valuesIn } from './sse.ts';

/** Milliseconds since the request was sent; undefined for a moment that has not come yet. */
export interface StreamTiming {
  /** To the first byte of the response. */
  readonly firstByteMs: number;
  /** To the first event. */
  readonly firstEventMs: number | undefined;
  /** To the end of the stream. */
  readonly totalMs: number | undefined;
}

/** A stream of typed events, to be read once: iterate over the stream itself, or over `events`. */
export interface EventStream<E> extends AsyncIterable<E> {
  /**
   * Leaving the loop early closes the connection. Throws Fault `stream.broken` when the stream reports an error, ends
   * before its final event or cannot be parsed, and the Faults of a body that breaks off.
   */
  readonly events: AsyncIterable<E>;
  /** Up to date at each access. */
  readonly timing: StreamTiming;
  /** The HTTP status. */
  readonly status: number;
  /** The gateway’s ID of the request, for questions to its operator. */
  readonly requestId?: string;
  /** Discards the rest. */
  close(): void;
}

/** The response that the events are read from. */
interface StreamSource<E> {
  readonly connection: InferenceConnection;
  readonly call: EndpointCall;
  readonly request: HttpRequest;
  readonly open: OpenResponse;
  readonly protocol: StreamProtocol<E>;
  readonly model: string | undefined;
}

/**
 * Opens a stream: resolves when its first bytes have arrived and look like events.
 * @throws Fault as `callInference`; also for a response that is a page or JSON instead of a stream.
 */
export async function openStream<E>(
  connection: InferenceConnection,
  call: EndpointCall,
  { protocol, model }: { protocol: StreamProtocol<E>; model: string | undefined },
): Promise<EventStream<E>> {
  const request = toHttpRequest(connection, { ...call, accept: 'text/event-stream' });
  try {
    const open = await connection.http.open(request);
    const source = { connection, call, request, open, protocol, model };
    const { first, body } = await peekFirstCharacter(open.body);
    if (open.status >= 300 || /^[[{<]$/.test(first)) throw await notStreamFault(source, await readText(body));
    return streamFrom(source, body);
  } catch (thrown) {
    throw withInferenceContext(thrown, connection, call);
  }
}

/** Explains a response that is not a stream. */
async function notStreamFault<E>({ connection, request, open, model }: StreamSource<E>, text: string): Promise<Fault> {
  const { status, mediaType, requestId } = open;
  const timing = { firstByteMs: open.firstByteMs, totalMs: open.elapsedMs() };
  const response: HttpResponse = { status, mediaType, text, timing, ...(requestId === undefined ? {} : { requestId }) };
  const error = readError(response);
  if (status >= 300 || error !== undefined) return rejectionFault(connection, { request, response, error, model });
  if (isHtml(response) || tryParse(text) === undefined) return notJsonFault(request, response);
  return unexpectedShapeFault(request, response, 'it is a single JSON document instead of a stream of events');
}

function streamFrom<E>(source: StreamSource<E>, body: AsyncIterable<Uint8Array>): EventStream<E> {
  const { open } = source;
  const times: { first?: number; total?: number } = {};
  const events = timedEvents(source, readEvents(body), times);
  const close = () => {
    open.close();
    void events.return(undefined).catch(() => undefined);
  };
  return iterable<E>({
    status: open.status,
    ...(open.requestId === undefined ? {} : { requestId: open.requestId }),
    get timing() {
      return { firstByteMs: open.firstByteMs, firstEventMs: times.first, totalMs: times.total };
    },
    close,
    // Not a generator: leaving one before its first step would not close anything.
    events: {
      [Symbol.asyncIterator]: () => ({
        next: () => events.next(),
        async return() {
          close();
          return { done: true, value: undefined };
        },
      }),
    },
  });
}

/** Makes a stream iterable itself; its timing stays up to date. */
const iterable = <E>(stream: Omit<EventStream<E>, typeof Symbol.asyncIterator>): EventStream<E> =>
  Object.assign(stream, { [Symbol.asyncIterator]: () => stream.events[Symbol.asyncIterator]() });

/** Converts each event of a stream. */
export function mapEvents<E, F>(stream: EventStream<E>, map: (event: E) => F): EventStream<F> {
  const { status, requestId } = stream;
  return iterable<F>({
    status,
    ...(requestId === undefined ? {} : { requestId }),
    get timing() {
      return stream.timing;
    },
    close: () => stream.close(),
    events: {
      [Symbol.asyncIterator]: () => {
        const events = stream.events[Symbol.asyncIterator]();
        return {
          async next() {
            const { done, value } = await events.next();
            return done ? { done, value: undefined } : { done: false, value: map(value) };
          },
          async return() {
            await events.return?.();
            return { done: true, value: undefined };
          },
        };
      },
    },
  });
}

async function* timedEvents<E>(
  source: StreamSource<E>,
  messages: AsyncIterable<EventSourceMessage>,
  times: { first?: number; total?: number },
): AsyncGenerator<E, undefined> {
  try {
    for await (const event of parsedEvents(source, messages)) {
      times.first ??= source.open.elapsedMs();
      yield event;
    }
  } catch (thrown) {
    throw withInferenceContext(thrown, source.connection, source.call);
  } finally {
    times.total = source.open.elapsedMs();
    source.open.close();
  }
  return undefined;
}

async function* parsedEvents<E>(
  source: StreamSource<E>,
  messages: AsyncIterable<EventSourceMessage>,
): AsyncGenerator<E> {
  const { protocol } = source;
  const completion = protocol.trackCompletion();
  let done = false;
  for await (const message of messages) {
    for (const value of valuesOf(source, message)) {
      if (value === DONE) done = true;
      if (done || !protocol.isRelevant(value)) continue;
      const event = parseEvent(source, value);
      completion.observe(event);
      yield event;
    }
    // Some gateways keep the connection open after it.
    if (done) break;
  }
  if (completion.isComplete() || (done && protocol.doneCompletes)) return;
  throw brokenFault(source, 'it ended before its final event');
}

function valuesOf<E>(source: StreamSource<E>, { event, data }: EventSourceMessage): readonly unknown[] {
  let values: readonly unknown[] | undefined;
  try {
    values = valuesIn(data);
  } catch {
    if (event !== 'error') throw brokenFault(source, 'one of its events is truncated or not JSON');
  }
  const error = values?.map(tryReadEventError).find((found) => found !== undefined);
  if (error === undefined && event !== 'error') return values ?? [];
  const secrets = secretsOf(source.connection);
  const message = redactMessage(error?.message ?? '', secrets);
  throw brokenFault(source, `it reports an error${message === '' ? '' : `: ${message}`}`, {
    ...(error === undefined ? {} : { code: redactMessage(error.code, secrets) }),
    message,
  });
}

const ResponseEvent = z.looseObject({ type: z.string(), response: z.unknown().optional() });
const NO_DETAILS: ErrorBody = { code: '', type: '', message: '' };

/** Reads the error that an event reports; responses streams have it within the response. */
function tryReadEventError(value: unknown): ErrorBody | undefined {
  const { type, response } = ResponseEvent.safeParse(value).data ?? {};
  const withoutDetails = type === 'response.failed' ? NO_DETAILS : undefined;
  return tryReadErrorBody(value) ?? tryReadErrorBody(response) ?? withoutDetails;
}

function parseEvent<E>(source: StreamSource<E>, value: unknown): E {
  const event = source.protocol.schema.safeParse(value);
  if (event.success) return event.data;
  const path = event.error.issues[0]?.path.map((part) => (typeof part === 'number' ? part : String(part).slice(0, 40)));
  throw brokenFault(source, 'one of its events does not match the contract', { at: path?.join('.') });
}

function brokenFault<E>({ request, open }: StreamSource<E>, problem: string, more: object = {}): Fault {
  return new Fault('stream.broken', `${requestName(request)}: the stream is broken: ${problem}.`, {
    hint: 'The response is incomplete, and may have been charged: check the usage log of the key.',
    detail: {
      ...responseDetail(request, open),
      ...more,
    },
  });
}
