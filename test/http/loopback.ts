import * as http from 'node:http';
import * as https from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';

/** Responds to one request of a scripted server. */
export type Handler = (request: RecordedRequest, response: http.ServerResponse) => void | Promise<void>;

export interface RecordedRequest {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Loopback {
  readonly url: string;
  readonly port: number;
  /** Every complete request, in order. */
  readonly seen: readonly RecordedRequest[];
}

const open: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(open.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function listen(server: Server, wanted = 0): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  open.push(server);
  await new Promise<void>((done) => server.listen(wanted, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

function listenerFor(seen: RecordedRequest[], handler: Handler): http.RequestListener {
  return (message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const request: RecordedRequest = {
        method: message.method ?? '',
        url: message.url ?? '',
        headers: message.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(request);
      void handler(request, response);
    });
  };
}

/** An HTTP server on a loopback port, by default a free one; closed after the test. */
export async function serve(handler: Handler, wanted = 0): Promise<Loopback> {
  const seen: RecordedRequest[] = [];
  const port = await listen(http.createServer(listenerFor(seen, handler)), wanted);
  return { url: `http://127.0.0.1:${port}`, port, seen };
}

/** An HTTPS server on a free loopback port. */
export async function serveTls(tls: { key: string; cert: string }, handler: Handler): Promise<Loopback> {
  const seen: RecordedRequest[] = [];
  const port = await listen(https.createServer(tls, listenerFor(seen, handler)));
  return { url: `https://127.0.0.1:${port}`, port, seen };
}

/** A TCP server on a free loopback port. */
export async function serveRaw(onData: (socket: Socket, text: string) => void): Promise<{ url: string; port: number }> {
  const port = await listen(
    createServer((socket) => {
      socket.on('data', (data) => onData(socket, data.toString('latin1')));
    }),
  );
  return { url: `http://127.0.0.1:${port}`, port };
}

/** A port at which nothing listens. */
export async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Uses one handler after the other, and then the last one for all further requests. */
export function inSequence(...handlers: readonly [Handler, ...Handler[]]): Handler {
  let turn = 0;
  return (request, response) => {
    const handler = handlers[Math.min(turn, handlers.length - 1)] as Handler;
    turn += 1;
    return handler(request, response);
  };
}

export const respondWith =
  (status: number, body: unknown = '', headers: http.OutgoingHttpHeaders = {}): Handler =>
  (_request, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? {} : { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead(status, { ...type, ...headers }).end(text);
  };

/** Closes the connection instead of responding. */
export const disconnect: Handler = (_request, response) => {
  response.socket?.destroy();
};

/** Never responds. */
export const noResponse: Handler = () => undefined;
