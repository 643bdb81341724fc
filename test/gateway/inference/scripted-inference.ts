import { Secret } from '../../../src/domain/index.ts';
import type { GatewayOptions, Inference } from '../../../src/gateway/index.ts';
import { type Handler, type Loopback, serve } from '../../http/loopback.ts';
import { open } from '../system/scripted.ts';

export const KEY = 'sk-canary-key-0123456789abcdef';

/** The inference API of a scripted gateway, which waits in no time. */
export const inferenceAt = (url: string, options: Partial<GatewayOptions> = {}): Inference =>
  open(url, options).inference(new Secret(KEY));

/** One server, one script. */
export async function connected(handler: Handler): Promise<{ server: Loopback; inference: Inference }> {
  const server = await serve(handler);
  return { server, inference: inferenceAt(server.url) };
}

/** Sends these parts of a body one by one, each when the one before has left, and ends it. */
export const parts =
  (chunks: readonly (string | Uint8Array)[], contentType = 'text/event-stream'): Handler =>
  async (_request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    for (const chunk of chunks) await new Promise<void>((sent) => response.write(chunk, () => setImmediate(sent)));
    response.end();
  };

export const data = (...events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

export const chunk = (content: string, finish_reason: string | null = null, index = 0) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index, delta: { content }, finish_reason }],
});

export const CHAT = { model: 'm', messages: [{ role: 'user' as const, content: 'ping' }] };

export async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const event of events) list.push(event);
  return list;
}
