import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'undici';

/** The trouble of one run: something happens to the request with this number, or the process ends there. */
export interface Trouble {
  readonly kind: 'killed-before' | 'killed-after' | 'cut-before' | 'cut-after' | 'refused' | 'failed';
  /** The number of the request. Of `writes`, only those that write count. */
  readonly at: number;
  readonly writes: boolean;
  readonly times: number;
}

/** The requests of one run. */
export interface Line {
  /** Has the process ended? Nothing of it arrives any more, and it gets no answer. */
  readonly isDead: () => boolean;
  /** Resolves when the process ends, with every request that had arrived answered. */
  readonly killed: Promise<void>;
}

/** A proxy in front of a gateway that knows which run sent a request, and plays its trouble. */
export interface Tap {
  readonly url: string;
  /** Every connection from now on is one of a new run. */
  begin(trouble?: Trouble): Line;
  close(): Promise<void>;
}

interface Run {
  readonly trouble: Trouble | undefined;
  count: number;
  isDead: boolean;
  readonly end: () => void;
}

const BETWEEN_HOSTS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

const passedOn = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || BETWEEN_HOSTS.has(name) ? [] : [[name, String(value)]],
    ),
  );

const REFUSED = JSON.stringify({ success: false, message: 'the database is locked', data: null });

/** Is the trouble of the run due with this request? */
function isDue(run: Run, method: string): boolean {
  const { trouble } = run;
  if (trouble === undefined || (trouble.writes && method === 'GET')) return false;
  run.count += 1;
  return run.count >= trouble.at && run.count < trouble.at + trouble.times;
}

export async function openTap(target: string): Promise<Tap> {
  const upstream = new Pool(target, { connections: 16 });
  const owners = new WeakMap<Socket, Run>();
  const sockets = new Set<Socket>();
  const underWay = new Set<Promise<unknown>>();
  let current: Run = { trouble: undefined, count: 0, isDead: false, end: () => {} };

  async function forward(incoming: IncomingMessage, body: Buffer) {
    const answer = await upstream.request({
      method: (incoming.method ?? 'GET') as 'GET',
      path: incoming.url ?? '/',
      headers: passedOn(incoming.headers),
      body: body.length > 0 ? body : null,
    });
    return {
      status: answer.statusCode,
      headers: passedOn(answer.headers),
      body: Buffer.from(await answer.body.arrayBuffer()),
    };
  }

  async function kill(run: Run): Promise<void> {
    run.isDead = true;
    await Promise.allSettled(underWay);
    run.end();
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const run = owners.get(incoming.socket) ?? current;
    const body = await buffer(incoming);
    if (run.isDead) return;
    const kind = isDue(run, incoming.method ?? 'GET') ? run.trouble?.kind : undefined;
    if (kind === 'killed-before') return void (await kill(run));
    if (kind === 'cut-before') return void response.destroy();
    if (kind === 'refused' || kind === 'failed') {
      response.writeHead(kind === 'failed' ? 500 : 200, { 'content-type': 'application/json' }).end(REFUSED);
      return;
    }
    const work = forward(incoming, body);
    underWay.add(work);
    const answer = await work.finally(() => underWay.delete(work));
    if (kind === 'killed-after') return void (await kill(run));
    if (run.isDead) return;
    if (kind === 'cut-after') return void response.destroy();
    response.writeHead(answer.status, { ...answer.headers, 'content-length': String(answer.body.length) });
    response.end(answer.body);
  }

  const server = createServer((incoming, response) => {
    response.on('error', () => {});
    handle(incoming, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    owners.set(socket, current);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin(trouble) {
      let end = (): void => {};
      const killed = new Promise<void>((resolve) => {
        end = resolve;
      });
      const run: Run = { trouble, count: 0, isDead: false, end };
      current = run;
      return { isDead: () => run.isDead, killed };
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await upstream.close();
    },
  };
}
