import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { TLSSocket } from 'node:tls';
import type { Draft } from '../protocol/message.ts';
import type { Method } from '../protocol/services.ts';
import { type CallContext, type ServedMethod, type ServingOptions, serveCall } from './grpc-call.ts';
import { STATUS, trailersOf } from './grpc-message.ts';

export type { CallContext } from './grpc-call.ts';

/** One handler for each method of a service. */
export type Handlers<S> = {
  readonly [K in keyof S]: S[K] extends Method<infer Q, infer A>
    ? S[K] extends { readonly streams: 'server' }
      ? (request: Q, context: CallContext) => AsyncIterable<Draft<A>>
      : (request: Q, context: CallContext) => Draft<A> | Promise<Draft<A>>
    : never;
};

/** A service with its handlers. Methods without a handler are unimplemented; streams without one are held open. */
export interface MountedService {
  readonly service: string;
  readonly methods: Readonly<Record<string, Method>>;
  readonly handlers: Readonly<Record<string, (request: never, context: CallContext) => unknown>>;
}

export interface Tls {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  /** PEM: only the client with exactly this certificate is served. */
  readonly clientCertificate: string;
}

export interface Listening {
  close(): void;
}

interface ListenOptions extends ServingOptions {
  readonly socket: string;
  readonly services: readonly MountedService[];
  readonly tls?: Tls | undefined;
}

const WINDOW_BYTES = 8 * 2 ** 20;

const SESSION = {
  settings: { initialWindowSize: WINDOW_BYTES, maxFrameSize: 2 ** 20, enablePush: false },
  // In megabytes. The default, 10, is less than the state of some thousand keys; core accepts messages of 64.
  maxSessionMemory: 1024,
};

function routesOf(services: readonly MountedService[]): ReadonlyMap<string, ServedMethod> {
  const routes = services.flatMap(({ service, methods, handlers }) =>
    Object.entries(methods).flatMap(([key, method]): [string, ServedMethod][] => {
      const handle = Object.hasOwn(handlers, key) ? handlers[key] : undefined;
      return handle || method.streams ? [[`/${service}/${method.name}`, { service, method, handle }]] : [];
    }),
  );
  return new Map(routes);
}

const reject = (stream: ServerHttp2Stream, status: number): void => {
  stream.respond({ ':status': status }, { endStream: true });
  stream.resume();
};

/** Serves the calls of one connection. */
function serveSession(
  session: ServerHttp2Session,
  routes: ReadonlyMap<string, ServedMethod>,
  options: ListenOptions,
): void {
  // The stream of each call ends with an error of its own.
  session.on('error', () => {});
  session.setLocalWindowSize(WINDOW_BYTES);
  session.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    const { ':method': method, ':path': path = '', 'content-type': type = '' } = headers;
    if (method !== 'POST') return void reject(stream, constants.HTTP_STATUS_METHOD_NOT_ALLOWED);
    if (!type.startsWith('application/grpc')) return void reject(stream, constants.HTTP_STATUS_UNSUPPORTED_MEDIA_TYPE);
    const route = routes.get(path);
    if (route) return void serveCall(stream, headers, { route, options });
    const failure = { code: STATUS.unimplemented, details: `there is no method ${path}` };
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...trailersOf(failure) }, { endStream: true });
    stream.resume();
  });
}

/**
 * Lets every certificate complete the handshake of TLS, which proves that the client has its key; {@link isCore} rejects others. With
 * an authority to compare with, Node.js would parse all that it knows at each start, which takes longer than all else before the
 * handshake of the plugin.
 */
const serverOf = (tls: Tls | undefined): Http2Server | Http2SecureServer =>
  tls === undefined
    ? createServer(SESSION)
    : createSecureServer({
        ...SESSION,
        cert: tls.certificate,
        key: tls.key,
        ca: [],
        requestCert: true,
        rejectUnauthorized: false,
      });

/** Has the client of a connection the certificate of core? */
function isCore({ socket }: ServerHttp2Session, core: X509Certificate): boolean {
  const own = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  return own?.raw.equals(core.raw) === true;
}

/** Serves gRPC on a Unix socket. @throws Error when it cannot listen there */
export async function listen(options: ListenOptions): Promise<Listening> {
  const routes = routesOf(options.services);
  const sessions = new Set<ServerHttp2Session>();
  const server = serverOf(options.tls);
  const core = options.tls && new X509Certificate(options.tls.clientCertificate);
  server.on('session', (session) => {
    if (core && !isCore(session, core)) return void session.destroy();
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    serveSession(session, routes, options);
  });
  server.listen(options.socket);
  await once(server, 'listening');
  return {
    close() {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}
