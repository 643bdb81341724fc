import { isIP } from 'node:net';
import * as tls from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { Fault } from '../domain/index.ts';

/** Proxies by scheme of the target, and what goes without one, in the form of the usual environment variables. */
export interface ProxySettings {
  readonly http?: string;
  readonly https?: string;
  /** Hosts separated by commas or blanks: `example.com` and all below it, `host:port`, or `*` alone. */
  readonly no?: string;
}

export interface DispatcherOptions {
  /** PEM; trusted beside the certificates that Node trusts, not instead of them. */
  readonly ca?: string;
  readonly proxy?: ProxySettings;
  /** The own address that connections leave from; the system’s choice unless told. */
  readonly sourceAddress?: string;
  readonly connectMs: number;
}

/** The connections. @throws Fault `usage.invalid` for a CA that is no certificate or a proxy that is no URL. */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const { proxy, connectMs, sourceAddress } = options;
  const connect = { timeout: connectMs, ...(options.ca === undefined ? {} : { ca: trusted(options.ca) }) };
  const source = sourceAddress === undefined ? {} : { localAddress: checkedAddress(sourceAddress) };
  const [httpProxy, httpsProxy] = [proxyUrl(proxy?.http), proxyUrl(proxy?.https)];
  if (httpProxy === '' && httpsProxy === '') return new Agent({ connect, ...source });
  return new EnvHttpProxyAgent({
    connect,
    ...source,
    requestTls: connect,
    proxyTls: connect,
    // Never undefined: undici would read the environment, which is for the caller to do.
    httpProxy,
    httpsProxy,
    noProxy: proxy?.no ?? '',
    clientFactory: (origin, clientOptions) => new ProxyConnections(origin, clientOptions),
  });
}

/**
 * Connections to a proxy. undici 7 asks again at once, without end, when a proxy cuts the connection instead of
 * answering CONNECT, because it takes a socket error there for one that passes; so that error goes under another name.
 */
class ProxyConnections extends Pool {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of undici can not be written in one signature.
  override connect(...given: any[]): any {
    const [options, callback] = given;
    if (callback) return super.connect(options, callback);
    return super.connect(options).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== 'UND_ERR_SOCKET') throw error;
      throw Object.assign(new Error('the proxy ended the connection', { cause: error }), { code: 'PROXY_CUT' });
    });
  }
}

function checkedAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  throw new Fault('usage.invalid', 'The source address is no IP address.', {
    hint: 'Give one of this machine’s own addresses, such as 192.0.2.7.',
  });
}

function trusted(pem: string): string[] {
  try {
    if (!/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(pem)) throw new Error('no certificate in it');
    tls.createSecureContext({ ca: pem });
  } catch (error) {
    throw new Fault('usage.invalid', 'The extra CA can not be used: it is not a PEM certificate.', {
      hint: 'It must be one or more certificates in PEM form.',
      remedy: 'trust-authority',
      cause: error,
    });
  }
  // Node 22.15 and newer also tell what NODE_EXTRA_CA_CERTS and the system's own store add.
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] };
  return [...(getCACertificates?.('default') ?? tls.rootCertificates), pem];
}

function proxyUrl(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return '';
  const url = text.includes('://') ? text.trim() : `http://${text.trim()}`;
  if (URL.canParse(url)) return url;
  // A proxy URL may hold a password: it is not repeated.
  throw new Fault('usage.invalid', 'A proxy is set, but it is not a URL.', {
    hint: 'Write it like http://proxy.example:3128, in HTTPS_PROXY or HTTP_PROXY.',
  });
}
