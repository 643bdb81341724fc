import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Every header that names a client to a server behind a proxy. */
export const ADDRESS_HEADERS = [
  'x-forwarded-for',
  'x-real-ip',
  'forwarded',
  'cf-connecting-ip',
  'true-client-ip',
  'x-client-ip',
] as const;

export type ClientHeaders = Readonly<Record<string, string | undefined>>;

/** An answer of the proxy itself. */
export interface OwnAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** The treatment of the headers that name a client. */
export interface FrontRules {
  /** The headers that it sets instead of those of the client, or its own answer. @param count requests so far, from 1 */
  readonly forClient: (headers: ClientHeaders, count: number) => ClientHeaders | OwnAnswer;
  /** Replaces the body of a rejection. */
  readonly rejection?: string;
}

const isAnswer = (value: ClientHeaders | OwnAnswer): value is OwnAnswer => typeof value.status === 'number';

/** Starts a proxy in front of a gateway, which sees every client at 127.0.0.2 unless a header names another. */
export async function openFrontProxy(
  target: string,
  { forClient, rejection }: FrontRules,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  let count = 0;
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    count += 1;
    const body = await buffer(incoming);
    const headers: OutgoingHttpHeaders = { ...incoming.headers };
    const named = Object.fromEntries(ADDRESS_HEADERS.map((name) => [name, incoming.headers[name]?.toString()]));
    for (const name of ADDRESS_HEADERS) delete headers[name];
    const own = forClient(named, count);
    if (isAnswer(own)) {
      outgoing.writeHead(own.status, { 'content-type': own.type }).end(own.body);
      return;
    }
    for (const [name, value] of Object.entries(own)) if (value !== undefined) headers[name] = value;
    const passed = send(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers,
      localAddress: '127.0.0.2',
      agent: false,
    });
    passed.end(body);
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    const text = await buffer(answer);
    const replaced = answer.statusCode === 403 && rejection !== undefined ? Buffer.from(rejection) : text;
    outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] }).end(replaced);
  };
  // An answer that breaks off breaks off for the client, too.
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
