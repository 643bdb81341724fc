import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { renderJson } from '../../wire/index.ts';
import type { InjectedFailure } from '../failures/kinds.ts';
import type { RequestGate } from '../failures/request-gate.ts';
import type { Answer, StreamEvent } from './answer.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const EVENT_TYPE = 'text/event-stream; charset=utf-8';

/** Closes the connection without an answer. */
export function closeConnection(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.socket?.destroy();
  return reply;
}

/** Announces the whole answer, sends half of it and closes the connection. */
function truncate(reply: FastifyReply, { status, body }: Answer, by: 'length' | 'chunks'): FastifyReply {
  const whole = Buffer.from(body === undefined ? '' : renderJson(body));
  const length = by === 'length' ? { 'content-length': String(whole.length) } : {};
  reply.hijack();
  reply.raw.writeHead(status, { 'content-type': JSON_TYPE, ...length });
  reply.raw.write(whole.subarray(0, Math.floor(whole.length / 2)));
  // Flushes the written bytes, then closes.
  reply.raw.socket?.destroySoon();
  return reply;
}

/** The number of events that are sent before a failure in the middle of a stream. */
const EVENTS_BEFORE_FAILURE = 2;

/** Resolves when the client is ready for more, or has disconnected. */
const waitForDrain = (raw: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      raw.off('drain', done).off('close', done);
      resolve();
    };
    raw.on('drain', done).on('close', done);
  });

const waitForDisconnect = (raw: ServerResponse): Promise<void> =>
  raw.destroyed ? Promise.resolve() : new Promise((resolve) => raw.once('close', () => resolve()));

/**
 * Sends events as they are produced, until the client disconnects. A failure acts after the first events. If they break
 * off, the connection is cut, so that no client mistakes the half for the whole.
 */
async function stream(
  reply: FastifyReply,
  events: AsyncGenerator<StreamEvent>,
  around: DeliveryOptions,
): Promise<FastifyReply> {
  const { failure, gate } = around;
  const { raw } = reply.hijack();
  raw.writeHead(200, { ...headersOf(reply), 'content-type': EVENT_TYPE, 'cache-control': 'no-cache' });
  let sent = 0;
  try {
    for await (const { text } of events) {
      if (raw.destroyed) return reply;
      if (!raw.write(text)) await waitForDrain(raw);
      sent += 1;
      if (sent !== EVENTS_BEFORE_FAILURE) continue;
      if (failure?.kind === 'hold-midway') await Promise.race([gate.hold(), waitForDisconnect(raw)]);
      if (failure?.kind === 'truncated') {
        raw.socket?.destroySoon();
        return reply;
      }
    }
    raw.end();
  } catch {
    raw.destroy();
  }
  return reply;
}

/** Consumes all events without sending them. */
async function consume(events: AsyncGenerator<StreamEvent>): Promise<void> {
  for await (const event of events) if (event.final) continue;
}

function headersOf(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(headers);
}

interface DeliveryOptions {
  readonly failure: InjectedFailure | undefined;
  readonly gate: RequestGate;
}

/** Sends an answer, or the part that the request's failure leaves of it. What it reports is already committed. */
export async function deliver(
  reply: FastifyReply,
  answer: Answer,
  { failure, gate }: DeliveryOptions,
): Promise<FastifyReply> {
  if (failure?.kind === 'hold-after' || (failure?.kind === 'hold-midway' && !answer.events)) await gate.hold();
  if (failure?.kind === 'cut-after' || failure?.kind === 'cut-and-hold') {
    if (answer.events) await consume(answer.events);
    return closeConnection(reply);
  }
  if (answer.headers) reply.headers(answer.headers);
  if (answer.events) return stream(reply, answer.events, { failure, gate });
  if (failure?.kind === 'truncated') return truncate(reply, answer, failure.by);
  reply.code(answer.status);
  if (answer.file) return reply.type(answer.file.mediaType).send(answer.file.bytes);
  if (answer.html !== undefined) return reply.type('text/html; charset=utf-8').send(answer.html);
  return answer.body === undefined ? reply.send() : reply.type(JSON_TYPE).send(renderJson(answer.body));
}
