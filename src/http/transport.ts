import { Fault } from '../domain/index.ts';
import { type ClientCertificate, openDispatcher, type ProxySettings } from './dispatcher.ts';
import type { AnyDispatcher } from './exchange.ts';
import { type Fetch, fetchDispatcher } from './fetch-dispatcher.ts';
import type { HttpRequest } from './request.ts';

/** The connections of a client, and what every request carries. */
export interface TransportOptions {
  /** PEM; trusted in addition to the certificates that Node trusts. */
  readonly ca?: string;
  readonly proxy?: ProxySettings;
  /** The local address of outgoing connections. Defaults to the system's choice. */
  readonly sourceAddress?: string;
  /** The certificate of this client, for servers that require one (mTLS). Shown to {@link origin} only. */
  readonly clientCertificate?: ClientCertificate;
  /**
   * Sends the requests, instead of connections of its own: a `fetch` like that of Node.js. Certificates, proxy and source address
   * are then its concern. It follows no redirects for Keyplane.
   */
  readonly fetch?: Fetch;
  /** The same with a dispatcher of undici 7 or newer. It is not closed with the client. */
  readonly dispatcher?: AnyDispatcher;
  /** Headers of every request to {@link origin}; those of the client take precedence. May contain credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Defaults to `keyplane`. */
  readonly userAgent?: string;
  /** The origin that headers and the client certificate are for. Omitted: any. */
  readonly origin?: string;
}

/** The way on which requests leave. */
export interface Transport {
  dispatcherFor(url: URL): AnyDispatcher;
  close(): Promise<void>;
}

const isOwn = ({ origin }: TransportOptions, url: URL): boolean => origin === undefined || url.origin === origin;

/** @throws Fault `usage.invalid` */
export function openTransport(
  options: TransportOptions,
  { connectMs, concurrency }: { readonly connectMs: number; readonly concurrency: number },
): Transport {
  checkHeaders(options);
  const { fetch, dispatcher, clientCertificate } = options;
  const given = fetch ? fetchDispatcher(fetch) : dispatcher;
  if (given) return { dispatcherFor: () => given, close: async () => undefined };
  const pool = { connectMs, connections: concurrency };
  const own = openDispatcher({ ...options, ...pool });
  // Without the certificate: it names its owner to every server that asks for one.
  const other = clientCertificate ? openDispatcher({ ...options, ...pool, clientCertificate: undefined }) : own;
  return {
    dispatcherFor: (url) => (isOwn(options, url) ? own : other),
    async close() {
      await Promise.all([own.destroy(), other === own ? undefined : other.destroy()]);
    },
  };
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that the client sets itself. */
const OF_CONNECTION = /^(host|connection|content-length|content-type|transfer-encoding|expect|upgrade|te|trailer)$/i;

/** @throws Fault `usage.invalid`. The value may be a secret, so it is not repeated. */
function checkHeaders({ headers = {}, userAgent }: TransportOptions): void {
  const all = { ...headers, ...(userAgent === undefined ? {} : { 'user-agent': userAgent }) };
  for (const [name, value] of Object.entries(all)) {
    const problem = !NAME.test(name)
      ? 'its name is invalid'
      : OF_CONNECTION.test(name)
        ? 'the client sets it itself'
        : VALUE.test(value)
          ? undefined
          : 'its value contains invalid characters';
    if (problem === undefined) continue;
    throw new Fault('usage.invalid', `The header ${JSON.stringify(name)} cannot be sent: ${problem}.`);
  }
}

/** The request with the headers that every request to the gateway carries. Credentials of the client are not replaced. */
export function withOwnHeaders(request: HttpRequest, options: TransportOptions): HttpRequest {
  const { headers, userAgent } = options;
  if (headers === undefined && userAgent === undefined) return request;
  const names = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
  const added = Object.entries(isOwn(options, request.url) ? (headers ?? {}) : {});
  return {
    ...request,
    headers: {
      ...Object.fromEntries(added.filter(([name]) => !names.has(name.toLowerCase()))),
      ...request.headers,
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    },
  };
}
