import type * as z from 'zod';
import { Fault, type JsonLimits, parseShallowJson } from '../../domain/index.ts';
import { INFERENCE_API, RESPONSE_LIMITS, tryReadErrorBody } from '../../wire/index.ts';
import { withAddressHint } from '../address.ts';
import { type Exchanged, notJsonFault, parseBody } from '../response-fault.ts';
import type { Answered, InferenceConnection } from './connection.ts';
import { readError, rejectionFault } from './rejection.ts';
import { type EndpointCall, toHttpRequest } from './request.ts';

/** The expected response of a call. */
export interface ResponseFormat<T> {
  readonly schema: z.ZodType<T>;
  /** The requested model. */
  readonly model?: string | undefined;
  /** Recognizes an error in the body of a 2xx, where a valid response may have a member `error`. */
  readonly isError?: (body: unknown) => boolean;
  /** The most that the body may hold; default: what any but embeddings needs. */
  readonly limits?: JsonLimits | undefined;
}

/**
 * Calls an endpoint and reads the whole response.
 * @throws Fault those of `Http.send`, those of `rejectionFault`, `gateway.not-json`, `gateway.unexpected-shape`
 */
export async function callInference<T>(
  connection: InferenceConnection,
  call: EndpointCall,
  format: ResponseFormat<T>,
): Promise<Answered<T>> {
  const request = toHttpRequest(connection, call);
  try {
    const response = await connection.http.send(request);
    return await parseResponse(connection, { request, response }, format);
  } catch (thrown) {
    throw withInferenceContext(thrown, connection, call);
  }
}

async function parseResponse<T>(
  connection: InferenceConnection,
  exchanged: Exchanged,
  { schema, model, isError = (body) => tryReadErrorBody(body) !== undefined, limits }: ResponseFormat<T>,
): Promise<Answered<T>> {
  const { request, response } = exchanged;
  const { status, timing, requestId } = response;
  const body = tryParse(response.text, limits);
  if (status >= 300 || (body !== undefined && isError(body))) {
    throw await rejectionFault(connection, { request, response, error: readError(response), model });
  }
  if (body === undefined) throw notJsonFault(request, response);
  const value = parseBody(schema, body, exchanged);
  return { value, raw: body, status, timing, ...(requestId === undefined ? {} : { requestId }) };
}

/** Parses JSON with JavaScript's numbers, which suffice because these responses are never sent back. */
export function tryParse(text: string, limits = RESPONSE_LIMITS): unknown {
  try {
    return parseShallowJson(text, limits);
  } catch {
    return undefined;
  }
}

/** Faults after which a paid request may have been served nevertheless. */
const LOST: ReadonlySet<string> = new Set(['gateway.timeout', 'gateway.connection-lost', 'gateway.interrupted']);

/** Adds to a fault what the HTTP client cannot know: that the request costs money, or that the base URL may be wrong. */
export function withInferenceContext(
  thrown: unknown,
  connection: InferenceConnection,
  { endpoint }: EndpointCall,
): unknown {
  if (!(thrown instanceof Fault)) return thrown;
  if (!INFERENCE_API[endpoint].pays || !LOST.has(thrown.code) || thrown.detail.sent === 'no') {
    return withAddressHint(thrown, connection.base);
  }
  const hint =
    'The request may have been served and charged; it is not retried automatically. Check the usage log of the key.';
  return new Fault(thrown.code, thrown.message, { hint, detail: thrown.detail, cause: thrown.cause });
}
