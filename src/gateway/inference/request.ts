import type { HttpRequest, HttpResponse, Timeouts } from '../../http/index.ts';
import { INFERENCE_API, type InferenceEndpointName, MEGABYTE, tryReadErrorBody } from '../../wire/index.ts';
import { endpointUrl } from '../address.ts';
import type { RenderedBody } from '../media/multipart.ts';
import { tryParseJson } from '../response-fault.ts';
import { checkCallOptions } from './call-options.ts';
import { bearerToken, type CallOptions, type InferenceConnection } from './connection.ts';

/** A call of one endpoint, with its body rendered. */
export interface EndpointCall {
  readonly endpoint: InferenceEndpointName;
  readonly body?: RenderedBody | undefined;
  /** The value of `{model}` or `{task_id}` in the path. */
  readonly segment?: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: 'application/json' | 'text/event-stream';
  readonly options: CallOptions;
  /** The longest wait for rate limits. */
  readonly patienceMs?: number;
}

/** Reasoning and image generation take minutes before the first byte. */
const GENERATION: Partial<Timeouts> = { headersMs: 600_000, bodyMs: 120_000, totalMs: 1_800_000 };
const TRANSFER: Partial<Timeouts> = { headersMs: 120_000, bodyMs: 60_000, totalMs: 3_600_000 };

function timeoutsOf(endpoint: InferenceEndpointName): Partial<Timeouts> {
  if (endpoint === 'downloadVideo') return TRANSFER;
  return INFERENCE_API[endpoint].pays ? GENERATION : {};
}

/** Ten large images in Base64 are longer than any other response, and must fit into a string. */
const LARGEST_RESPONSE = 384 * MEGABYTE;
/** The longest record is that of a task whose video is a `data:` URI: one of 48 MB still fits. */
const LARGEST_RECORD = 64 * MEGABYTE;
const LARGEST_FILE = 16 * 1024 * MEGABYTE;

const LARGEST: Readonly<Partial<Record<InferenceEndpointName, number>>> = {
  models: LARGEST_RECORD,
  countTokens: LARGEST_RECORD,
  submitVideo: LARGEST_RECORD,
  videoTask: LARGEST_RECORD,
  downloadVideo: LARGEST_FILE,
};

/** Is this a 429 that no waiting ends? */
const isFinalLimit = ({ text }: HttpResponse): boolean =>
  tryReadErrorBody(tryParseJson(text))?.code === 'insufficient_user_quota';

/** Builds the HTTP request. It is retried only where that costs nothing. @throws Fault `usage.invalid` for a wrong option */
export function toHttpRequest(connection: InferenceConnection, call: EndpointCall): HttpRequest {
  const { endpoint, body, segment, query, accept = 'application/json', options, patienceMs } = call;
  checkCallOptions(options);
  const { method, path, retry, pays } = INFERENCE_API[endpoint];
  const filled = segment === undefined ? path : path.replace(/\{\w+\}/, () => encodeURIComponent(segment));
  return {
    method,
    url: endpointUrl(connection.base, filled, query),
    headers: {
      ...options.headers,
      accept,
      'user-agent': 'keyplane',
      authorization: bearerToken(connection.key),
      ...(body === undefined ? {} : { 'content-type': body.contentType }),
    },
    ...(body === undefined ? {} : { body: body.body }),
    retry,
    effect: pays ? 'writes' : 'reads',
    pace: 'inference',
    timeouts: { ...timeoutsOf(endpoint), ...options.timeouts },
    signal: options.signal,
    deadlineMs: options.timeoutMs,
    maxRetries: options.maxRetries,
    ...(patienceMs === undefined ? {} : { patienceMs }),
    maxBytes: LARGEST[endpoint] ?? LARGEST_RESPONSE,
    // The body of a 5xx shows whether the model has no channel.
    serverErrors: 'answered',
    isFinalLimit,
  };
}
