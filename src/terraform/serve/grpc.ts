import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { type Draft, decode, encode } from '../protocol/message.ts';
import type { Method } from '../protocol/services.ts';

export interface CallContext {
  /** Aborts when core cancels the call or stops the provider. */
  readonly signal: AbortSignal;
}

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
  /** PEM: only clients with a certificate that this one signed are served. */
  readonly clientCertificate: string;
}

export interface Listening {
  close(): void;
}

interface ListenOptions {
  readonly socket: string;
  readonly services: readonly MountedService[];
  readonly tls?: Tls | undefined;
  readonly stop: AbortSignal;
  /** Called when a handler throws instead of returning a diagnostic. */
  readonly onDefect: (method: string, thrown: unknown) => void;
  /** Called when core goes away from a stream of this service that is held open. */
  readonly onLeave?: (service: string) => void;
}

// The default limit for requests is 4 MiB; the state of a thousand keys is larger.
const UNLIMITED = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };

const pathOf = (service: string, { name }: Method): string => `/${service}/${name}`;

function definitionOf({ service, methods }: MountedService): ServiceDefinition {
  const entries = Object.entries(methods).map(([key, method]) => [
    key,
    {
      path: pathOf(service, method),
      originalName: key,
      requestStream: method.streams === 'both',
      responseStream: method.streams !== undefined,
      requestSerialize: (draft: object) => Buffer.from(encode(method.request, draft)),
      requestDeserialize: (bytes: Buffer) => decode(method.request, bytes),
      responseSerialize: (draft: object) => Buffer.from(encode(method.response, draft)),
      responseDeserialize: (bytes: Buffer) => decode(method.response, bytes),
    },
  ]);
  return Object.fromEntries(entries) as ServiceDefinition;
}

type MethodHandler = MountedService['handlers'][string];

interface Cancellable {
  readonly cancelled: boolean;
  on(event: 'cancelled', listener: () => void): unknown;
}

/** Creates the signal lazily: most calls of a refresh never use it. */
function contextOf(call: Cancellable, stop: AbortSignal): CallContext {
  let signal: AbortSignal | undefined;
  const make = (): AbortSignal => {
    const cancelled = new AbortController();
    const cancel = (): void => cancelled.abort(new Error('core has cancelled the call'));
    if (call.cancelled) cancel();
    call.on('cancelled', cancel);
    return AbortSignal.any([cancelled.signal, stop]);
  };
  return {
    get signal() {
      signal ??= make();
      return signal;
    },
  };
}

const internalError = (thrown: unknown) => ({
  code: status.INTERNAL,
  details: thrown instanceof Error ? thrown.message : String(thrown),
});

const unaryHandler =
  (name: string, handle: MethodHandler, { stop, onDefect }: ListenOptions): handleUnaryCall<object, object> =>
  (call, done) => {
    Promise.resolve()
      .then(() => handle(call.request as never, contextOf(call, stop)))
      .then(
        (draft) => done(null, draft as object),
        (thrown: unknown) => {
          onDefect(name, thrown);
          done(internalError(thrown));
        },
      );
  };

/** Streams the messages of a handler, no faster than core reads them. */
const streamHandler =
  (name: string, handle: MethodHandler, { stop, onDefect }: ListenOptions): handleServerStreamingCall<object, object> =>
  async (call) => {
    const context = contextOf(call, stop);
    let failure: { readonly thrown: unknown } | undefined;
    // An error must not reach the pipeline: it would destroy the call, and core would wait for its end forever.
    async function* withoutThrowing(): AsyncGenerator<object> {
      try {
        yield* handle(call.request as never, context) as AsyncIterable<object>;
      } catch (thrown) {
        failure = { thrown };
      }
    }
    const source = Readable.from(withoutThrowing(), { highWaterMark: 1 });
    await pipeline(source, call as unknown as Writable, { end: false }).catch((thrown) => (failure ??= { thrown }));
    if (call.cancelled) return;
    if (failure === undefined) return void call.end();
    onDefect(name, failure.thrown);
    call.emit('error', internalError(failure.thrown));
  };

interface HeldCall {
  on(event: 'data' | 'end' | 'cancelled', listener: () => void): unknown;
  end?(): void;
}

/** Ends when core or the server does. */
const holdOpen =
  (onLeave: () => void) =>
  (call: HeldCall): void => {
    call.on('data', () => {});
    call.on('end', () => call.end?.());
    call.on('cancelled', onLeave);
  };

function mount(server: Server, mounted: MountedService, options: ListenOptions): void {
  const onLeave = () => options.onLeave?.(mounted.service);
  const handlers = Object.entries(mounted.methods).flatMap(
    ([key, { name, streams }]): [string, UntypedHandleCall][] => {
      const handle = mounted.handlers[key];
      if (streams !== undefined) {
        return [[key, (handle ? streamHandler(name, handle, options) : holdOpen(onLeave)) as UntypedHandleCall]];
      }
      return handle ? [[key, unaryHandler(name, handle, options)]] : [];
    },
  );
  server.addService(definitionOf(mounted), Object.fromEntries(handlers));
}

const credentialsOf = (tls: Tls | undefined): ServerCredentials =>
  tls === undefined
    ? ServerCredentials.createInsecure()
    : ServerCredentials.createSsl(
        Buffer.from(tls.clientCertificate),
        [{ cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key) }],
        true,
      );

/** Serves on a Unix socket. @throws Error when it cannot listen there */
export async function listen(options: ListenOptions): Promise<Listening> {
  const server = new Server(UNLIMITED);
  for (const mounted of options.services) mount(server, mounted, options);
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${options.socket}`, credentialsOf(options.tls), (thrown) =>
      thrown ? reject(thrown) : resolve(),
    );
  });
  return { close: () => server.forceShutdown() };
}
