import type { FastifyReply, FastifyRequest } from 'fastify';
import { INFERENCE_API, type InferenceEndpointName } from '../../wire/index.ts';
import type { Site } from '../context.ts';
import { lessIgnoredInForm } from '../failures/ignored-field.ts';
import type { Sabotage } from '../failures/kinds.ts';
import { downloadVideo } from '../media/video/download.ts';
import { videoTask } from '../media/video/task-query.ts';
import type { Answer } from '../server/answer.ts';
import { queryOf } from '../server/query.ts';
import { tryFindKey } from './credential.ts';
import { readForm } from './form.ts';
import { servePaid } from './paid-pipeline.ts';
import { refusedRequest, refusedUseOf } from './refusal.ts';
import type { InferenceCall } from './request.ts';
import { countTokens, type FreeHandler, models } from './unbilled.ts';

/** The router would read the colon of `{model}:embedContent` as one of its own: that segment is told apart here. */
const MODEL_CALL = '/v1/models/:call';

const routerPath = (path: string): string =>
  path.startsWith('/v1/models/') ? MODEL_CALL : path.replaceAll(/\{(\w+)\}/g, ':$1');

const NAMES = Object.keys(INFERENCE_API) as InferenceEndpointName[];

/** Each as `POST /v1/chat/completions`. */
export const INFERENCE_ROUTES: readonly string[] = [
  ...new Set(NAMES.map((name) => `${INFERENCE_API[name].method} ${routerPath(INFERENCE_API[name].path)}`)),
];

interface ModelCall {
  readonly model: string;
  readonly verb: string;
}

/** `eta-embedding-001:embedContent`: the last colon counts, a model's name may have others. */
function modelCallOf(request: FastifyRequest): ModelCall {
  const { call = '' } = request.params as { call?: string };
  const at = call.lastIndexOf(':');
  return at < 0 ? { model: call, verb: '' } : { model: call.slice(0, at), verb: call.slice(at + 1) };
}

/** The endpoint of the inference and media API that a request means; undefined: none. */
export function inferenceEndpointOf(request: FastifyRequest): InferenceEndpointName | undefined {
  const { method } = request;
  const { url } = request.routeOptions;
  if (url === undefined) return undefined;
  const candidates = NAMES.filter(
    (name) => INFERENCE_API[name].method === method && routerPath(INFERENCE_API[name].path) === url,
  );
  if (url !== MODEL_CALL) return candidates[0];
  const { verb } = modelCallOf(request);
  return candidates.find((name) => INFERENCE_API[name].path.endsWith(`}:${verb}`));
}

/** Whatever does not cost money. */
const FREE: { readonly [E in InferenceEndpointName]?: FreeHandler } = { models, countTokens, videoTask, downloadVideo };

/** A signal that ends when the client has gone before it had the whole answer. */
function departure(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** A request as it came, with the fault that strikes it. */
interface Arrival {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly sabotage: Sabotage | undefined;
}

async function callOf(endpoint: InferenceEndpointName, { request, reply, sabotage }: Arrival): Promise<InferenceCall> {
  const { task_id: taskId = '' } = request.params as { task_id?: string };
  return {
    endpoint,
    taskId,
    model: modelCallOf(request).model,
    query: queryOf(request),
    body: request.body,
    form: lessIgnoredInForm(request.isMultipart() ? await readForm(request) : undefined, sabotage),
    authorization: request.headers.authorization ?? '',
    address: request.ip,
    origin: `${request.protocol}://${request.host}`,
    signal: departure(reply),
    sabotage,
  };
}

/** A credential that is none, before the body is read; undefined: go on. */
export function earlyRefusal(site: Site, endpoint: InferenceEndpointName, authorization: string): Answer | undefined {
  return tryFindKey(site, authorization) ? undefined : refusedUseOf(site, { endpoint }, 'invalidKey');
}

/** A body that can not be read at all. */
export const unreadable = (site: Site, endpoint: InferenceEndpointName, status: number): Answer =>
  status === 413
    ? refusedRequest(site, { endpoint }, { status, code: 'body_too_large', message: 'the body is too large' })
    : refusedRequest(site, { endpoint }, { status: 400, code: 'unreadable_body', message: 'the body can not be read' });

/** Answers a request to the inference and media API. */
export async function serveInference(site: Site, endpoint: InferenceEndpointName, arrival: Arrival): Promise<Answer> {
  const call = await callOf(endpoint, arrival);
  return (FREE[endpoint] ?? servePaid)(site, call);
}
