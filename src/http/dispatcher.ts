import { isIP } from 'node:net';
import * as tls from 'node:tls';
import type { Dispatcher } from 'undici';
// The parts, not the whole: undici's main module replaces the dispatcher of the process's own fetch as soon as it is loaded.
import connectThrough from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { Fault, type Secret } from '../domain/index.ts';

/** Proxies by scheme of the target, and the hosts that bypass them, in the format of the usual environment variables. */
export interface ProxySettings {
  /** The proxy of `http` addresses. */
  readonly http?: string;
  /** The proxy of `https` addresses. */
  readonly https?: string;
  /** Hosts separated by commas or blanks: `example.com` and its subdomains, `host:port`, or `*` alone. */
  readonly no?: string;
}

/** A client certificate and its private key, both PEM. */
export interface ClientCertificate {
  /** The certificate, with its chain, in PEM. */
  readonly cert: string;
  /** Its private key, in PEM. */
  readonly key: Secret;
  /** Decrypts an encrypted key. */
  readonly passphrase?: Secret;
}

export interface DispatcherOptions {
  /** PEM; trusted in addition to the certificates that Node trusts. */
  readonly ca?: string | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** The local address of outgoing connections. Defaults to the system's choice. */
  readonly sourceAddress?: string | undefined;
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly connectMs: number;
  /** The most connections to one origin, without a proxy. Without a limit, a pool opens twice as many as requests run: it opens another one for a request that follows a response, because the connection of that is free a moment later. */
  readonly connections: number;
}

/**
 * Opens a connection pool.
 * @throws Fault `usage.invalid` for a CA that is not a certificate, a proxy that is not an HTTP URL, or a source address
 * that is not an IP address.
 */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const { proxy, connectMs, connections, sourceAddress } = options;
  const trust = { timeout: connectMs, ...(options.ca === undefined ? {} : { ca: trustedCertificates(options.ca) }) };
  const connect = { ...trust, ...(options.clientCertificate ? ownCertificate(options.clientCertificate) : {}) };
  const source = sourceAddress === undefined ? {} : { localAddress: checkedAddress(sourceAddress) };
  const [httpProxy, httpsProxy] = [proxyUrl(proxy?.http), proxyUrl(proxy?.https)];
  if (httpProxy === '' && httpsProxy === '') return new Agent({ connect, connections, ...source });
  return new EnvHttpProxyAgent({
    connect,
    ...source,
    requestTls: connect,
    proxyTls: trust,
    // Never undefined: undici would read the environment, which only the caller may do.
    httpProxy,
    httpsProxy,
    noProxy: proxy?.no ?? '',
    clientFactory: (origin, clientOptions) => new ProxyConnections(origin, clientOptions),
  });
}

/**
 * Connections to a proxy. undici 7 retries immediately and endlessly when a proxy closes the connection instead of
 * responding to CONNECT, because it takes a socket error there for a transient one; so this error gets another code.
 */
class ProxyConnections extends Pool {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of undici do not fit into one signature; its proxy agent uses this one.
  override connect(options: any): any {
    return connectThrough.call(this, options).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== 'UND_ERR_SOCKET') throw error;
      throw Object.assign(new Error('the proxy ended the connection', { cause: error }), { code: 'PROXY_CUT' });
    });
  }
}

function checkedAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  throw new Fault('usage.invalid', 'The source address is not an IP address.', {
    hint: 'Use one of this machine’s own addresses, such as 192.0.2.7.',
  });
}

function trustedCertificates(pem: string): string[] {
  try {
    if (!/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(pem)) throw new Error('there is no certificate in it');
    tls.createSecureContext({ ca: pem });
  } catch (error) {
    throw new Fault('usage.invalid', 'The extra CA cannot be used: it is not a PEM certificate.', {
      hint: 'Use a file of one or more certificates in PEM format.',
      remedy: 'trust-authority',
      cause: error,
    });
  }
  // From Node 22.15, this includes NODE_EXTRA_CA_CERTS and the system's own store.
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] };
  return [...(getCACertificates?.('default') ?? tls.rootCertificates), pem];
}

/** @throws Fault `usage.invalid` */
function ownCertificate({ cert, key, passphrase }: ClientCertificate) {
  const pair = { cert, key: key.reveal(), ...(passphrase && { passphrase: passphrase.reveal() }) };
  try {
    tls.createSecureContext(pair);
  } catch {
    // The error of OpenSSL is not passed on: it is about a private key.
    throw new Fault('usage.invalid', 'The client certificate cannot be used with its private key.', {
      hint: 'Use a certificate and the private key that belongs to it, both in PEM format, and the passphrase of an encrypted key.',
    });
  }
  return pair;
}

/** @throws Fault `usage.invalid` */
function proxyUrl(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return '';
  try {
    const url = new URL(text.includes('://') ? text.trim() : `http://${text.trim()}`);
    decodeURIComponent(url.username + url.password);
    // Like curl: the rest has no meaning for a proxy, and undici rejects it.
    if (/^https?:$/.test(url.protocol)) return Object.assign(url, { pathname: '/', search: '', hash: '' }).href;
  } catch {
    // It is not a URL, or its user name or password is not encoded.
  }
  // A proxy URL may contain a password: it is not repeated.
  throw new Fault('usage.invalid', 'The proxy setting is not an http or https URL.', {
    hint: 'Use a URL such as http://proxy.example:3128, with %25 for a % in a password. Other kinds of proxies, such as SOCKS, are not supported.',
    remedy: 'check-proxy',
  });
}
