import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import {
  type EndpointName,
  INFERENCE_API,
  type InferenceEndpointName,
  MEGABYTE,
  SYSTEM_API,
} from '../../wire/index.ts';
import { type GatewayContext, refuse } from '../context.ts';
import { withoutIgnoredField } from '../failures/altered-request.ts';
import { failEarly } from '../failures/early.ts';
import type { InjectedFailure } from '../failures/kinds.ts';
import { asServingFailure } from '../failures/kinds.ts';
import type { RequestGate } from '../failures/request-gate.ts';
import type { FailureScripts } from '../failures/scripts.ts';
import { FORM_LIMITS } from '../inference/form.ts';
import { tryServeFurther } from '../inference/further-paths.ts';
import { internalError, refuseRequest } from '../inference/refusal.ts';
import {
  findInferenceEndpoint,
  INFERENCE_ROUTES,
  refuseUnknownKey,
  serveInference,
  unreadableBody,
} from '../inference/router.ts';
import { TRANSLATED_PATTERNS, tryFindTranslated } from '../inference/translated/routes.ts';
import type { StoredAccount } from '../ledger/accounts.ts';
import { serveHostedFile } from '../media/video/hosted.ts';
import { tryServeFurtherSystem } from '../system/further-paths.ts';
import { admitSystemRequest, findSystemEndpoint, SYSTEM_ROUTES, serveSystem } from '../system/router.ts';
import type { Answer } from './answer.ts';
import { closeConnection, deliver } from './delivery.ts';
import { readJsonBodies } from './json-body.ts';
import { refuseOverloaded } from './load.ts';
import { type RateLimiter, rateLimiter } from './rate-limiter.ts';
import type { Counters, Route } from './request-counters.ts';

/** The parts that surround the handlers. */
interface ServerOptions {
  readonly failures: FailureScripts;
  readonly counters: Counters;
  readonly gate: RequestGate;
  readonly closing: AbortSignal;
  /** The most milliseconds that a request may take to arrive. */
  readonly receiveMs: number;
  /** Is it a path of the control endpoints? Their requests are not counted, limited or made to fail. */
  isControlPath(path: string): boolean;
}

/** The facts about a request that are known before its body is read. */
interface RequestState {
  readonly system: EndpointName | undefined;
  readonly inference: InferenceEndpointName | undefined;
  readonly failure: InjectedFailure | undefined;
  account?: StoredAccount | undefined;
}

/** Images and videos that answers link to. Anyone who has the link may fetch them. */
const HOSTED_FILES = '/files/{name}';
const HOSTED_ROUTE = '/files/:name';

/** Every pattern that a request is counted under and that a script of failures can name. */
const PATTERNS: ReadonlySet<string> = new Set([
  ...Object.values(SYSTEM_API).flatMap(({ path }) => [path, path.replace(/\?.*$/, '')]),
  ...Object.values(INFERENCE_API).map(({ path }) => path),
  ...TRANSLATED_PATTERNS,
  HOSTED_FILES,
]);

export const isPattern = (path: string): boolean => PATTERNS.has(path);

const pathIn = (url: string): string => url.replace(/\?.*$/, '');

function routeOf(
  context: GatewayContext,
  request: FastifyRequest,
  { system, inference }: Omit<RequestState, 'failure'>,
): Route {
  const { method, routeOptions } = request;
  if (system) return { method, pattern: SYSTEM_API[system].path };
  if (inference)
    return { method, pattern: tryFindTranslated(context, request)?.pattern ?? INFERENCE_API[inference].path };
  return { method, pattern: routeOptions.url === HOSTED_ROUTE ? HOSTED_FILES : '(unknown)' };
}

/** Refuses a request for its rate or its credentials before its body is read; otherwise stores its account. */
function refuseEarly(
  context: GatewayContext,
  limiter: RateLimiter,
  { request, state }: { request: FastifyRequest; state: RequestState },
): Answer | undefined {
  const { inference, system: endpoint } = state;
  if (inference) return refuseOverloaded(context, inference) ?? refuseUnknownKey(context, inference, request);
  const terms = endpoint && SYSTEM_API[endpoint];
  const admission = admitSystemRequest(context, limiter, { request, terms });
  if ('refusal' in admission) return admission.refusal;
  state.account = admission.account;
  return undefined;
}

/** Fastify's errors carry the status that they suggest. */
type HttpError = { readonly code?: string; readonly statusCode?: number };

function answerToError(
  context: GatewayContext,
  { request, state }: { request: FastifyRequest; state: RequestState | undefined },
  error: HttpError,
): Answer {
  const tooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' || error.statusCode === 413;
  const isClientError = (error.statusCode ?? 500) < 500;
  if (state?.inference) {
    if (isClientError) return unreadableBody(context, state.inference, { status: tooLarge ? 413 : 400, request });
    return refuseRequest(context, { endpoint: state.inference }, internalError());
  }
  if (tooLarge) return refuse(context, 'bodyTooLarge', 413);
  return isClientError ? refuse(context, 'unreadableBody') : refuse(context, 'defect', 500);
}

/** A proxy on this machine may be in front: the address that it names is the client's. */
const OPTIONS = {
  bodyLimit: 64 * MEGABYTE,
  trustProxy: true,
  exposeHeadRoutes: false,
  forceCloseConnections: 'idle',
  // An ID of any length is looked up; the size of a request's head is limited anyway.
  routerOptions: { maxParamLength: 64 * 1024 },
} as const;

/** The interval of the search for requests that take too long to arrive. */
const CHECK_MS = 5000;

const hostedFileIn = ({ params, headers }: FastifyRequest) => ({
  name: (params as { name: string }).name,
  range: headers.range,
  ifRange: headers['if-range']?.toString(),
});

/** Contract: up to 16 images under 50 MB each, and a mask under 4 MB. */
const FORM_BYTES = (16 * 50 + 5) * MEGABYTE;

function bodyLimitOf({ bodyLimit }: GatewayContext['profile'], url: string): number {
  if (url === INFERENCE_API.editImages.path) return FORM_BYTES;
  return url.startsWith('/api/') ? bodyLimit : OPTIONS.bodyLimit;
}

/** The endpoints whose body has no meaning. */
const BODILESS: ReadonlySet<EndpointName | undefined> = new Set(['revealKey', 'deleteKey']);

/** Serves the requests of one gateway, and keeps for each of them what was learned before its body was read. */
class RequestServer {
  readonly #context: GatewayContext;
  readonly #options: ServerOptions;
  readonly #limiter: RateLimiter;
  readonly #states = new WeakMap<FastifyRequest, RequestState>();

  constructor(context: GatewayContext, options: ServerOptions) {
    this.#context = context;
    this.#options = options;
    this.#limiter = rateLimiter(context.profile.limits);
  }

  /** Runs before the body is read: counts the request, lets an injected failure act, and refuses it where it can. */
  async receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const context = this.#context;
    const { counters, failures, isControlPath } = this.#options;
    const path = pathIn(request.url);
    if (isControlPath(path)) return undefined;
    const endpoints = {
      system: findSystemEndpoint(context, request),
      inference: findInferenceEndpoint(context, request),
    };
    const route = routeOf(context, request, endpoints);
    counters.count(route);
    const state: RequestState = { ...endpoints, failure: failures.take(route, path) };
    this.#states.set(request, state);
    const early = state.failure && (await failEarly(state.failure, this.#options));
    if (early === 'cut') return closeConnection(reply);
    const refusal = early?.answer ?? refuseEarly(context, this.#limiter, { request, state });
    return refusal && this.#send(request, reply, refusal);
  }

  async serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const state = this.#states.get(request);
    const failure = asServingFailure(state?.failure);
    request.body = withoutIgnoredField(request.body, failure);
    if (state?.failure?.kind === 'cut-and-hold') {
      closeConnection(reply);
      await this.#options.gate.hold();
    }
    if (state?.inference) {
      const answer = await serveInference(this.#context, state.inference, { request, reply, failure });
      return this.#send(request, reply, answer);
    }
    if (state?.system === undefined) return this.serveUnknown(request, reply);
    const { system: endpoint, account } = state;
    return this.#send(request, reply, serveSystem(this.#context, request, { endpoint, account }));
  }

  async serveHosted(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.#send(request, reply, await serveHostedFile(this.#context, hostedFileIn(request)));
  }

  serveUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { crossOrigin, unknownPath } = this.#context.profile;
    const isPreflight = request.method === 'OPTIONS' && request.headers.origin !== undefined;
    if (isPreflight && crossOrigin) return this.#send(request, reply, { status: 204, headers: crossOrigin });
    const further =
      tryServeFurtherSystem(this.#context, this.#limiter, request) ?? tryServeFurther(this.#context, request);
    return this.#send(request, reply, further ?? unknownPath(request.url, request.method));
  }

  serveError(error: HttpError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const state = this.#states.get(request);
    const { readsAnyBody, hasFurtherPaths } = this.#context.profile;
    const isClientError = (error.statusCode ?? 500) < 500;
    if (isClientError && readsAnyBody && BODILESS.has(state?.system)) return this.serve(request, reply);
    // A path is looked at before its body.
    const isUnknown = state && !state.system && !state.inference;
    if (isClientError && hasFurtherPaths && isUnknown) return this.serveUnknown(request, reply);
    return this.#deliver(request, reply, answerToError(this.#context, { request, state }, error));
  }

  /** Sends an answer when all that it reports is durable. */
  async #send(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
    const pending = this.#context.ledger.committed();
    if (pending) await pending;
    return this.#deliver(request, reply, answer);
  }

  #deliver(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
    // Node would send the machine's time, which differs from the gateway's once its clock was moved.
    reply.header('date', new Date(this.#context.clock.now() * 1000).toUTCString());
    reply.headers(this.#context.profile.everyHeaders(request.id));
    // A connection that stays open would delay the shutdown.
    if (this.#options.closing.aborted) reply.header('connection', 'close');
    return deliver(reply, answer, { failure: this.#states.get(request)?.failure, gate: this.#options.gate });
  }
}

/** The HTTP server of a gateway, not yet listening. */
export function createServer(context: GatewayContext, options: ServerOptions): FastifyInstance {
  const server = new RequestServer(context, options);
  // A path that cannot be decoded reaches neither the router nor the hooks.
  const frameworkErrors = (_error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    void server.serveUnknown(request, reply);
  const { receiveMs } = options;
  const http = { headersTimeout: receiveMs, connectionsCheckingInterval: Math.min(receiveMs, CHECK_MS) };
  const app = Fastify({ ...OPTIONS, requestTimeout: receiveMs, http, frameworkErrors });
  readJsonBodies(app, { context, isControlPath: options.isControlPath });
  app.register(multipart, { limits: FORM_LIMITS, throwFileSizeLimit: false });
  app.addHook('onRequest', (request, reply) => server.receive(request, reply));
  const handler = (request: FastifyRequest, reply: FastifyReply) => server.serve(request, reply);
  for (const route of [...SYSTEM_ROUTES, ...INFERENCE_ROUTES]) {
    const [method = '', url = ''] = route.split(' ');
    app.route({ method, url, handler, bodyLimit: bodyLimitOf(context.profile, url) });
  }
  const hosted = (request: FastifyRequest, reply: FastifyReply) => server.serveHosted(request, reply);
  app.route({ method: ['GET', 'HEAD'], url: HOSTED_ROUTE, handler: hosted });
  app.setNotFoundHandler((request, reply) => server.serveUnknown(request, reply));
  app.setErrorHandler((error: HttpError, request, reply) => server.serveError(error, request, reply));
  return app;
}
