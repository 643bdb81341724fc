import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type EndpointName, MODELS_PATH, SYSTEM_API, USER_ID_HEADER } from '../wire/index.ts';
import type { Answer } from './answer.ts';
import { authenticate } from './auth.ts';
import type { Call, OpenCall } from './call.ts';
import { cut, deliver } from './delivery.ts';
import { beforeCommit } from './fault-effects.ts';
import type { Faults, ScriptedFault } from './faults.ts';
import type { Account } from './ledger/accounts.ts';
import { type Limiter, limiterOf } from './limits.ts';
import { listModels } from './models.ts';
import type { Parking } from './parking.ts';
import type { Counters, RouteName } from './route-name.ts';
import { HANDLERS, isOpen, OPEN_HANDLERS, pathOf } from './routes.ts';
import { refuse, type Site } from './site.ts';

const MEGABYTE = 1024 * 1024;

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
  readonly endpoint: EndpointName | undefined;
  readonly fault: ScriptedFault | undefined;
  account?: Account;
}

/** Every pattern that a request can be counted under and a fault can name. */
const PATTERNS: ReadonlySet<string> = new Set([
  ...Object.values(SYSTEM_API).flatMap(({ path }) => [path, path.replace(/\?.*$/, '')]),
  MODELS_PATH,
]);

export const isPattern = (path: string): boolean => PATTERNS.has(path);

const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Endpoints by method and router path. The two PUTs share one: their query tells them apart. */
const ENDPOINTS: ReadonlyMap<string, EndpointName> = new Map(
  (Object.keys(SYSTEM_API) as EndpointName[])
    .filter((name) => name !== 'setKeyStatus')
    .map((name) => [`${SYSTEM_API[name].method} ${routerPath(pathOf(name))}`, name]),
);

const pathIn = (url: string): string => url.replace(/\?.*$/, '');

function queryOf(request: FastifyRequest): (name: string) => string {
  const query = request.query as Readonly<Record<string, string | readonly string[] | undefined>>;
  return (name) => {
    const value = query[name];
    return (typeof value === 'string' ? value : value?.[0]) ?? '';
  };
}

function endpointOf(site: Site, request: FastifyRequest): EndpointName | undefined {
  const name = ENDPOINTS.get(`${request.method} ${request.routeOptions.url}`);
  if (name !== 'updateKey') return name;
  return site.profile.isStatusOnly(queryOf(request)('status_only')) ? 'setKeyStatus' : 'updateKey';
}

function routeName(request: FastifyRequest, endpoint: EndpointName | undefined): RouteName {
  if (endpoint) return { method: request.method, pattern: SYSTEM_API[endpoint].path };
  const known = request.routeOptions.url === MODELS_PATH;
  return { method: request.method, pattern: known ? MODELS_PATH : '(unknown)' };
}

/** Refuses a request for its rate or its credentials, before its body is read; notes whose it is. */
function admitted(site: Site, limiter: Limiter, request: FastifyRequest, errand: Errand): Answer | undefined {
  const { endpoint } = errand;
  if (request.url.startsWith('/api')) {
    const pace = endpoint ? SYSTEM_API[endpoint].pace : 'api';
    if (!limiter.admits(request.ip, pace, site.clock.now())) return { status: 429 };
  }
  if (endpoint === undefined || isOpen(endpoint)) return undefined;
  const userId = request.headers[USER_ID_HEADER.toLowerCase()];
  const credentials = { authorization: request.headers.authorization, userId: String(userId ?? '') };
  const authenticated = authenticate(site, credentials);
  if ('refusal' in authenticated) return authenticated.refusal;
  errand.account = authenticated.account;
  // No text of the ledger has a NUL, so no query may ask for one.
  return request.url.includes('%00') ? refuse(site, 'invalidParameter') : undefined;
}

function answerOf(site: Site, request: FastifyRequest, { endpoint, account }: Errand): Answer {
  if (endpoint === undefined) return listModels(site, request.headers.authorization, request.ip);
  const { id = '' } = request.params as { id?: string };
  const open: OpenCall = { id, query: queryOf(request), body: request.body, address: request.ip };
  if (isOpen(endpoint)) return OPEN_HANDLERS[endpoint](site, open);
  if (account === undefined) throw new Error('a request was let in without an account');
  // Read again: the account may have moved while the body was on its way.
  const call: Call = { ...open, account: site.ledger.accounts.tryFind(account.user_id) ?? account };
  return HANDLERS[endpoint](site, call);
}

function refusalOf(site: Site, error: { code?: string; statusCode?: number }): Answer {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse(site, 'bodyTooLarge', 413);
  if ((error.statusCode ?? 500) < 500) return refuse(site, 'unreadableBody');
  return refuse(site, 'defect', 500);
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

  app.addHook('onRequest', async (request, reply) => {
    const path = pathIn(request.url);
    if (around.isAside(path)) return undefined;
    const endpoint = endpointOf(site, request);
    const route = routeName(request, endpoint);
    around.counters.count(route);
    const errand: Errand = { endpoint, fault: around.faults.take(route, path) };
    errands.set(request, errand);
    const early = errand.fault && (await beforeCommit(errand.fault, around));
    if (early === 'cut') return cut(reply);
    const refusal = early?.answer ?? admitted(site, limiter, request, errand);
    return refusal && send(request, reply, refusal);
  });

  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    send(request, reply, answerOf(site, request, errands.get(request) ?? { endpoint: undefined, fault: undefined }));
  for (const route of [...ENDPOINTS.keys(), `GET ${MODELS_PATH}`]) {
    const [method = '', url = ''] = route.split(' ');
    app.route({ method, url, handler });
  }
  app.setNotFoundHandler(unknown);
  app.setErrorHandler((error, request, reply) => send(request, reply, refusalOf(site, error as { code?: string })));
  return app;
}
