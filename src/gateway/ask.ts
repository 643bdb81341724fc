import { asFault, Fault, type Secret } from '../domain/index.ts';
import type { Http, HttpRequest } from '../http/index.ts';
import { renderJson, userIdHeaders } from '../wire/index.ts';
import { endpointUrl } from './address.ts';
import { tryParseJson } from './response-fault.ts';

/** One request as it is to be sent, to learn how a gateway answers it. */
export interface AnyRequest {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The credentials. Omitted: those of the account. `key`: an API key of it. */
  readonly as?: 'nobody' | { readonly userId?: number; readonly token?: Secret } | { readonly key: Secret };
  readonly headers?: Readonly<Record<string, string>>;
  /** It is also sent after an interruption. */
  readonly cleansUp?: true;
}

/** Any answer of the gateway, also one that refuses. */
export interface AnyResponse {
  readonly status: number;
  /** The parsed body; undefined when it is not JSON. May contain secrets. */
  readonly json: unknown;
}

export interface AskConnection {
  readonly http: Http;
  readonly base: URL;
  readonly userId: number;
  readonly accessToken: Secret;
}

/**
 * Sends one request once, and returns what came back, whatever its status.
 *
 * @throws Fault when no answer came, or after an interruption.
 */
export async function ask(connection: AskConnection, question: AnyRequest): Promise<AnyResponse> {
  const { method, path, query, body, headers } = question;
  const request: HttpRequest = {
    method,
    url: endpointUrl(connection.base, path, query),
    headers: {
      accept: 'application/json',
      'user-agent': 'keyplane',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...credentials(connection, question.as),
      ...headers,
    },
    ...(body === undefined ? {} : { body: renderJson(body) }),
    // A limit that was reached does not answer the question.
    retry: method === 'GET' ? 'yes' : 'no',
    effect: method === 'GET' || question.cleansUp ? 'reads' : 'writes',
    pace: path.startsWith('/api/token/search') ? 'search' : 'api',
    serverErrors: 'answered',
  };
  try {
    const { status, text } = await connection.http.send(request);
    return { status, json: text === '' ? undefined : tryParseJson(text) };
  } catch (thrown) {
    const { status } = asFault(thrown).detail;
    if (thrown instanceof Fault && typeof status === 'number' && status !== 429) return { status, json: undefined };
    throw thrown;
  }
}

function credentials({ userId, accessToken }: AskConnection, as: AnyRequest['as']): Readonly<Record<string, string>> {
  if (as === 'nobody') return {};
  if (as !== undefined && 'key' in as) return { authorization: `Bearer ${as.key.reveal()}` };
  return {
    authorization: `Bearer ${(as?.token ?? accessToken).reveal()}`,
    ...userIdHeaders(as?.userId ?? userId),
  };
}
