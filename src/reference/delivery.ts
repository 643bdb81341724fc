import type { FastifyReply } from 'fastify';
import type { Answer } from './answer.ts';
import type { ScriptedFault } from './faults.ts';
import type { Parking } from './parking.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

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

/** Sends an answer, or what the fault of this request leaves of it. What the answer reports has been committed. */
export async function deliver(
  reply: FastifyReply,
  answer: Answer,
  { fault, parking }: { fault: ScriptedFault | undefined; parking: Parking },
): Promise<FastifyReply> {
  if (fault?.kind === 'hold-after') await parking.park();
  if (fault?.kind === 'cut-after') return cut(reply);
  if (fault?.kind === 'truncated') return truncate(reply, answer, fault.by);
  reply.code(answer.status);
  if (answer.headers) reply.headers(answer.headers);
  if (answer.html !== undefined) return reply.type('text/html; charset=utf-8').send(answer.html);
  return answer.body === undefined ? reply.send() : reply.type(JSON_TYPE).send(JSON.stringify(answer.body));
}
