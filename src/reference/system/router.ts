import type { FastifyRequest } from 'fastify';
import { type EndpointName, SYSTEM_API, USER_ID_HEADER } from '../../wire/index.ts';
import { refuse, type Site } from '../context.ts';
import type { Account } from '../ledger/accounts.ts';
import type { Answer } from '../server/answer.ts';
import { queryOf } from '../server/query.ts';
import type { Limiter } from '../server/rate-limiter.ts';
import { authenticate } from './auth.ts';
import { HANDLERS, isOpen, OPEN_HANDLERS, pathOf } from './handlers.ts';
import type { Call, OpenCall } from './request.ts';

const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Endpoints by method and router path. The two PUTs share one: their query tells them apart. */
const ENDPOINTS: ReadonlyMap<string, EndpointName> = new Map(
  (Object.keys(SYSTEM_API) as EndpointName[])
    .filter((name) => name !== 'setKeyStatus')
    .map((name) => [`${SYSTEM_API[name].method} ${routerPath(pathOf(name))}`, name]),
);

/** Each as `GET /api/token/:id`. */
export const SYSTEM_ROUTES: readonly string[] = [...ENDPOINTS.keys()];

/** The System API endpoint that a request means; undefined: none. */
export function systemEndpointOf(site: Site, request: FastifyRequest): EndpointName | undefined {
  const name = ENDPOINTS.get(`${request.method} ${request.routeOptions.url}`);
  if (name !== 'updateKey') return name;
  return site.profile.isStatusOnly(queryOf(request)('status_only')) ? 'setKeyStatus' : 'updateKey';
}

/** Whether a request to `/api` may go on, before its body is read: its rate and its credentials. */
export function systemAdmission(
  site: Site,
  limiter: Limiter,
  { request, endpoint }: { request: FastifyRequest; endpoint: EndpointName | undefined },
): { readonly refusal: Answer } | { readonly account?: Account } {
  if (request.url.startsWith('/api')) {
    const pace = endpoint ? SYSTEM_API[endpoint].pace : 'api';
    if (!limiter.admits(request.ip, pace, site.clock.now())) return { refusal: { status: 429 } };
  }
  if (endpoint === undefined || isOpen(endpoint)) return {};
  const userId = request.headers[USER_ID_HEADER.toLowerCase()];
  const credentials = { authorization: request.headers.authorization, userId: String(userId ?? '') };
  const authenticated = authenticate(site, credentials);
  if ('refusal' in authenticated) return authenticated;
  // No text of the ledger has a NUL, so no query may ask for one.
  return request.url.includes('%00') ? { refusal: refuse(site, 'invalidParameter') } : authenticated;
}

/** Answers a request that was let in. */
export function serveSystem(
  site: Site,
  request: FastifyRequest,
  { endpoint, account }: { endpoint: EndpointName; account: Account | undefined },
): Answer {
  const { id = '' } = request.params as { id?: string };
  const open: OpenCall = { id, query: queryOf(request), body: request.body, address: request.ip };
  if (isOpen(endpoint)) return OPEN_HANDLERS[endpoint](site, open);
  if (account === undefined) throw new Error('a request was let in without an account');
  // Read again: the account may have moved while the body was on its way.
  const call: Call = { ...open, account: site.ledger.accounts.tryFind(account.user_id) ?? account };
  return HANDLERS[endpoint](site, call);
}
