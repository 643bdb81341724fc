import * as http from 'node:http';
import * as https from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';

/** What a scripted server does with one request. */
export type Play = (request: Seen, response: http.ServerResponse) => void | Promise<void>;

export interface Seen {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Loopback {
  readonly url: string;
  readonly port: number;
  /** Every request that arrived whole, in order. */
  readonly seen: readonly Seen[];
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

function player(seen: Seen[], play: Play): http.RequestListener {
  return (message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const request: Seen = {
        method: message.method ?? '',
        url: message.url ?? '',
        headers: message.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(request);
      void play(request, response);
    });
  };
}

/** An HTTP server on a loopback port, a free one unless told, ended after the test. */
export async function serve(play: Play, wanted = 0): Promise<Loopback> {
  const seen: Seen[] = [];
  const port = await listen(http.createServer(player(seen, play)), wanted);
  return { url: `http://127.0.0.1:${port}`, port, seen };
}

/** The same with TLS. */
export async function serveTls(tls: { key: string; cert: string }, play: Play): Promise<Loopback> {
  const seen: Seen[] = [];
  const port = await listen(https.createServer(tls, player(seen, play)));
  return { url: `https://127.0.0.1:${port}`, port, seen };
}

/** A server that knows only bytes. */
export async function serveRaw(onData: (socket: Socket, text: string) => void): Promise<{ url: string; port: number }> {
  const port = await listen(
    createServer((socket) => {
      socket.on('data', (data) => onData(socket, data.toString('latin1')));
    }),
  );
  return { url: `http://127.0.0.1:${port}`, port };
}

/** A port at which nothing listens. */
export async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Plays one after the other; the last one again and again. */
export function inTurn(...plays: readonly [Play, ...Play[]]): Play {
  let turn = 0;
  return (request, response) => {
    const play = plays[Math.min(turn, plays.length - 1)] as Play;
    turn += 1;
    return play(request, response);
  };
}

export const answer =
  (status: number, body: unknown = '', headers: http.OutgoingHttpHeaders = {}): Play =>
  (_request, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? {} : { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead(status, { ...type, ...headers }).end(text);
  };

/** The connection ends instead of an answer. */
export const cut: Play = (_request, response) => {
  response.socket?.destroy();
};

/** No answer at all. */
export const silence: Play = () => undefined;
