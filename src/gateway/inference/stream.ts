import type { EventSourceMessage } from 'eventsource-parser';
import { Fault } from '../../domain/index.ts';
import { type Answer, type HttpRequest, isHtml, nameOf, type OpenAnswer, readWhole } from '../../http/index.ts';
import { tryReadErrorBody } from '../../wire/index.ts';
import { notJsonFault, unexpectedShapeFault } from '../answer-fault.ts';
import { shownMessage } from '../shown-message.ts';
import { inContext, parseAnswer } from './ask.ts';
import { type InferenceLine, secretsOf } from './line.ts';
import { peeked } from './peek.ts';
import type { Protocol } from './protocols.ts';
import { errorIn, refusalFault } from './refusal.ts';
import { type Order, requestOf } from './request.ts';
import { DONE, readEvents, valuesIn } from './sse.ts';

/** Milliseconds from when the request was sent. What has not come yet is undefined. */
export interface StreamTiming {
  readonly firstByteMs: number;
  readonly firstEventMs: number | undefined;
  readonly totalMs: number | undefined;
}

/** A stream of typed events, to be read once. */
export interface EventStream<E> {
  /**
   * Leaving the loop early closes the connection. Throws Fault `stream.broken` where the stream tells an error, ends
   * before its final event or can not be read, and the Faults of a body that breaks off.
   */
  readonly events: AsyncIterable<E>;
  /** Read anew at each access. */
  readonly timing: StreamTiming;
  readonly status: number;
  readonly requestId?: string;
  /** Gives the rest up. */
  close(): void;
}

/** What is needed to read the events of an answer. */
interface Source<E> {
  readonly line: InferenceLine;
  readonly order: Order;
  readonly request: HttpRequest;
  readonly open: OpenAnswer;
  readonly protocol: Protocol<E>;
  readonly model: string | undefined;
}

/**
 * Opens a stream: resolves when its first bytes are here and are events.
 * @throws Fault as `ask`; also for an answer that is a page or JSON instead of a stream.
 */
export async function openStream<E>(
  line: InferenceLine,
  order: Order,
  { protocol, model }: { protocol: Protocol<E>; model: string | undefined },
): Promise<EventStream<E>> {
  const request = requestOf(line, { ...order, accept: 'text/event-stream' });
  try {
    const open = await line.http.open(request);
    const source = { line, order, request, open, protocol, model };
    const { first, body } = await peeked(open.body);
    if (open.status >= 300 || /^[[{<]$/.test(first)) throw await instead(source, await readWhole(body));
    return streamOf(source, body);
  } catch (thrown) {
    throw inContext(thrown, line, order);
  }
}

/** What is wrong with an answer that is no stream. */
async function instead<E>({ line, request, open, model }: Source<E>, text: string): Promise<Fault> {
  const { status, mediaType, requestId } = open;
  const timing = { firstByteMs: open.firstByteMs, totalMs: open.elapsedMs() };
  const answer: Answer = { status, mediaType, text, timing, ...(requestId === undefined ? {} : { requestId }) };
  const error = errorIn(answer);
  if (status >= 300 || error !== undefined) return refusalFault(line, { request, answer, error, model });
  if (isHtml(answer) || parseAnswer(text) === undefined) return notJsonFault(request, answer);
  return unexpectedShapeFault(request, answer, 'it is one piece of JSON, and a stream of events was asked for');
}

function streamOf<E>(source: Source<E>, body: AsyncIterable<Uint8Array>): EventStream<E> {
  const { open } = source;
  const times: { first?: number; total?: number } = {};
  const events = timed(source, readEvents(body), times);
  const close = () => {
    open.close();
    void events.return(undefined).catch(() => undefined);
  };
  return {
    status: open.status,
    ...(open.requestId === undefined ? {} : { requestId: open.requestId }),
    get timing() {
      return { firstByteMs: open.firstByteMs, firstEventMs: times.first, totalMs: times.total };
    },
    close,
    // No generator: one that is left before its first step would not close anything.
    events: {
      [Symbol.asyncIterator]: () => ({
        next: () => events.next(),
        async return() {
          close();
          return { done: true, value: undefined };
        },
      }),
    },
  };
}

/** The same stream with other events. */
export function mapEvents<E, F>(stream: EventStream<E>, map: (event: E) => F): EventStream<F> {
  const { status, requestId } = stream;
  return {
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
  };
}

async function* timed<E>(
  source: Source<E>,
  messages: AsyncIterable<EventSourceMessage>,
  times: { first?: number; total?: number },
): AsyncGenerator<E, undefined> {
  try {
    for await (const event of typed(source, messages)) {
      times.first ??= source.open.elapsedMs();
      yield event;
    }
  } catch (thrown) {
    throw inContext(thrown, source.line, source.order);
  } finally {
    times.total = source.open.elapsedMs();
    source.open.close();
  }
  return undefined;
}

async function* typed<E>(source: Source<E>, messages: AsyncIterable<EventSourceMessage>): AsyncGenerator<E> {
  const { protocol } = source;
  const ending = protocol.ending();
  let done = false;
  for await (const message of messages) {
    for (const value of valuesOf(source, message)) {
      if (value === DONE) done = true;
      if (done || !protocol.concerns(value)) continue;
      const event = eventOf(source, value);
      ending.saw(event);
      yield event;
    }
    // Some keep the connection open after it.
    if (done) break;
  }
  if (ending.complete() || (done && protocol.doneIsEnd)) return;
  throw brokenFault(source, 'it ended before its final event');
}

function valuesOf<E>(source: Source<E>, { event, data }: EventSourceMessage): readonly unknown[] {
  let values: readonly unknown[] | undefined;
  try {
    values = valuesIn(data);
  } catch {
    if (event !== 'error') throw brokenFault(source, 'one of its events is no JSON, or breaks off');
  }
  const error = values === undefined ? undefined : values.map(errorOf).find((found) => found !== undefined);
  if (error === undefined && event !== 'error') return values ?? [];
  const message = shownMessage(error?.message ?? '', secretsOf(source.line));
  throw brokenFault(source, `it tells an error${message === '' ? '' : `: ${message}`}`, {
    ...(error === undefined ? {} : { code: shownMessage(error.code, secretsOf(source.line)) }),
    message,
  });
}

/** The error that an event tells; a responses-style stream has it within the response. */
function errorOf(value: unknown) {
  const { type, response } = (value ?? {}) as { type?: unknown; response?: unknown };
  return (
    tryReadErrorBody(type === 'response.failed' ? response : value) ?? (type === 'response.failed' ? NONE : undefined)
  );
}

const NONE = { code: '', type: '', message: '' };

function eventOf<E>(source: Source<E>, value: unknown): E {
  const event = source.protocol.schema.safeParse(value);
  if (event.success) return event.data;
  const where = event.error.issues[0]?.path.map((part) =>
    typeof part === 'number' ? part : String(part).slice(0, 40),
  );
  throw brokenFault(source, 'one of its events is not of the shape that it should have', { at: where?.join('.') });
}

function brokenFault<E>({ request, open }: Source<E>, what: string, more: object = {}): Fault {
  return new Fault('stream.broken', `${nameOf(request)}: the stream is broken: ${what}.`, {
    hint: 'What came is no whole answer. It may have been charged: the usage log of the key tells.',
    detail: {
      method: request.method,
      path: request.url.pathname,
      status: open.status,
      sent: 'yes',
      ...more,
      ...(open.requestId === undefined ? {} : { requestId: open.requestId }),
    },
  });
}
