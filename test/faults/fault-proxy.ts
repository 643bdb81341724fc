import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'undici';
import type { FaultKind } from './faults.ts';
import { type Answer, type Passage, type PassingRequest, type Reply, routeOf } from './passing.ts';

/** A request that the proxy got, in the order of arrival. */
export interface Seen {
  readonly route: string;
  /** The statuses of the gateway's answers, one for each delivery. */
  readonly delivered: number[];
}

/** Plays one fault with the request at a position, counted from 1. */
export interface Strike {
  readonly fault: FaultKind;
  readonly position: number;
}

/** A proxy in front of a gateway, which knows nothing of it, and every request that went through. */
export interface FaultProxy {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Forgets what was seen; the next request has position 1. */
  begin(strike?: Strike): Promise<void>;
  /** The client waited: a closed port opens. */
  onWait(): Promise<void>;
  /** Ends the run: the port is open, what was put off is done, and nothing is under way. Was the fault played? */
  finish(): Promise<boolean>;
  close(): Promise<void>;
}

/** Headers between two hosts, which a proxy does not pass on. */
const BETWEEN_HOSTS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

const passedOn = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || BETWEEN_HOSTS.has(name) ? [] : [[name, String(value)]],
    ),
  );

async function forward(upstream: Pool, { method, path, headers, body }: PassingRequest): Promise<Answer> {
  const answer = await upstream.request({
    method: method as 'GET',
    path,
    headers: passedOn(headers),
    body: body.length > 0 ? body : null,
  });
  return {
    status: answer.statusCode,
    headers: passedOn(answer.headers),
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
}

function send(response: ServerResponse, reply: Reply, isLast: boolean): void {
  if (reply.kind === 'silence') return;
  if (reply.kind === 'cut') {
    response.destroy();
    return;
  }
  const { answer, cutAt } = reply;
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': String(answer.body.length),
    ...(isLast ? { connection: 'close' } : {}),
  });
  if (cutAt === undefined) response.end(answer.body);
  else response.write(answer.body.subarray(0, cutAt), () => response.destroy());
}

/** Opens a proxy. @param onSilence called when a request gets no answer, so that time can pass. */
export async function openFaultProxy(target: string, onSilence: () => void): Promise<FaultProxy> {
  const upstream = new Pool(target, { connections: 16 });
  const sockets = new Set<Socket>();
  const underWay = new Set<Promise<void>>();
  const putOff: (() => Promise<unknown>)[] = [];
  const seen: Seen[] = [];
  let strike: Strike | undefined;
  let [played, port, isOpen] = [false, 0, false];
  let server: Server;

  const listen = async (): Promise<void> => {
    server = createServer((request, response) => {
      const work = handle(request, response).finally(() => underWay.delete(work));
      underWay.add(work);
    });
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => {});
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    port = (server.address() as AddressInfo).port;
    isOpen = true;
  };
  const shut = (): void => {
    isOpen = false;
    played = true;
    server.close();
    server.closeIdleConnections();
  };

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const request: PassingRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: await buffer(incoming),
    };
    const delivered: number[] = [];
    const position = seen.push({ route: routeOf(request), delivered });
    const deliver = async (): Promise<Answer> => {
      const answer = await forward(upstream, request);
      delivered.push(answer.status);
      return answer;
    };
    const passage: Passage = { request, deliver, afterRun: (work) => putOff.push(work) };
    const isStruck = strike?.position === position && !played;
    const reply = isStruck ? await play(passage) : { kind: 'answer' as const, answer: await deliver() };
    const isLast = strike?.fault.closesPort === true && strike.position === position + 1 && !played;
    if (isLast) shut();
    send(response, reply, isLast);
    if (reply.kind === 'silence') onSilence();
  }

  function play(passage: Passage): Promise<Reply> {
    played = true;
    return (strike as Strike).fault.play(passage);
  }

  const onWait = async (): Promise<void> => {
    if (!isOpen) await listen();
  };
  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    onWait,
    async begin(next) {
      seen.length = 0;
      [strike, played] = [next, false];
      if (next?.fault.closesPort && next.position === 1) shut();
    },
    async finish() {
      await onWait();
      await Promise.allSettled(underWay);
      for (const work of putOff.splice(0)) await work();
      strike = undefined;
      return played;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await upstream.close();
    },
  };
}
