import { type Advice, Fault, type FaultCode } from '../domain/index.ts';
import { DeadlineError } from './deadline.ts';
import type { ExchangeError } from './exchange.ts';
import { type HttpRequest, requestDetail, requestName, type SentCertainty } from './request.ts';

/** An explanation of the error codes of a failed connection. */
interface ConnectionFailure extends Advice {
  readonly codes: readonly string[];
  readonly describe: (at: string) => string;
  readonly hint: string;
  /** A later attempt may succeed. */
  readonly transient: boolean;
  /** It concerns the first hop: behind a proxy that is the proxy, not the gateway. */
  readonly firstHop?: true;
}

const TLS_HINT = 'If the gateway uses TLS on this port, start its URL with https://.';

const CONNECTION_FAILURES: readonly ConnectionFailure[] = [
  {
    codes: ['ENOTFOUND', 'ENODATA'],
    describe: (at) => `The host name of ${at} does not resolve`,
    hint: 'Check the spelling of the gateway’s URL, then DNS and VPN.',
    transient: true,
    firstHop: true,
  },
  {
    codes: ['EAI_AGAIN', 'ETIMEOUT', 'ESERVFAIL'],
    describe: (at) => `No name server responds for ${at}`,
    hint: 'Check the network, DNS and VPN of this machine.',
    transient: true,
    firstHop: true,
  },
  {
    codes: ['ECONNREFUSED'],
    describe: (at) => `Nothing listens at ${at}`,
    hint: 'Check the port in the gateway’s URL, and that the gateway is running.',
    transient: true,
    firstHop: true,
  },
  {
    codes: ['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL', 'ENONET'],
    describe: (at) => `There is no network route to ${at}`,
    hint: 'Check the network and VPN of this machine.',
    transient: true,
    firstHop: true,
  },
  {
    codes: ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
    describe: (at) => `Connecting to ${at} timed out`,
    hint: 'A firewall may drop the connection silently. Check the network, VPN and proxy.',
    remedy: 'allow-more-time',
    transient: true,
    firstHop: true,
  },
  {
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ],
    describe: (at) => `The TLS certificate of ${at} is from an authority that this machine does not trust`,
    hint: 'If the gateway’s certificate comes from your own authority, trust that authority’s certificate too.',
    remedy: 'trust-authority',
    transient: false,
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    describe: (at) => `The TLS certificate of ${at} has expired or is not yet valid`,
    hint: 'Renew the gateway’s certificate, or correct the clock of this machine.',
    transient: false,
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'UND_ERR_PRX_TLS'],
    describe: (at) => `The TLS certificate of ${at} is for another host name`,
    hint: 'Use the host name of its certificate in the gateway’s URL.',
    transient: false,
  },
  {
    codes: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'],
    describe: (at) => `The TLS handshake with ${at} failed`,
    hint: 'If the gateway does not use TLS on this port, start its URL with http://.',
    transient: false,
  },
  {
    codes: ['UND_ERR_ABORTED', 'PROXY_CUT'],
    describe: (at) => `The proxy does not connect to ${at}`,
    hint: 'Check the proxy settings, and which connections the proxy allows.',
    remedy: 'check-proxy',
    transient: true,
  },
];

/** An error of Node or undici; several addresses of one host come as an aggregate. */
interface SystemError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly address?: string;
  readonly port?: number;
  readonly cause?: unknown;
  /** undici reports how much its connection has carried. */
  readonly socket?: { readonly bytesRead?: number };
  readonly errors?: readonly SystemError[];
}

/** A fault, and whether another attempt may succeed. */
export interface ClassifiedFault {
  readonly fault: Fault;
  readonly transient: boolean;
}

/**
 * Explains a missing or incomplete response as a fault. A request that was never sent is always `gateway.unreachable`,
 * which is safe to repeat.
 *
 * The error itself is not passed on as a cause: undici's errors contain bytes of the response, which may be a secret.
 */
export function exchangeFault(request: HttpRequest, failure: ExchangeError, proxied: boolean): ClassifiedFault {
  if (failure.reason === 'aborted') return { fault: abortedFault(request, failure.sent), transient: false };
  return failure.sent === 'no' ? unreachable(request, failure, proxied) : unanswered(request, failure);
}

/** The caller cancelled the request, or its time is over; the reason of the signal is the cause. @param limitedMs how long a rate limit has held it back by then */
export function abortedFault(request: HttpRequest, sent: SentCertainty, limitedMs?: number): Fault {
  const cause: unknown = request.signal?.reason;
  const detail = { ...requestDetail(request, sent), ...(limitedMs === undefined ? {} : { limitedMs }) };
  if (cause instanceof DeadlineError) {
    const message = `${requestName(request)}: it was not finished within ${cause.ms} ms, the time limit of the call.`;
    return new Fault('gateway.timeout', message, { remedy: 'allow-more-time', detail, cause });
  }
  const when = sent === 'no' ? 'before it was sent' : 'before its response was complete';
  return new Fault('gateway.interrupted', `${requestName(request)}: cancelled ${when}.`, { detail, cause });
}

function unreachable(request: HttpRequest, failure: ExchangeError, proxied: boolean): ClassifiedFault {
  const error = (failure.cause ?? {}) as SystemError;
  const code = failure.reason === 'timeout' ? 'UND_ERR_CONNECT_TIMEOUT' : (error.code ?? error.errors?.[0]?.code ?? '');
  const known = tryFindConnectionFailure(code);
  const byProxy = proxied && known?.firstHop === true;
  const at = byProxy ? `the proxy in front of ${addressOf(request, error)}` : addressOf(request, error);
  const status = proxyStatus(code, error);
  const message = known?.describe(at) ?? `No connection to ${at}${code ? ` (${code})` : ''}`;
  const advice = unreachableAdvice({ known, byProxy, proxied, status });
  const fault = new Fault('gateway.unreachable', `${message}${status ? ` (it responded with ${status})` : ''}.`, {
    ...advice,
    detail: { ...requestDetail(request, failure.sent), ...(code ? { error: code } : {}) },
  });
  // A failure that is not in the table was still never sent, and may not recur; a refusal by the proxy will.
  const forbidden = status !== undefined && !status.startsWith('5');
  return { fault, transient: (known?.transient ?? code !== 'UND_ERR_INVALID_ARG') && !forbidden };
}

interface Unreachable {
  readonly known: ConnectionFailure | undefined;
  /** The proxy itself could not be reached. */
  readonly byProxy: boolean;
  readonly proxied: boolean;
  /** The status of the proxy's response. */
  readonly status: string | undefined;
}

function unreachableAdvice({ known, byProxy, proxied, status }: Unreachable): Advice {
  if (status === '407') return { hint: 'Add the proxy’s user and password to its URL.' };
  if (byProxy) return { hint: 'Check the proxy settings.', remedy: 'check-proxy' };
  const hint = known?.hint ?? 'Check the gateway’s URL, the network and the proxy.';
  const remedy = known?.remedy;
  if (!proxied || remedy === 'check-proxy') return { hint, remedy };
  return { hint: `${hint} Requests go through a proxy.`, remedy: remedy ?? 'check-proxy' };
}

function tryFindConnectionFailure(code: string): ConnectionFailure | undefined {
  const withCode = (wanted: string) => CONNECTION_FAILURES.find(({ codes }) => codes.includes(wanted));
  // OpenSSL has a code for each way in which a handshake can fail.
  const family = code.startsWith('ERR_SSL_') ? 'EPROTO' : code.startsWith('CERT_') ? 'UNABLE_TO_GET_ISSUER_CERT' : '';
  return withCode(code) ?? withCode(family);
}

/** The address that was tried, which may be the proxy's, if the system reports it; otherwise the gateway's. */
function addressOf(request: HttpRequest, error: SystemError): string {
  const tried = error.address === undefined ? error.errors?.[0] : error;
  if (tried?.address === undefined || tried.port === undefined) return request.url.host;
  const address = tried.address.includes(':') ? `[${tried.address}]` : tried.address;
  const socket = `${address}:${tried.port}`;
  return socket === request.url.host ? socket : `${request.url.host} (${socket})`;
}

/** undici reports the status of a rejected CONNECT only in its message. */
function proxyStatus(code: string, error: SystemError): string | undefined {
  return code === 'UND_ERR_ABORTED' ? /\((\d{3})\)/.exec(error.message ?? '')?.[1] : undefined;
}

function unanswered(request: HttpRequest, failure: ExchangeError): ClassifiedFault {
  const error = failure.cause as SystemError | undefined;
  const code = error?.code ?? (error?.name === 'HTTPParserError' ? 'HPE_UNKNOWN' : '');
  const loss = lossOf(failure, code);
  // A TLS port that receives plain HTTP often just closes the connection.
  const maybeTls = failure.sent === 'maybe' && request.url.protocol === 'http:' && !error?.socket?.bytesRead;
  const hint = maybeTls && loss.code === 'gateway.connection-lost' ? `${loss.hint} ${TLS_HINT}` : loss.hint;
  const detail = { ...requestDetail(request, failure.sent), ...(code ? { error: code } : {}) };
  return {
    fault: new Fault(loss.code, `${requestName(request)}: ${loss.message}.`, { hint, remedy: loss.remedy, detail }),
    transient: loss.code === 'gateway.timeout' || loss.code === 'gateway.connection-lost',
  };
}

interface Loss extends Advice {
  readonly code: FaultCode;
  readonly message: string;
}

/** Describes which limit is over. */
function lateness({ sent, exceeded }: Pick<ExchangeError, 'sent' | 'exceeded'>): string {
  if (exceeded === undefined) return 'there was no complete response in time';
  const within = `the time limit of ${exceeded.ms / 1000} s`;
  if (exceeded.isTotal) return `the response was not complete within ${within}`;
  return sent === 'yes'
    ? `the response started, but then nothing arrived within ${within}`
    : `there was no response within ${within}`;
}

function lossOf({ reason, sent, exceeded }: ExchangeError, code: string): Loss {
  if (reason === 'timeout') {
    return {
      code: 'gateway.timeout',
      message: lateness({ sent, exceeded }),
      hint: 'Try again. If it keeps timing out, check the gateway’s load.',
      remedy: 'allow-more-time',
    };
  }
  if (reason === 'too-large') {
    return {
      code: 'gateway.unexpected-shape',
      message: 'the response is larger than any response in the contract',
      hint: 'Check the gateway’s URL.',
    };
  }
  if (reason === 'undecodable') {
    return {
      code: 'gateway.not-json',
      message: 'the compressed response cannot be decoded',
      hint: 'Check the proxy in front of the gateway.',
    };
  }
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE' && sent === 'maybe') {
    return { code: 'gateway.not-json', message: 'the response is not HTTP', hint: TLS_HINT };
  }
  const when = sent === 'yes' ? 'in the middle of the response' : 'before a response arrived';
  return {
    code: 'gateway.connection-lost',
    message: `the connection ended ${when}`,
    hint: 'Run it again: finished changes are detected, and the remaining ones are applied.',
  };
}
