import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

/** A request as the person sees it who acts right before it reaches the gateway. */
export interface Position {
  readonly index: number;
  /** Such as `PUT /api/token/`. */
  readonly name: string;
  readonly body: string;
}

/** A proxy in front of a gateway: somebody acts before each request is passed on. */
export async function openPersonProxy(upstream: string, act: (position: Position) => Promise<void>) {
  let count = 0;
  let failure: unknown;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    const pass = async () => {
      const body = Buffer.concat(chunks).toString();
      const { method = 'GET', url = '/', headers } = incoming;
      const index = count;
      count += 1;
      await act({ index, name: `${method} ${url}`, body });
      const { host: _host, connection: _connection, ...passed } = headers;
      const answer = await request(`${upstream}${url}`, {
        method: method as 'GET',
        headers: passed,
        ...(body === '' ? {} : { body }),
      });
      outgoing.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type'] ?? '') });
      outgoing.end(await answer.body.text());
    };
    incoming.on('end', () =>
      pass().catch((thrown: unknown) => {
        failure ??= thrown;
        outgoing.destroy();
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    /** Throws what went wrong in the proxy or in the act of the person. */
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      if (failure) throw failure;
    },
  };
}
