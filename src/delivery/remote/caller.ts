import { asFault, Fault, type Secret } from '../../domain/index.ts';
import { describePage, type HttpRequest, type HttpResponse } from '../../http/index.ts';
import { shownText } from '../shown-text.ts';
import type { SinkConnection } from './connections.ts';

/** A service on the network, as far as its requests and errors look the same. */
export interface RemoteService {
  /** For people: `Vault`. */
  readonly name: string;
  /** Without a slash at its end. */
  readonly base: string;
  readonly connection: SinkConnection;
  readonly token: () => Promise<Secret>;
  /** The secrets that the sink was asked about: an answer may repeat them, also one about something else, and no message does. */
  readonly asked: ReadonlySet<Secret>;
  readonly headersWith: (token: Secret) => Readonly<Record<string, string>>;
  /** The reason that the body of an error names. */
  readonly reasonOf: (json: unknown) => string | undefined;
  /** The permissions of its token, as advice. */
  readonly permissions: string;
  readonly limitOf?: HttpRequest['limitOf'];
  readonly readHeaders?: readonly string[];
  /** The least time between two writes. */
  readonly writeDistanceMs?: number;
}

export type CallSignal = AbortSignal | undefined;

export interface RemoteCall {
  readonly method: HttpRequest['method'];
  /** Its parts are encoded already. */
  readonly path: string;
  readonly body?: unknown;
  readonly mediaType?: string;
  /** Default: a GET reads, and everything else writes. */
  readonly effect?: HttpRequest['effect'];
  /** May it be sent again when its answer was lost? Default: a read may. */
  readonly repeatable?: boolean;
  /** The statuses that the caller handles. */
  readonly expects: readonly number[];
  /** The reason of a rejection that the caller handles, whatever its status is. */
  readonly handles?: RegExp | undefined;
  /** Is the body of a 200 what the service documents? What is missing from another one, such as an empty one, is not known to be missing. */
  readonly isWhole?: (json: unknown) => boolean;
  /** The reason of a rejection that means that somebody else wrote meanwhile. */
  readonly staleWhen?: RegExp;
  readonly signal?: AbortSignal | undefined;
}

export interface RemoteAnswer {
  readonly status: number;
  /** Undefined: the body is empty. */
  readonly json: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export type RemoteCaller = (call: RemoteCall) => Promise<RemoteAnswer>;

/**
 * Returns what sends requests to a service.
 *
 * Throws a Fault `sink.*` for every status that the caller does not expect. One whose `retry` is not `look` was not processed.
 */
export function openCaller(service: RemoteService): RemoteCaller {
  return async (call) => {
    const token = await service.token();
    const request = requestOf(service, call, token);
    if (request.effect === 'writes') await service.connection.writeTurn(service.writeDistanceMs ?? 0, call.signal);
    const shown = (text: string): string => shownText(text, [token, ...service.asked]);
    const response = await service.connection.http.send(request).catch((thrown: unknown) => {
      throw sinkFault(service, asFault(thrown), shown);
    });
    const json = parsedBody(service, { request, response }, shown);
    if (response.status === 200 && call.isWhole?.(json) === false) {
      throw strangeAnswer(service, { request, response }, 'an answer that its API does not document');
    }
    const reason = service.reasonOf(json) ?? '';
    const isRejected = response.status >= 400 && response.status < 500;
    if (call.expects.includes(response.status) || (isRejected && call.handles?.test(reason) === true))
      return { status: response.status, json, headers: response.headers ?? {} };
    const isStale = response.status < 500 && call.staleWhen?.test(`${response.status} ${reason}`) === true;
    throw unexpectedStatus(service, request, { status: response.status, reason: shown(reason), isStale });
  };
}

function requestOf(service: RemoteService, call: RemoteCall, token: Secret): HttpRequest {
  const { method, path, body, mediaType = 'application/json', signal } = call;
  const effect = call.effect ?? (method === 'GET' ? 'reads' : 'writes');
  const { limitOf, readHeaders } = service;
  return {
    method,
    url: new URL(service.base + path),
    headers: {
      accept: 'application/json',
      'user-agent': 'keyplane',
      ...service.headersWith(token),
      ...(body === undefined ? {} : { 'content-type': mediaType }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    retry: (call.repeatable ?? effect === 'reads') ? 'yes' : 'no',
    effect,
    pace: effect,
    serverErrors: 'answered',
    ...(effect === 'writes' ? { completesOnceSent: true } : {}),
    ...(limitOf ? { limitOf } : {}),
    ...(readHeaders ? { readHeaders } : {}),
    ...(signal ? { signal } : {}),
  };
}

const nameOf = ({ method, url }: HttpRequest): string => `${method} ${url.host}${url.pathname}`;

/** A request, and what answered it. */
interface SinkExchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

type HideSecrets = (text: string) => string;

function parsedBody(service: RemoteService, answered: SinkExchange, shown: HideSecrets): unknown {
  const { request, response } = answered;
  const { text, status } = response;
  if (text.trim() === '') return undefined;
  try {
    if (describePage(request, response) === undefined) return JSON.parse(text);
  } catch {
    // Not JSON: below.
  }
  if (status >= 500) return undefined;
  throw strangeAnswer(service, answered, shown(describePage(request, response) ?? 'a text that is not JSON'));
}

const strangeAnswer = ({ name }: RemoteService, { request, response }: SinkExchange, what: string): Fault =>
  new Fault('sink.unexpected-answer', `${nameOf(request)}: ${name} responded with ${response.status} and ${what}.`, {
    hint: 'A proxy or a login page may have responded in its place. Check the address of the sink.',
  });

const HINTS = {
  'sink.unreachable':
    'Check the address of the sink, the network and the proxy. The next run delivers what is missing.',
  'sink.rate-limited': 'Nothing was written. The next run delivers it.',
  'sink.unexpected-answer': 'Check the address of the sink, and any proxy in front of it.',
} as const;

const REDIRECTED =
  'Use the address that it redirects to in the manifest, if you trust it. No credentials were sent there.';

/** The trouble of a connection, in the terms of sinks. Whoever redirects may put what it was sent into the address. */
function sinkFault({ name }: RemoteService, fault: Fault, shown: HideSecrets): Fault {
  const { target: _, ...detail } = fault.detail;
  const of = (code: keyof typeof HINTS, hint: string = HINTS[code]): Fault =>
    new Fault(code, shown(`${name}: ${fault.message.replaceAll('the gateway', name)}`), {
      hint,
      detail,
      cause: fault.cause,
    });
  switch (fault.code) {
    case 'gateway.rate-limited':
      return of('sink.rate-limited');
    case 'gateway.redirected':
      return of('sink.unexpected-answer', REDIRECTED);
    case 'gateway.not-json':
    case 'gateway.unexpected-shape':
      return of('sink.unexpected-answer');
    case 'gateway.unreachable':
    case 'gateway.timeout':
    case 'gateway.connection-lost':
    case 'gateway.unavailable':
      return of('sink.unreachable');
    default:
      return fault;
  }
}

function unexpectedStatus(
  service: RemoteService,
  request: HttpRequest,
  { status, reason, isStale }: { status: number; reason: string; isStale: boolean },
): Fault {
  const why = reason === '' ? '' : `: ${reason}`;
  const message = `${nameOf(request)}: ${service.name} responded with ${status}${why}${/[.!?]$/.test(why) ? '' : '.'}`;
  const detail = { method: request.method, path: request.url.pathname, status };
  // Another success than the documented one: it may have taken effect.
  if (status < 300) {
    return new Fault('sink.unexpected-answer', message, { hint: HINTS['sink.unexpected-answer'], detail });
  }
  if (status >= 500) return new Fault('sink.unreachable', message, { hint: HINTS['sink.unreachable'], detail });
  if (status === 401 || status === 403) {
    return new Fault('sink.unauthorized', message, { hint: service.permissions, detail });
  }
  if (isStale) {
    const hint = 'Somebody else wrote to it at the same moment. Run it again.';
    return new Fault('sink.stale', message, { hint, detail });
  }
  return new Fault('sink.refused', message, { detail });
}

/** The fields of an object; empty for anything else. */
export const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A part of a path, encoded: a manifest cannot leave the place that it names. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Reports trouble after the secret itself has arrived: whoever asks has to look. */
export function afterWrite(thrown: unknown): never {
  throw new Fault('sink.unreachable', 'The secret was written, and its fingerprint may not have been.', {
    hint: 'The next run finds out.',
    cause: thrown,
  });
}
