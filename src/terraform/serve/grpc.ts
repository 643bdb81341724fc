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
import type { Call } from '../protocol/services.ts';

export interface CallContext {
  /** Aborts when core goes away from the call, or wants all to end. */
  readonly signal: AbortSignal;
}

/** One answer for each call of a service. */
export type Answers<S> = {
  readonly [K in keyof S]: S[K] extends Call<infer Q, infer A>
    ? S[K] extends { readonly streams: 'server' }
      ? (request: Q, context: CallContext) => AsyncIterable<Draft<A>>
      : (request: Q, context: CallContext) => Draft<A> | Promise<Draft<A>>
    : never;
};

/** A service, and who answers. Calls without an answer are not implemented; streams without one are held open. */
export interface Mounted {
  readonly service: string;
  readonly calls: Readonly<Record<string, Call>>;
  readonly answers: Readonly<Record<string, (request: never, context: CallContext) => unknown>>;
}

export interface Tls {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  /** PEM: whoever has no certificate that this one signed is not served. */
  readonly clientCertificate: string;
}

export interface Listening {
  close(): void;
}

interface ListenOptions {
  readonly socket: string;
  readonly mounted: readonly Mounted[];
  readonly tls?: Tls | undefined;
  readonly stop: AbortSignal;
  /** Of an answer that threw: it should have been a diagnostic. */
  readonly onDefect: (call: string, thrown: unknown) => void;
}

// The default is 4 MiB for what comes in; the state of a thousand keys is larger.
const UNLIMITED = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };

const pathOf = (service: string, { name }: Call): string => `/${service}/${name}`;

function definitionOf({ service, calls }: Mounted): ServiceDefinition {
  const entries = Object.entries(calls).map(([key, call]) => [
    key,
    {
      path: pathOf(service, call),
      originalName: key,
      requestStream: call.streams === 'both',
      responseStream: call.streams !== undefined,
      requestSerialize: (draft: object) => Buffer.from(encode(call.request, draft)),
      requestDeserialize: (bytes: Buffer) => decode(call.request, bytes),
      responseSerialize: (draft: object) => Buffer.from(encode(call.response, draft)),
      responseDeserialize: (bytes: Buffer) => decode(call.response, bytes),
    },
  ]);
  return Object.fromEntries(entries) as ServiceDefinition;
}

type Answer = Mounted['answers'][string];

interface Cancellable {
  readonly cancelled: boolean;
  on(event: 'cancelled', listener: () => void): unknown;
}

/** Most calls of a refresh look at no signal: one is made for those that do. */
function contextOf(call: Cancellable, stop: AbortSignal): CallContext {
  let signal: AbortSignal | undefined;
  const make = (): AbortSignal => {
    const gone = new AbortController();
    const leave = (): void => gone.abort(new Error('core has cancelled the call'));
    if (call.cancelled) leave();
    call.on('cancelled', leave);
    return AbortSignal.any([gone.signal, stop]);
  };
  return {
    get signal() {
      signal ??= make();
      return signal;
    },
  };
}

const brokenBy = (thrown: unknown) => ({
  code: status.INTERNAL,
  details: thrown instanceof Error ? thrown.message : String(thrown),
});

const handler =
  (name: string, answer: Answer, { stop, onDefect }: ListenOptions): handleUnaryCall<object, object> =>
  (call, done) => {
    Promise.resolve()
      .then(() => answer(call.request as never, contextOf(call, stop)))
      .then(
        (draft) => done(null, draft as object),
        (thrown: unknown) => {
          onDefect(name, thrown);
          done(brokenBy(thrown));
        },
      );
  };

/** Sends what the answer gives, one message after the other, and no faster than it is taken. */
const streamer =
  (name: string, answer: Answer, { stop, onDefect }: ListenOptions): handleServerStreamingCall<object, object> =>
  async (call) => {
    const context = contextOf(call, stop);
    let failure: { readonly thrown: unknown } | undefined;
    // What breaks must not reach the pipeline: it would destroy the call, and core would wait for its end for ever.
    async function* unbroken(): AsyncGenerator<object> {
      try {
        yield* answer(call.request as never, context) as AsyncIterable<object>;
      } catch (thrown) {
        failure = { thrown };
      }
    }
    const source = Readable.from(unbroken(), { highWaterMark: 1 });
    await pipeline(source, call as unknown as Writable, { end: false }).catch((thrown) => (failure ??= { thrown }));
    if (call.cancelled) return;
    if (failure === undefined) return void call.end();
    onDefect(name, failure.thrown);
    call.emit('error', brokenBy(failure.thrown));
  };

/** What is held open ends when the other side or the server does. */
const held = (call: { on: (event: 'data' | 'end', listener: () => void) => unknown; end?: () => void }): void => {
  call.on('data', () => {});
  call.on('end', () => call.end?.());
};

function mount(server: Server, each: Mounted, options: ListenOptions): void {
  const handlers = Object.entries(each.calls).flatMap(([key, call]): [string, UntypedHandleCall][] => {
    const answer = each.answers[key];
    if (call.streams !== undefined)
      return [[key, (answer ? streamer(call.name, answer, options) : held) as UntypedHandleCall]];
    return answer ? [[key, handler(call.name, answer, options)]] : [];
  });
  server.addService(definitionOf(each), Object.fromEntries(handlers));
}

const credentialsOf = (tls: Tls | undefined): ServerCredentials =>
  tls === undefined
    ? ServerCredentials.createInsecure()
    : ServerCredentials.createSsl(
        Buffer.from(tls.clientCertificate),
        [{ cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key) }],
        true,
      );

/** Serves on a Unix socket. @throws Error when it can not listen there */
export async function listen(options: ListenOptions): Promise<Listening> {
  const server = new Server(UNLIMITED);
  for (const each of options.mounted) mount(server, each, options);
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${options.socket}`, credentialsOf(options.tls), (thrown) =>
      thrown ? reject(thrown) : resolve(),
    );
  });
  return { close: () => server.forceShutdown() };
}
