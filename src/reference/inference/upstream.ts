import { createParser } from 'eventsource-parser';
import { type Dispatcher, request as send } from 'undici';
import { countTokens } from '../../synthetic/index.ts';
import { INFERENCE_API } from '../../wire/index.ts';
import type { Usage } from '../billing/price.ts';
import type { UpstreamOffer } from '../catalog.ts';
import type { StreamEvent } from '../server/answer.ts';
import { eventOf, type Request, RequestRefused, type Served, type Service } from './request.ts';

/** What can be forwarded: the paths below `/v1` are the same on both sides. */
const FORWARDED: ReadonlySet<string> = new Set(['chat', 'responses', 'embeddings']);

type Body = Readonly<Record<string, unknown>>;

/** The service that forwards this request, when its model is one of an upstream's. `own` estimates what it may cost. */
export function tryFindUpstream(request: Request<unknown>, own: Service<unknown>): Service<unknown> | undefined {
  if (!FORWARDED.has(request.call.endpoint)) return undefined;
  const upstream = request.site.catalog.upstreams.find(({ models }) => models.includes(request.model));
  if (upstream === undefined) return undefined;
  return { estimate: own.estimate, serve: (asked) => forward(asked as Request<Body>, upstream) };
}

const unavailable = (): RequestRefused =>
  new RequestRefused('The upstream can not be reached', { status: 502, code: 'upstream_unreachable' });

/** The body as it goes on. A chat stream is asked for its usage, without which it could not be billed. */
function forwardedBody({ call, body }: Request<Body>): Body {
  if (call.endpoint !== 'chat' || body.stream !== true) return body;
  return { ...body, stream_options: { ...(body.stream_options as object | undefined), include_usage: true } };
}

async function asked(request: Request<Body>, { baseUrl, keyEnv }: UpstreamOffer): Promise<Dispatcher.ResponseData> {
  const { site, call } = request;
  const key = keyEnv === undefined ? undefined : site.upstreamKey(keyEnv);
  const path = INFERENCE_API[call.endpoint].path.replace(/^\/v1/, '');
  return send(baseUrl.replace(/\/$/, '') + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key.reveal()}` }),
    },
    body: JSON.stringify(forwardedBody(request)),
    signal: call.signal,
  }).catch(() => {
    throw unavailable();
  });
}

async function forward(request: Request<Body>, upstream: UpstreamOffer): Promise<Served> {
  const answer = await asked(request, upstream);
  if (answer.statusCode >= 400) throw await refusalFrom(answer);
  const isStream = String(answer.headers['content-type'] ?? '').startsWith('text/event-stream');
  if (isStream) return streamed(request, answer.body);
  const body = await answer.body.json().catch(() => {
    throw new RequestRefused('The upstream did not answer with JSON', { status: 502, code: 'upstream_not_json' });
  });
  return { body, usage: tryReadUsage(body) ?? estimated(request, JSON.stringify(body)) };
}

/** The upstream's own refusal. Its credentials are ours, not the client's: 401 and 403 are trouble of this gateway. */
async function refusalFrom({ statusCode, body }: Dispatcher.ResponseData): Promise<RequestRefused> {
  const answer = (await body.json().catch(() => undefined)) as { error?: { message?: unknown } } | undefined;
  const message = String(answer?.error?.message ?? `The upstream answers ${statusCode}`);
  const status = statusCode === 401 || statusCode === 403 ? 502 : statusCode;
  return new RequestRefused(message, { status, code: 'upstream_error' });
}

/** The usage in an answer or in an event, under either of its names. */
function tryReadUsage(data: unknown): Usage | undefined {
  const { usage, response } = (data ?? {}) as { usage?: Record<string, unknown> | null; response?: unknown };
  if (!usage) return response === undefined ? undefined : tryReadUsage(response);
  const details = (usage.prompt_tokens_details ?? usage.input_tokens_details) as { cached_tokens?: number } | undefined;
  return {
    promptTokens: Number(usage.prompt_tokens ?? usage.input_tokens ?? 0),
    completionTokens: Number(usage.completion_tokens ?? usage.output_tokens ?? 0),
    cachedTokens: Number(details?.cached_tokens ?? 0),
  };
}

const estimated = ({ body }: Request<Body>, answered: string): Usage => ({
  promptTokens: countTokens(JSON.stringify(body.messages ?? body.input ?? '')),
  completionTokens: answered === '' ? 0 : countTokens(answered),
});

/** A chat stream's last chunk holds nothing but the usage: not everybody has asked for it. */
const isUsageOnly = (data: { choices?: readonly unknown[]; usage?: unknown }): boolean =>
  data.choices?.length === 0 && Boolean(data.usage);

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text that an event adds, in whichever of the forms. */
function addedBy(data: unknown): string {
  const { choices, delta } = (data ?? {}) as { choices?: { delta?: { content?: string } }[]; delta?: unknown };
  return typeof delta === 'string' ? delta : (choices ?? []).map((choice) => choice.delta?.content ?? '').join('');
}

interface Forwarding {
  usage: Usage | undefined;
  sent: string;
}

/** Passes the events on as they come, and reads from them what they cost. */
function streamed(request: Request<Body>, body: AsyncIterable<Uint8Array>): Served {
  const state: Forwarding = { usage: undefined, sent: '' };
  const usageIsHidden =
    request.call.endpoint === 'chat' &&
    (request.body.stream_options as { include_usage?: boolean } | undefined)?.include_usage !== true;
  const passed = (text: string, name: string | undefined): StreamEvent | undefined => {
    const data = tryParse(text);
    state.usage = tryReadUsage(data) ?? state.usage;
    state.sent += addedBy(data);
    if (usageIsHidden && isUsageOnly((data ?? {}) as object)) return undefined;
    const final = text === '[DONE]' || (data as { type?: unknown } | undefined)?.type === 'response.completed';
    return eventOf(text, { final, ...(name === undefined ? {} : { name }) });
  };
  return { events: eventsFrom(body, passed), usage: () => state.usage ?? estimated(request, state.sent) };
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
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const events = ready;
    ready = [];
    yield* events;
  }
}
