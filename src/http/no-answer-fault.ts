import { type Advice, Fault, type FaultCode } from '../domain/index.ts';
import type { NoAnswer } from './no-answer.ts';
import { type HttpRequest, nameOf, type Sent } from './request.ts';

/** What is wrong, for the error codes of a connection that never was, and what to do about it. */
interface Trouble extends Advice {
  readonly codes: readonly string[];
  readonly says: (at: string) => string;
  readonly hint: string;
  /** A later attempt may go better. */
  readonly passing: boolean;
}

const CA_HINT = 'If the gateway has a certificate of your own authority, give that authority’s certificate.';

const TLS_HINT = 'If the gateway has TLS on this port, write its URL with https://.';

const TROUBLES: readonly Trouble[] = [
  {
    codes: ['ENOTFOUND', 'ENODATA'],
    says: (at) => `The host name of ${at} does not resolve`,
    hint: 'Check the spelling of the gateway’s URL, then DNS and VPN.',
    passing: true,
  },
  {
    codes: ['EAI_AGAIN', 'ETIMEOUT', 'ESERVFAIL'],
    says: (at) => `No name server answers for ${at}`,
    hint: 'Check the network, DNS and VPN of this machine.',
    passing: true,
  },
  {
    codes: ['ECONNREFUSED'],
    says: (at) => `Nothing listens at ${at}`,
    hint: 'Check the port in the gateway’s URL, and that the gateway runs.',
    passing: true,
  },
  {
    codes: ['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL', 'ENONET'],
    says: (at) => `There is no way through the network to ${at}`,
    hint: 'Check the network and VPN of this machine.',
    passing: true,
  },
  {
    codes: ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
    says: (at) => `The connection is not taken up in time by ${at}`,
    hint: 'A firewall may drop it silently. Check network, VPN and proxy.',
    remedy: 'allow-more-time',
    passing: true,
  },
  {
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ],
    says: (at) => `The TLS certificate of ${at} is from an authority that is not trusted here`,
    hint: CA_HINT,
    remedy: 'trust-authority',
    passing: false,
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    says: (at) => `The TLS certificate of ${at} is expired or not yet valid`,
    hint: 'Renew the gateway’s certificate, or correct the clock of this machine.',
    passing: false,
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'UND_ERR_PRX_TLS'],
    says: (at) => `The TLS certificate of ${at} is for another host name`,
    hint: 'Write the gateway’s URL with the name that is in its certificate.',
    passing: false,
  },
  {
    codes: ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'],
    says: (at) => `TLS is not spoken as it should be by ${at}`,
    hint: 'If the gateway has no TLS on this port, write its URL with http://.',
    passing: false,
  },
  {
    codes: ['UND_ERR_ABORTED', 'PROXY_CUT'],
    says: (at) => `The proxy does not connect to ${at}`,
    hint: 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and what the proxy allows.',
    passing: true,
  },
];

/** An error of Node's or undici's own; several addresses of one host come as an aggregate. */
interface SystemError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly address?: string;
  readonly port?: number;
  readonly cause?: unknown;
  /** undici tells what its connection has carried. */
  readonly socket?: { readonly bytesRead?: number };
  readonly errors?: readonly SystemError[];
}

/** A fault, and whether another attempt may go better. */
export interface Judged {
  readonly fault: Fault;
  readonly passing: boolean;
}

/**
 * No whole answer, as a fault. What was never sent is always `gateway.unreachable`, which is safe to repeat.
 *
 * The error itself is not handed on as a cause: undici's carry bytes of the answer, which may be a secret.
 */
export function noAnswerFault(request: HttpRequest, failure: NoAnswer, proxied: boolean): Judged {
  if (failure.why === 'aborted') return { fault: abortedFault(request, failure.sent), passing: false };
  return failure.sent === 'no' ? unreachable(request, failure, proxied) : unanswered(request, failure);
}

/** The asker gave it up. */
export function abortedFault(request: HttpRequest, sent: Sent): Fault {
  const when = sent === 'no' ? 'before it was sent' : 'before its answer was whole';
  return new Fault('gateway.interrupted', `${nameOf(request)}: given up ${when}.`, {
    detail: detailOf(request, { sent }),
  });
}

const detailOf = (request: HttpRequest, { sent }: { readonly sent: Sent }) => ({
  method: request.method,
  path: request.url.pathname,
  sent,
});

/** Who is connected to first: behind a proxy that is the proxy, and its trouble is not the gateway's. */
const FIRST_HOP: ReadonlySet<string> = new Set(TROUBLES.slice(0, 5).flatMap(({ codes }) => codes));
const PROXY_HINT = 'Check HTTPS_PROXY and HTTP_PROXY; NO_PROXY tells what goes without a proxy.';

function unreachable(request: HttpRequest, failure: NoAnswer, proxied: boolean): Judged {
  const error = (failure.cause ?? {}) as SystemError;
  const code = failure.why === 'timeout' ? 'UND_ERR_CONNECT_TIMEOUT' : (error.code ?? error.errors?.[0]?.code ?? '');
  const trouble = TROUBLES.find(({ codes }) => codes.includes(code)) ?? troubleByPrefix(code);
  const byProxy = proxied && FIRST_HOP.has(code);
  const at = byProxy ? `the proxy before ${placeOf(request, error)}` : placeOf(request, error);
  const refusal = proxyStatus(code, error);
  const message = trouble?.says(at) ?? `No connection to ${at}${code ? ` (${code})` : ''}`;
  const known = byProxy ? PROXY_HINT : trouble?.hint;
  const remedy = byProxy || refusal === '407' ? undefined : trouble?.remedy;
  const hint = refusal === '407' ? 'Give the proxy’s user and password in its URL.' : known;
  const aboutProxy = proxied && !hint?.includes('PROXY') ? 'A proxy is set; NO_PROXY tells what goes without it.' : '';
  const fault = new Fault('gateway.unreachable', `${message}${refusal ? ` (it answers ${refusal})` : ''}.`, {
    hint: [hint ?? 'Check the gateway’s URL, network and proxy.', aboutProxy].filter(Boolean).join(' '),
    remedy,
    detail: { ...detailOf(request, failure), ...(code ? { error: code } : {}) },
  });
  // What is not in the table was still never sent, and may pass; what the proxy forbids does not.
  const forbidden = refusal !== undefined && !refusal.startsWith('5');
  return { fault, passing: (trouble?.passing ?? code !== 'UND_ERR_INVALID_ARG') && !forbidden };
}

/** OpenSSL has a code for each way in which a handshake can fail. */
function troubleByPrefix(code: string): Trouble | undefined {
  const family = code.startsWith('ERR_SSL_') ? 'EPROTO' : code.startsWith('CERT_') ? 'UNABLE_TO_GET_ISSUER_CERT' : '';
  return TROUBLES.find(({ codes }) => codes.includes(family));
}

/** The address that was tried, where the system tells, which may be the proxy's; else the gateway's. */
function placeOf(request: HttpRequest, error: SystemError): string {
  const tried = error.address === undefined ? error.errors?.[0] : error;
  if (tried?.address === undefined || tried.port === undefined) return request.url.host;
  const address = tried.address.includes(':') ? `[${tried.address}]` : tried.address;
  const named = `${address}:${tried.port}`;
  return named === request.url.host ? named : `${request.url.host} (${named})`;
}

/** undici tells the status of a refused CONNECT only in its message. */
function proxyStatus(code: string, error: SystemError): string | undefined {
  return code === 'UND_ERR_ABORTED' ? /\((\d{3})\)/.exec(error.message ?? '')?.[1] : undefined;
}

function unanswered(request: HttpRequest, failure: NoAnswer): Judged {
  const error = failure.cause as SystemError | undefined;
  const code = error?.code ?? (error?.name === 'HTTPParserError' ? 'HPE_UNKNOWN' : '');
  const [fault, says, advice] = lossOf(failure, code);
  // A TLS port that is greeted in plain HTTP often just hangs up.
  const greeted = failure.sent === 'maybe' && request.url.protocol === 'http:' && !error?.socket?.bytesRead;
  const hint = greeted && fault === 'gateway.connection-lost' ? `${advice} ${TLS_HINT}` : advice;
  const detail = { ...detailOf(request, failure), ...(code ? { error: code } : {}) };
  return {
    fault: new Fault(fault, `${nameOf(request)}: ${says}.`, {
      hint,
      remedy: failure.why === 'timeout' ? 'allow-more-time' : undefined,
      detail,
    }),
    passing: fault === 'gateway.timeout' || fault === 'gateway.connection-lost',
  };
}

function lossOf({ why, sent }: NoAnswer, code: string): [FaultCode, string, string] {
  if (why === 'timeout') {
    const what = sent === 'yes' ? 'the answer began but did not end in time' : 'no answer came in time';
    return ['gateway.timeout', what, 'Run it again; if it stays so, look at the gateway’s load.'];
  }
  if (why === 'too-large') {
    return [
      'gateway.unexpected-shape',
      'the answer is larger than any that the contract knows',
      'Check the gateway’s URL.',
    ];
  }
  if (why === 'undecodable') {
    return [
      'gateway.not-json',
      'the answer is compressed in a way that can not be undone',
      'Look at the proxy before the gateway.',
    ];
  }
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE' && sent === 'maybe') {
    return ['gateway.not-json', 'the answer is not HTTP', TLS_HINT];
  }
  const when = sent === 'yes' ? 'in the middle of the answer' : 'before an answer came';
  return [
    'gateway.connection-lost',
    `the connection ended ${when}`,
    'Run it again: what is done is found, what is not is done.',
  ];
}
