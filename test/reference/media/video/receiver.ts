import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Body } from '../../harness.ts';

export type Reply = (body: Body, response: ServerResponse) => void;

/** A receiver of notifications: a server that keeps what it is sent. */
export interface Receiver {
  readonly url: string;
  readonly bodies: readonly Body[];
  /** Resolves when it has been sent so much. */
  received(count: number): Promise<readonly Body[]>;
  close(): Promise<void>;
}

export const accept: Reply = (_body, response) => void response.end();

/** Returns a challenge unchanged, as JSON. */
export const returnChallenge: Reply = ({ challenge }, response) =>
  void response.end(challenge === undefined ? '' : JSON.stringify({ challenge }));

export async function startReceiver(reply: Reply = accept): Promise<Receiver> {
  const bodies: Body[] = [];
  let waiting: { count: number; resolve: (bodies: readonly Body[]) => void }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body = JSON.parse(text) as Body;
    bodies.push(body);
    for (const { count, resolve } of waiting) if (bodies.length >= count) resolve(bodies);
    waiting = waiting.filter(({ count }) => bodies.length < count);
    reply(body, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    bodies,
    received: (count) =>
      bodies.length >= count
        ? Promise.resolve(bodies)
        : new Promise((resolve) => void waiting.push({ count, resolve })),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
