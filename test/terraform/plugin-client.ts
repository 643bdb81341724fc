import { ChannelCredentials, Client, type ServiceError } from '@grpc/grpc-js';
import { type Draft, decode, encode } from '../../src/terraform/protocol/message.ts';
import { type Method, SERVICE_NAMES } from '../../src/terraform/protocol/services.ts';
import type { Certificate } from '../../src/terraform/serve/certificate.ts';

type Service = keyof typeof SERVICE_NAMES;

/** A core that speaks the protocol, and does nothing by itself. */
export interface PluginClient {
  /** @throws ServiceError, as the server gives it */
  ask<Q extends object, A extends object>(service: Service, method: Method<Q, A>, request: Draft<Q>): Promise<A>;
  /** All messages of a call whose server may send several. @throws ServiceError */
  stream<Q extends object, A extends object>(service: Service, method: Method<Q, A>, request: Draft<Q>): Promise<A[]>;
  /** Begins a call, and goes away from it. */
  cancel<Q extends object, A extends object>(service: Service, method: Method<Q, A>, request: Draft<Q>): () => void;
  /** Opens a call that is held. Resolves when the other side ends it. */
  hold(service: Service, method: Method): Promise<ServiceError | undefined>;
  /** Goes away from the calls that are held. */
  leave(): void;
  close(): void;
}

export interface Peer {
  /** Ours; absent: we have none. */
  readonly own?: Certificate;
  /** Theirs, PEM. */
  readonly theirs: string;
}

const pathOf = (service: Service, { name }: Pick<Method, 'name'>): string => `/${SERVICE_NAMES[service]}/${name}`;

const credentialsOf = (peer: Peer | undefined): ChannelCredentials =>
  peer === undefined
    ? ChannelCredentials.createInsecure()
    : ChannelCredentials.createSsl(
        Buffer.from(peer.theirs),
        peer.own ? Buffer.from(peer.own.key) : null,
        peer.own ? Buffer.from(peer.own.certificate) : null,
      );

export function openPluginClient(socket: string, peer?: Peer): PluginClient {
  const client = new Client(`unix:${socket}`, credentialsOf(peer), {
    'grpc.max_receive_message_length': -1,
    'grpc.ssl_target_name_override': 'localhost',
    'grpc.default_authority': 'localhost',
    // Each client is a core of its own; by default, those of one process share a connection.
    'grpc.use_local_subchannel_pool': 1,
  });
  const left: (() => void)[] = [];
  const begin = <Q extends object, A extends object>(
    service: Service,
    method: Method<Q, A>,
    request: Draft<Q>,
    done: (thrown: ServiceError | null, answer?: A) => void,
  ) =>
    client.makeUnaryRequest(
      pathOf(service, method),
      (draft: Draft<Q>) => Buffer.from(encode(method.request, draft)),
      (bytes: Buffer) => decode(method.response, bytes),
      request,
      done,
    );
  const listen = <Q extends object, A extends object>(service: Service, method: Method<Q, A>, request: Draft<Q>) =>
    client.makeServerStreamRequest(
      pathOf(service, method),
      (draft: Draft<Q>) => Buffer.from(encode(method.request, draft)),
      (bytes: Buffer) => decode(method.response, bytes),
      request,
    );
  return {
    async stream(service, method, request) {
      const messages = [];
      for await (const message of listen(service, method, request)) messages.push(message);
      return messages;
    },
    ask: (service, method, request) =>
      new Promise((resolve, reject) => {
        begin(service, method, request, (thrown, answer) => (answer ? resolve(answer) : reject(thrown)));
      }),
    cancel(service, method, request) {
      const begun = begin(service, method, request, () => {});
      return () => begun.cancel();
    },
    hold: (service, method) =>
      new Promise((resolve) => {
        const stream = listen(service, method, {});
        left.push(() => stream.cancel());
        stream.on('error', (thrown) => resolve(thrown as ServiceError)).on('end', () => resolve(undefined));
        stream.resume();
      }),
    leave() {
      for (const cancel of left.splice(0)) cancel();
    },
    close: () => client.close(),
  };
}
