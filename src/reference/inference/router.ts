import type { FastifyReply, FastifyRequest } from 'fastify';
import { once } from '../../domain/index.ts';
import { INFERENCE_API, type InferenceEndpointName } from '../../wire/index.ts';
import type { GatewayContext } from '../context.ts';
import { formWithoutIgnoredField } from '../failures/altered-request.ts';
import type { ServingFailure } from '../failures/kinds.ts';
import { downloadVideo, videoTask } from '../media/video/task-endpoints.ts';
import type { Answer } from '../server/answer.ts';
import { addressOf, modelPathIn, queryReader } from '../server/query.ts';
import { authorizationOf, tryFindKey } from './credential.ts';
import { readForm } from './form.ts';
import { servePaidRequest } from './paid-pipeline.ts';
import { refuseRequest, refuseUse } from './refusal.ts';
import type { InferenceRequest } from './request.ts';
import { serveTranslated, TRANSLATED_ROUTES, tryFindTranslated } from './translated/routes.ts';
import { answerTokenCount, models, type UnbilledHandler } from './unbilled.ts';

/** Fastify would read the colon of `{model}:embedContent` as a parameter, so this segment is parsed here. */
const MODEL_ROUTE = '/v1/models/:segment';

const routerPath = (path: string): string =>
  path.startsWith('/v1/models/') ? MODEL_ROUTE : path.replaceAll(/\{(\w+)\}/g, ':$1');

const NAMES = Object.keys(INFERENCE_API) as InferenceEndpointName[];

const routeOf = (method: string, url: string): string => `${method} ${url}`;

const NAMES_BY_ROUTE: ReadonlyMap<string, readonly InferenceEndpointName[]> = NAMES.reduce((routes, name) => {
  const { method, path } = INFERENCE_API[name];
  const route = routeOf(method, routerPath(path));
  return routes.set(route, [...(routes.get(route) ?? []), name]);
}, new Map<string, InferenceEndpointName[]>());

/** Routes such as `POST /v1/chat/completions`. */
export const INFERENCE_ROUTES: readonly string[] = [...NAMES_BY_ROUTE.keys(), ...TRANSLATED_ROUTES];

/** Finds the endpoint of the inference and media API for a request. */
export function findInferenceEndpoint(
  context: GatewayContext,
  request: FastifyRequest,
): InferenceEndpointName | undefined {
  const { method } = request;
  const { url } = request.routeOptions;
  if (url === undefined) return undefined;
  const translated = tryFindTranslated(context, request);
  if (translated) return translated.endpoint;
  const { missingEndpoints } = context.profile;
  const candidates = NAMES_BY_ROUTE.get(routeOf(method, url))?.filter((name) => !missingEndpoints.includes(name)) ?? [];
  if (url !== MODEL_ROUTE) return candidates[0];
  const { verb } = modelPathIn(request);
  return candidates.find((name) => INFERENCE_API[name].path.endsWith(`}:${verb}`));
}

/** The endpoints that cost nothing. */
const UNBILLED: { readonly [E in InferenceEndpointName]?: UnbilledHandler } = {
  models,
  countTokens: answerTokenCount,
  videoTask,
  downloadVideo,
};

/** A signal that aborts if the client disconnects before it has received the whole answer. Few requests ask for it. */
function disconnectSignal({ raw }: FastifyReply): () => AbortSignal {
  return once((): AbortSignal => {
    const gone = new AbortController();
    const abort = (): void => {
      if (!raw.writableFinished) gone.abort();
    };
    if (raw.closed) abort();
    else raw.once('close', abort);
    return gone.signal;
  });
}

/** A received request, with its injected failure. */
interface IncomingRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly failure: ServingFailure | undefined;
}

async function readInferenceRequest(
  context: GatewayContext,
  endpoint: InferenceEndpointName,
  { request, reply, failure }: IncomingRequest,
): Promise<InferenceRequest> {
  const { task_id: taskId = '' } = request.params as { task_id?: string };
  return {
    endpoint,
    taskId,
    model: modelPathIn(request).model,
    query: queryReader(request),
    body: request.body,
    form: formWithoutIgnoredField(request.isMultipart() ? await readForm(request) : undefined, failure),
    authorization: authorizationOf(context, request),
    address: addressOf(request, context.profile.addressHeaders),
    origin: `${request.protocol}://${request.host}`,
    disconnectSignal: disconnectSignal(reply),
    failure,
  };
}

/** Refuses an unknown credential before the body is read. Returns undefined if the request may continue. */
export function refuseUnknownKey(
  context: GatewayContext,
  endpoint: InferenceEndpointName,
  request: FastifyRequest,
): Answer | undefined {
  return tryFindKey(context, authorizationOf(context, request))
    ? undefined
    : refuseUse(context, { endpoint }, 'invalidKey');
}

/** Answers a request whose body cannot be read: after the door, if the path names the model. */
export function unreadableBody(
  context: GatewayContext,
  endpoint: InferenceEndpointName,
  { status, request }: { readonly status: number; readonly request: FastifyRequest },
): Answer {
  if (status === 413)
    return refuseRequest(context, { endpoint }, { status, code: 'body_too_large', message: 'the body is too large' });
  const message = 'the body cannot be read';
  return tryFindTranslated(context, request)?.fields.model === undefined
    ? refuseRequest(context, { endpoint }, { status: 400, code: 'unreadable_body', message, origin: 'door' })
    : refuseRequest(context, { endpoint }, { status: 500, code: 'invalid_request', message });
}

/** Answers a request to the inference and media API. */
export async function serveInference(
  context: GatewayContext,
  endpoint: InferenceEndpointName,
  incomingRequest: IncomingRequest,
): Promise<Answer> {
  const incoming = await readInferenceRequest(context, endpoint, incomingRequest);
  const serve = (request: InferenceRequest) => (UNBILLED[endpoint] ?? servePaidRequest)(context, request);
  const translated = tryFindTranslated(context, incomingRequest.request);
  return translated ? serveTranslated(incoming, translated, serve) : serve(incoming);
}
