import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import {
  type EndpointName,
  INFERENCE_API,
  type InferenceEndpointName,
  MEGABYTE,
  SYSTEM_API,
} from '../../wire/index.ts';
import { refuse, type Site } from '../context.ts';
import { beforeCommit } from '../failures/early.ts';
import { lessIgnored } from '../failures/ignored-field.ts';
import { tryReadSabotage } from '../failures/kinds.ts';
import type { Parking } from '../failures/request-gate.ts';
import type { Faults, ScriptedFault } from '../failures/scripts.ts';
import { FORM_LIMITS } from '../inference/form.ts';
import {
  earlyRefusal,
  INFERENCE_ROUTES,
  inferenceEndpointOf,
  serveInference,
  unreadable,
} from '../inference/router.ts';
import type { Account } from '../ledger/accounts.ts';
import { serveHostedFile } from '../media/video/hosted.ts';
import { SYSTEM_ROUTES, serveSystem, systemAdmission, systemEndpointOf } from '../system/router.ts';
import type { Answer } from './answer.ts';
import { cut, deliver } from './delivery.ts';
import { type Limiter, limiterOf } from './rate-limiter.ts';
import type { Counters, RouteName } from './request-counters.ts';

/** All that stands around the handlers. */
export interface Surroundings {
  readonly faults: Faults;
  readonly counters: Counters;
  readonly parking: Parking;
  readonly closing: AbortSignal;
  /** Requests that are none of the gateway's: neither counted nor limited nor made to fail. */
  isAside(path: string): boolean;
}

/** What is known of a request before its body is. */
interface Errand {
  readonly system: EndpointName | undefined;
  readonly inference: InferenceEndpointName | undefined;
  readonly fault: ScriptedFault | undefined;
  account?: Account | undefined;
}

/** Pictures and films that answers link to: whoever has the link may fetch them. */
const HOSTED_FILES = '/files/{name}';
const HOSTED_ROUTE = '/files/:name';

/** Every pattern that a request can be counted under and a fault can name. */
const PATTERNS: ReadonlySet<string> = new Set([
  ...Object.values(SYSTEM_API).flatMap(({ path }) => [path, path.replace(/\?.*$/, '')]),
  ...Object.values(INFERENCE_API).map(({ path }) => path),
  HOSTED_FILES,
]);

export const isPattern = (path: string): boolean => PATTERNS.has(path);

const pathIn = (url: string): string => url.replace(/\?.*$/, '');

function routeName({ method, routeOptions }: FastifyRequest, { system, inference }: Omit<Errand, 'fault'>): RouteName {
  if (system) return { method, pattern: SYSTEM_API[system].path };
  if (inference) return { method, pattern: INFERENCE_API[inference].path };
  return { method, pattern: routeOptions.url === HOSTED_ROUTE ? HOSTED_FILES : '(unknown)' };
}

/** Refuses a request for its rate or its credentials, before its body is read; notes whose it is. */
function admitted(
  site: Site,
  limiter: Limiter,
  { request, errand }: { request: FastifyRequest; errand: Errand },
): Answer | undefined {
  const { inference, system: endpoint } = errand;
  if (inference) return earlyRefusal(site, inference, request.headers.authorization ?? '');
  const admission = systemAdmission(site, limiter, { request, endpoint });
  if ('refusal' in admission) return admission.refusal;
  errand.account = admission.account;
  return undefined;
}

function refusalOf(site: Site, errand: Errand | undefined, error: { code?: string; statusCode?: number }): Answer {
  const tooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' || error.statusCode === 413;
  const isTheirs = (error.statusCode ?? 500) < 500;
  if (errand?.inference && isTheirs) return unreadable(site, errand.inference, tooLarge ? 413 : 400);
  if (tooLarge) return refuse(site, 'bodyTooLarge', 413);
  return isTheirs ? refuse(site, 'unreadableBody') : refuse(site, 'defect', 500);
}

/** JSON only, and an empty body is no body: clients send the content type with every request. */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, finish) => {
    if (body === '') finish(null, undefined);
    else parse(request, String(body), finish);
  });
}

/** A proxy on this machine may stand in front: the address that it names is the client's. */
const OPTIONS = {
  bodyLimit: 64 * MEGABYTE,
  trustProxy: true,
  exposeHeadRoutes: false,
  forceCloseConnections: 'idle',
  // Any id is looked for, however long; the length of a request's head is limited anyway.
  routerOptions: { maxParamLength: 64 * 1024 },
} as const;

const hostedFileIn = ({ params, headers }: FastifyRequest) => ({
  name: (params as { name: string }).name,
  range: headers.range,
  ifRange: headers['if-range']?.toString(),
});

/** Contract: up to 16 images under 50 MB each, and a mask under 4 MB. */
const FORM_BYTES = (16 * 50 + 5) * MEGABYTE;
const isForm = (url: string): boolean => url === INFERENCE_API.editImages.path;

/** The HTTP server of a site; not yet listening. */
export function serverOf(site: Site, around: Surroundings): FastifyInstance {
  const limiter = limiterOf(site.profile.limits);
  const errands = new WeakMap<FastifyRequest, Errand>();
  const send = (request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> => {
    // Node would write the machine's time, which is not the gateway's once its clock was moved.
    reply.header('date', new Date(site.clock.now() * 1000).toUTCString());
    // A connection that was kept open would keep the end waiting.
    if (around.closing.aborted) reply.header('connection', 'close');
    return deliver(reply, answer, { fault: errands.get(request)?.fault, parking: around.parking });
  };
  const unknown = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    send(request, reply, site.profile.unknownPath(request.url, request.method));
  // A path that can not be decoded never meets the router, nor the hooks.
  const app = Fastify({ ...OPTIONS, frameworkErrors: (_error, request, reply) => void unknown(request, reply) });
  readJson(app);
  app.register(multipart, { limits: FORM_LIMITS, throwFileSizeLimit: false });

  app.addHook('onRequest', async (request, reply) => {
    const path = pathIn(request.url);
    if (around.isAside(path)) return undefined;
    const meant = { system: systemEndpointOf(site, request), inference: inferenceEndpointOf(request) };
    const route = routeName(request, meant);
    around.counters.count(route);
    const errand: Errand = { ...meant, fault: around.faults.take(route, path) };
    errands.set(request, errand);
    const early = errand.fault && (await beforeCommit(errand.fault, around));
    if (early === 'cut') return cut(reply);
    const refusal = early?.answer ?? admitted(site, limiter, { request, errand });
    return refusal && send(request, reply, refusal);
  });

  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { system, inference, account, fault } = errands.get(request) as Errand;
    const sabotage = tryReadSabotage(fault);
    request.body = lessIgnored(request.body, sabotage);
    if (inference) return send(request, reply, await serveInference(site, inference, { request, reply, sabotage }));
    if (system === undefined) return unknown(request, reply);
    return send(request, reply, serveSystem(site, request, { endpoint: system, account }));
  };
  for (const route of [...SYSTEM_ROUTES, ...INFERENCE_ROUTES]) {
    const [method = '', url = ''] = route.split(' ');
    app.route({ method, url, handler, ...(isForm(url) ? { bodyLimit: FORM_BYTES } : {}) });
  }
  const hosted = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    send(request, reply, await serveHostedFile(site, hostedFileIn(request)));
  app.route({ method: ['GET', 'HEAD'], url: HOSTED_ROUTE, handler: hosted });
  app.setNotFoundHandler(unknown);
  app.setErrorHandler((error, request, reply) =>
    send(request, reply, refusalOf(site, errands.get(request), error as { code?: string })),
  );
  return app;
}
