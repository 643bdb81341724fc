import type { HttpRequest, Timeouts } from '../../http/index.ts';
import { INFERENCE_API, type InferenceEndpointName, MEGABYTE } from '../../wire/index.ts';
import { endpointUrl } from '../address.ts';
import type { RenderedBody } from '../media/form.ts';
import { bearerOf, type CallOptions, type InferenceLine } from './line.ts';

/** One request, ready to go. */
export interface Order {
  readonly endpoint: InferenceEndpointName;
  readonly body?: RenderedBody | undefined;
  /** What `{model}` or `{task_id}` of the path stands for. */
  readonly segment?: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: 'application/json' | 'text/event-stream';
  readonly options: CallOptions;
  /** How long it lets itself be held up by 429s. */
  readonly patienceMs?: number;
}

/** Whoever thinks or paints takes minutes before the first byte. */
const PATIENT: Partial<Timeouts> = { headersMs: 600_000, bodyMs: 120_000, totalMs: 1_800_000 };
const TRANSFER: Partial<Timeouts> = { headersMs: 120_000, bodyMs: 60_000, totalMs: 3_600_000 };

function timeoutsOf(endpoint: InferenceEndpointName): Partial<Timeouts> {
  if (endpoint === 'downloadVideo') return TRANSFER;
  return INFERENCE_API[endpoint].pays ? PATIENT : {};
}

/** Ten large pictures in Base64 are more than any other answer; a text has to hold them. */
const LARGEST_ANSWER = 384 * MEGABYTE;
const LARGEST_FILE = 16 * 1024 * MEGABYTE;

/** The request as it goes out. Sent again only where that costs nothing. */
export function requestOf(line: InferenceLine, order: Order): HttpRequest {
  const { endpoint, body, segment, query, accept = 'application/json', options, patienceMs } = order;
  const { method, path, retry, pays } = INFERENCE_API[endpoint];
  const filled = segment === undefined ? path : path.replace(/\{\w+\}/, () => encodeURIComponent(segment));
  return {
    method,
    url: endpointUrl(line.base, filled, query),
    headers: {
      accept,
      'user-agent': 'keyplane',
      authorization: bearerOf(line.key),
      ...(body === undefined ? {} : { 'content-type': body.contentType }),
    },
    ...(body === undefined ? {} : { body: body.body }),
    retry,
    effect: pays ? 'writes' : 'reads',
    pace: 'inference',
    timeouts: { ...timeoutsOf(endpoint), ...options.timeouts },
    signal: options.signal,
    ...(patienceMs === undefined ? {} : { patienceMs }),
    maxBytes: endpoint === 'downloadVideo' ? LARGEST_FILE : LARGEST_ANSWER,
    // A 5xx tells by its body whether there is no channel for the model.
    serverErrors: 'answered',
  };
}
