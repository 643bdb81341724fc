import { type handleUnaryCall, Server, ServerCredentials, type ServiceDefinition, status } from '@grpc/grpc-js';
import { type Draft, decode, encode } from '../protocol/message.ts';
import type { Call } from '../protocol/services.ts';

export interface CallContext {
  /** Aborts when core goes away from the call, or wants all to end. */
  readonly signal: AbortSignal;
}

/** One answer for each call of a service. */
export type Answers<S> = {
  readonly [K in keyof S]: S[K] extends Call<infer Q, infer A>
    ? (request: Q, context: CallContext) => Draft<A> | Promise<Draft<A>>
    : never;
};

/** A service, and who answers. Calls without an answer are not implemented; streams need none. */
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

const handler =
  (
    name: string,
    answer: Mounted['answers'][string],
    { stop, onDefect }: ListenOptions,
  ): handleUnaryCall<object, object> =>
  (call, done) => {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort(new Error('core has cancelled the call')));
    const signal = AbortSignal.any([gone.signal, stop]);
    Promise.resolve()
      .then(() => answer(call.request as never, { signal }))
      .then(
        (draft) => done(null, draft as object),
        (thrown: unknown) => {
          onDefect(name, thrown);
          done({ code: status.INTERNAL, details: thrown instanceof Error ? thrown.message : String(thrown) });
        },
      );
  };

/** What is held open ends when the other side or the server does. */
const held = (call: { on: (event: 'data' | 'end', listener: () => void) => unknown; end?: () => void }): void => {
  call.on('data', () => {});
  call.on('end', () => call.end?.());
};

function mount(server: Server, each: Mounted, options: ListenOptions): void {
  const handlers = Object.entries(each.calls).flatMap(([key, call]) => {
    if (call.streams !== undefined) return [[key, held]];
    const answer = each.answers[key];
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
