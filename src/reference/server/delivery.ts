import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Parking } from '../failures/request-gate.ts';
import type { ScriptedFault } from '../failures/scripts.ts';
import type { Answer, StreamEvent } from './answer.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const EVENT_TYPE = 'text/event-stream; charset=utf-8';

/** Ends the connection without an answer. */
export function cut(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.socket?.destroy();
  return reply;
}

/** Sends half of the answer and ends the connection, having promised all of it. */
function truncate(reply: FastifyReply, { status, body }: Answer, by: 'length' | 'chunks'): FastifyReply {
  const whole = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const length = by === 'length' ? { 'content-length': String(whole.length) } : {};
  reply.hijack();
  reply.raw.writeHead(status, { 'content-type': JSON_TYPE, ...length });
  reply.raw.write(whole.subarray(0, Math.floor(whole.length / 2)));
  // Flushes what was written, then closes.
  reply.raw.socket?.destroySoon();
  return reply;
}

/** How many events of a stream go out before a fault in its middle strikes. */
const EVENTS_BEFORE_FAULT = 2;

/** Resolves when the other side is ready for more, or has gone. */
const drained = (raw: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      raw.off('drain', done).off('close', done);
      resolve();
    };
    raw.on('drain', done).on('close', done);
  });

const departed = (raw: ServerResponse): Promise<void> =>
  raw.destroyed ? Promise.resolve() : new Promise((resolve) => raw.once('close', () => resolve()));

/**
 * Sends events as they are made. A client that leaves ends their making. A fault strikes after the first of them; the
 * connection is cut where they break off, so that nobody takes the half for the whole.
 */
async function stream(reply: FastifyReply, events: AsyncGenerator<StreamEvent>, around: Around): Promise<FastifyReply> {
  const { fault, parking } = around;
  const { raw } = reply.hijack();
  raw.writeHead(200, { ...headersOf(reply), 'content-type': EVENT_TYPE, 'cache-control': 'no-cache' });
  let sent = 0;
  try {
    for await (const { text } of events) {
      if (raw.destroyed) return reply;
      if (!raw.write(text)) await drained(raw);
      sent += 1;
      if (sent !== EVENTS_BEFORE_FAULT) continue;
      if (fault?.kind === 'hold-midway') await Promise.race([parking.park(), departed(raw)]);
      if (fault?.kind === 'truncated') {
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

/** Makes all events and sends none. */
async function exhaust(events: AsyncGenerator<StreamEvent>): Promise<void> {
  for await (const event of events) if (event.final) continue;
}

function headersOf(reply: FastifyReply): Record<string, string> {
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(headers);
}

interface Around {
  readonly fault: ScriptedFault | undefined;
  readonly parking: Parking;
}

/** Sends an answer, or what the fault of this request leaves of it. What the answer reports has been committed. */
export async function deliver(reply: FastifyReply, answer: Answer, { fault, parking }: Around): Promise<FastifyReply> {
  if (fault?.kind === 'hold-after' || (fault?.kind === 'hold-midway' && !answer.events)) await parking.park();
  if (fault?.kind === 'cut-after') {
    if (answer.events) await exhaust(answer.events);
    return cut(reply);
  }
  if (answer.headers) reply.headers(answer.headers);
  if (answer.events) return stream(reply, answer.events, { fault, parking });
  if (fault?.kind === 'truncated') return truncate(reply, answer, fault.by);
  reply.code(answer.status);
  if (answer.file) return reply.type(answer.file.mediaType).send(answer.file.bytes);
  if (answer.html !== undefined) return reply.type('text/html; charset=utf-8').send(answer.html);
  return answer.body === undefined ? reply.send() : reply.type(JSON_TYPE).send(JSON.stringify(answer.body));
}
