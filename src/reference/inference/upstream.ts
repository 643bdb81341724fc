import { createParser } from 'eventsource-parser';
import { countTokens } from '../../synthetic/index.ts';
import { INFERENCE_API } from '../../wire/index.ts';
import type { Usage } from '../billing/price.ts';
import type { UpstreamConfig } from '../catalog.ts';
import { isJsonObject, type JsonObject, objectsIn, propertiesOf } from '../json-object.ts';
import type { Profile } from '../profiles/profile.ts';
import type { StreamEvent } from '../server/answer.ts';
import { type AcceptedRequest, RequestError, type Service, type ServiceResult, serverSentEvent } from './request.ts';

/** The endpoints that can be forwarded. Their paths below `/v1` are the same on both sides. */
const FORWARDED: ReadonlySet<string> = new Set(['chat', 'responses', 'embeddings']);

/** Returns the service that forwards this request if an upstream has its model. `own` estimates the cost. */
export function tryFindUpstream(
  request: AcceptedRequest<unknown>,
  own: Service<unknown>,
): Service<unknown> | undefined {
  if (!FORWARDED.has(request.incoming.endpoint)) return undefined;
  const upstream = request.context.catalog.upstreams.find(({ models }) => models.includes(request.model));
  if (upstream === undefined) return undefined;
  return { estimate: own.estimate, serve: (accepted) => forward(accepted as AcceptedRequest<JsonObject>, upstream) };
}

const unavailable = ({ upstreamProblems }: Profile): RequestError =>
  new RequestError('The upstream cannot be reached', upstreamProblems.unreachable);

/** The body to forward. It requests the usage of a chat stream, which could not be billed otherwise. */
function forwardedBody({ incoming, body }: AcceptedRequest<JsonObject>): JsonObject {
  if (incoming.endpoint !== 'chat' || body.stream !== true) return body;
  return { ...body, stream_options: { ...propertiesOf(body.stream_options), include_usage: true } };
}

async function sendUpstream(
  request: AcceptedRequest<JsonObject>,
  { baseUrl, keyEnv }: UpstreamConfig,
): Promise<Response> {
  const { context, incoming } = request;
  const key = keyEnv === undefined ? undefined : context.upstreamKey(keyEnv);
  const path = INFERENCE_API[incoming.endpoint].path.replace(/^\/v1/, '');
  return fetch(baseUrl.replace(/\/$/, '') + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key.reveal()}` }),
    },
    body: JSON.stringify(forwardedBody(request)),
    signal: incoming.disconnectSignal(),
  }).catch(() => {
    throw unavailable(context.profile);
  });
}

async function forward(request: AcceptedRequest<JsonObject>, upstream: UpstreamConfig): Promise<ServiceResult> {
  const answer = await sendUpstream(request, upstream);
  if (answer.status >= 400) throw await refusalFrom(request.context.profile, answer);
  const isStream = (answer.headers.get('content-type') ?? '').startsWith('text/event-stream');
  if (isStream && answer.body) return forwardStream(request, answer.body);
  const body = await answer.json().catch(() => {
    throw new RequestError('The upstream did not answer with JSON', { status: 502, code: 'upstream_not_json' });
  });
  return { body, usage: tryReadUsage(body) ?? estimateUsage(request, JSON.stringify(body)) };
}

/**
 * The upstream's refusal. Its credentials belong to this gateway, so 401 and 403 are not the client's fault, but some
 * gateways pass them on.
 */
async function refusalFrom({ passesRefusals, upstreamProblems }: Profile, answer: Response): Promise<RequestError> {
  const { error } = propertiesOf(await answer.json().catch(() => undefined));
  const message = String(propertiesOf(error).message ?? `The upstream answered ${answer.status}`);
  const { status } = answer;
  const code = upstreamProblems.unexplained;
  if (passesRefusals)
    return new RequestError(message, { status, code, ...(isJsonObject(error) ? { theirs: error } : {}) });
  const isOfCredentials = status === 401 || status === 403;
  return new RequestError(message, { status: isOfCredentials ? 502 : status, code });
}

/** Reads the usage from an answer or an event, under either of its names. */
function tryReadUsage(data: unknown): Usage | undefined {
  const { usage, response } = propertiesOf(data);
  if (!isJsonObject(usage)) return response === undefined ? undefined : tryReadUsage(response);
  const details = propertiesOf(usage.prompt_tokens_details ?? usage.input_tokens_details);
  return {
    promptTokens: Number(usage.prompt_tokens ?? usage.input_tokens ?? 0),
    completionTokens: Number(usage.completion_tokens ?? usage.output_tokens ?? 0),
    cachedTokens: Number(details.cached_tokens ?? 0),
  };
}

const estimateUsage = ({ body }: AcceptedRequest<JsonObject>, answered: string): Usage => ({
  promptTokens: countTokens(JSON.stringify(body.messages ?? body.input ?? '')),
  completionTokens: answered === '' ? 0 : countTokens(answered),
});

/** The last chunk of a chat stream holds nothing but the usage, which not every client has requested. */
const isUsageOnly = ({ choices, usage }: JsonObject): boolean =>
  Array.isArray(choices) && choices.length === 0 && Boolean(usage);

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text that an event adds, in either API. */
function textIn(data: unknown): string {
  const { choices, delta } = propertiesOf(data);
  if (typeof delta === 'string') return delta;
  return objectsIn(choices)
    .map((choice) => propertiesOf(choice.delta).content ?? '')
    .join('');
}

interface StreamState {
  usage: Usage | undefined;
  sent: string;
}

/** Forwards the events as they arrive, and reads their usage. */
function forwardStream(request: AcceptedRequest<JsonObject>, body: AsyncIterable<Uint8Array>): ServiceResult {
  const state: StreamState = { usage: undefined, sent: '' };
  const usageIsHidden =
    request.incoming.endpoint === 'chat' && propertiesOf(request.body.stream_options).include_usage !== true;
  const passed = (text: string, name: string | undefined): StreamEvent | undefined => {
    const data = tryParse(text);
    state.usage = tryReadUsage(data) ?? state.usage;
    state.sent += textIn(data);
    if (usageIsHidden && isUsageOnly(propertiesOf(data))) return undefined;
    const final = text === '[DONE]' || propertiesOf(data).type === 'response.completed';
    return serverSentEvent(text, { final, ...(name === undefined ? {} : { name }) });
  };
  return { events: eventsFrom(body, passed), usage: () => state.usage ?? estimateUsage(request, state.sent) };
}

/** The bytes of an upstream, which may break off: what it sent until then is paid. */
async function* bytesFrom(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new RequestError('The upstream broke off', { status: 502, code: 'upstream_error' });
  }
}

async function* eventsFrom(
  body: AsyncIterable<Uint8Array>,
  passed: (text: string, name: string | undefined) => StreamEvent | undefined,
): AsyncGenerator<StreamEvent> {
  let ready: StreamEvent[] = [];
  const parser = createParser({
    onEvent({ data, event }) {
      const next = passed(data, event);
      if (next) ready.push(next);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of bytesFrom(body)) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const events = ready;
    ready = [];
    yield* events;
  }
}
