import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'undici';
import type { FaultKind } from './faults.ts';
import { type Answer, type Passage, type PassingRequest, type Reply, routeOf, targetOf } from './passing.ts';

/** A request that the proxy got, in the order of arrival. */
export interface Seen {
  readonly route: string;
  /** The statuses of the gateway's answers, one for each delivery. */
  readonly delivered: number[];
}

/** A request, by what is the same in each run: requests to other paths do not change its ordinal. */
export interface NumberedRequest {
  /** Method and path, with ids and without the query. */
  readonly target: string;
  /** The number of requests with this target, including this one. */
  readonly ordinal: number;
  /** The number of all requests, including this one. */
  readonly position: number;
  readonly route: string;
}

/** A fault that was played with a request. */
export interface Injected {
  readonly request: Pick<NumberedRequest, 'target' | 'ordinal'>;
  readonly fault: FaultKind;
}

/** Chooses the faults of a run. */
export interface Disturbance {
  readonly faultOf: (request: NumberedRequest) => FaultKind | undefined;
  /** Nobody listens on the port when the request at this position comes. */
  readonly closing?: { readonly position: number; readonly fault: FaultKind };
  /** The client waits until its time limits. */
  readonly timesOut: boolean;
}

/** A proxy in front of a gateway, which knows nothing of it, and every request that went through. */
export interface FaultProxy {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Forgets what was seen; the next request has position 1. */
  begin(disturbance?: Disturbance): Promise<void>;
  /** The client waited: a closed port opens. */
  onWait(): Promise<void>;
  /** Ends the run: the port is open, what was put off is done, and nothing is under way. Returns the faults that were played. */
  finish(): Promise<readonly Injected[]>;
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

/** Opens a proxy. @param onSilence called for a request that gets no answer, so that time can pass. */
export async function openFaultProxy(
  target: string,
  onSilence: (request: PassingRequest) => void,
): Promise<FaultProxy> {
  const upstream = new Pool(target, { connections: 16 });
  const sockets = new Set<Socket>();
  const underWay = new Set<Promise<void>>();
  const putOff: (() => Promise<unknown>)[] = [];
  const seen: Seen[] = [];
  const ordinals = new Map<string, number>();
  const injected: Injected[] = [];
  let disturbance: Disturbance | undefined;
  let [port, isOpen] = [0, false];
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
  const shut = (fault: FaultKind): void => {
    isOpen = false;
    injected.push({ request: { target: 'the connection', ordinal: 1 }, fault });
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
    const reply = await play(passage, position);
    const closing = disturbance?.closing;
    const isLast = closing?.position === position + 1 && injected.length === 0;
    if (isLast) shut(closing.fault);
    send(response, reply, isLast);
    if (reply.kind === 'silence') onSilence(request);
  }

  async function play(passage: Passage, position: number): Promise<Reply> {
    const target = targetOf(passage.request);
    const ordinal = (ordinals.get(target) ?? 0) + 1;
    ordinals.set(target, ordinal);
    const numbered = { target, ordinal, position, route: routeOf(passage.request) };
    const fault = disturbance?.faultOf(numbered);
    if (fault === undefined) return { kind: 'answer', answer: await passage.deliver() };
    injected.push({ request: numbered, fault });
    return fault.play(passage);
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
      injected.length = 0;
      ordinals.clear();
      disturbance = next;
      if (next?.closing?.position === 1) shut(next.closing.fault);
    },
    async finish() {
      await onWait();
      await Promise.allSettled(underWay);
      for (const work of putOff.splice(0)) await work();
      disturbance = undefined;
      return [...injected];
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await upstream.close();
    },
  };
}
