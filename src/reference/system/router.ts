import type { FastifyRequest } from 'fastify';
import { type Endpoint, type EndpointName, SYSTEM_API, USER_ID_HEADER } from '../../wire/index.ts';
import { type GatewayContext, refuse } from '../context.ts';
import { propertiesOf } from '../json-object.ts';
import type { StoredAccount } from '../ledger/accounts.ts';
import type { Profile } from '../profiles/profile.ts';
import type { Answer } from '../server/answer.ts';
import { queryReader } from '../server/query.ts';
import type { RateLimiter } from '../server/rate-limiter.ts';
import { HANDLERS, isPublic, PUBLIC_HANDLERS, pathOf } from './handlers.ts';
import type { AuthenticatedRequest, SystemRequest } from './request.ts';

interface Credentials {
  readonly authorization: string | undefined;
  readonly userId: string | undefined;
}

type AuthenticationResult = { readonly account: StoredAccount } | { readonly refusal: Answer };

function refuseToken(context: GatewayContext, reason: keyof Profile['tokenRefusals']): Answer {
  const { status, ...code } = context.profile.tokenRefusals[reason];
  const { body, ...answer } = refuse(context, reason, status);
  return { ...answer, body: { ...propertiesOf(body), ...code } };
}

/**
 * Checks both credential headers in the order of deployed gateways: 401 for missing credentials and for a user ID that
 * does not match the token, HTTP 200 with `success` false for an unknown token. Contract: “Authentication”, System API.
 */
function authenticate(context: GatewayContext, { authorization, userId }: Credentials): AuthenticationResult {
  const { userHeader } = context.profile;
  const token = context.profile.tokenOf(authorization ?? '');
  if (token === undefined) return { refusal: refuseToken(context, 'missingToken') };
  const account = context.ledger.accounts.tryFindByToken(token);
  if (account === undefined) return { refusal: refuseToken(context, 'invalidToken') };
  const admitted = account.banned ? { refusal: refuseToken(context, 'userBanned') } : { account };
  if (userHeader === 'ignored') return admitted;
  if (userId === undefined || userId === '') return { refusal: refuse(context, 'missingUserId', 401) };
  if (!context.profile.userIdPattern.test(userId)) return { refusal: refuse(context, 'malformedUserId', 401) };
  return Number(userId) === account.user_id ? admitted : { refusal: refuse(context, 'foreignUserId', 401) };
}

const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Endpoints by method and router path. The two PUTs share one; their query distinguishes them. */
const ENDPOINTS: ReadonlyMap<string, EndpointName> = new Map(
  (Object.keys(SYSTEM_API) as EndpointName[])
    .filter((name) => name !== 'setKeyStatus')
    .map((name) => [`${SYSTEM_API[name].method} ${routerPath(pathOf(name))}`, name]),
);

/** Routes such as `GET /api/token/:id`. */
export const SYSTEM_ROUTES: readonly string[] = [...ENDPOINTS.keys()];

/** Finds the System API endpoint of a request. */
export function findSystemEndpoint(context: GatewayContext, request: FastifyRequest): EndpointName | undefined {
  const name = ENDPOINTS.get(`${request.method} ${request.routeOptions.url}`);
  // A path without its ID is not that of an endpoint.
  if ((request.params as { id?: string } | undefined)?.id === '') return undefined;
  if (name !== 'updateKey') return name;
  return context.profile.isStatusOnly(queryReader(request)('status_only')) ? 'setKeyStatus' : 'updateKey';
}

/** The admission to an endpoint: its limit, and whether it needs both credential headers. */
export type Terms = Pick<Endpoint, 'pace' | 'credentials'>;

interface Arrived {
  readonly request: FastifyRequest;
  /** Undefined for a path that is not an endpoint. */
  readonly terms: Terms | undefined;
}

/** Refuses a request that is above a rate; `whose` is the address or the user that the rate is for. */
function limitRefusal(
  { profile, clock }: GatewayContext,
  limiter: RateLimiter,
  { pace, whose }: { readonly pace: Endpoint['pace']; readonly whose: string },
): { readonly refusal: Answer } | undefined {
  const seconds = limiter.refuses(pace, whose, clock.now());
  if (seconds === undefined) return undefined;
  return { refusal: { status: 429, ...(profile.namesWindow ? { headers: { 'retry-after': String(seconds) } } : {}) } };
}

/** The limit of search or reveal, which deployed gateways apply once they know the user. */
function paceRefusal(
  context: GatewayContext,
  limiter: RateLimiter,
  { request, terms }: Arrived,
  account?: StoredAccount,
): { readonly refusal: Answer } | undefined {
  const pace = terms?.pace ?? 'api';
  if (pace === 'api') return undefined;
  const whose = account && pace === 'search' ? `user ${account.user_id}` : request.ip;
  return limitRefusal(context, limiter, { pace, whose });
}

/** Checks the rate and the credentials of a request to `/api` before its body is read. */
export function admitSystemRequest(
  context: GatewayContext,
  limiter: RateLimiter,
  arrived: Arrived,
): { readonly refusal: Answer } | { readonly account?: StoredAccount } {
  const { request, terms } = arrived;
  const { limitsUsers } = context.profile;
  const isLimited = limitsUsers ? terms !== undefined : request.url.startsWith('/api');
  const unknown =
    (isLimited ? limitRefusal(context, limiter, { pace: 'api', whose: request.ip }) : undefined) ??
    (limitsUsers ? undefined : paceRefusal(context, limiter, arrived));
  if (unknown) return unknown;
  if (!terms?.credentials) return (limitsUsers && paceRefusal(context, limiter, arrived)) || {};
  const userId = request.headers[USER_ID_HEADER.toLowerCase()];
  const credentials = { authorization: request.headers.authorization, userId: String(userId ?? '') };
  const authenticated = authenticate(context, credentials);
  if ('refusal' in authenticated) return authenticated;
  const known = limitsUsers ? paceRefusal(context, limiter, arrived, authenticated.account) : undefined;
  if (known) return known;
  // The ledger contains no NUL, so no query may contain one.
  return request.url.includes('%00') ? { refusal: refuse(context, 'invalidParameter') } : authenticated;
}

/** Answers an admitted request. */
export function serveSystem(
  context: GatewayContext,
  request: FastifyRequest,
  { endpoint, account }: { endpoint: EndpointName; account: StoredAccount | undefined },
): Answer {
  const { id = '' } = request.params as { id?: string };
  const publicRequest: SystemRequest = {
    id,
    query: queryReader(request),
    body: request.body,
    address: request.ip,
    origin: `${request.protocol}://${request.host}`,
  };
  if (isPublic(endpoint)) return PUBLIC_HANDLERS[endpoint](context, publicRequest);
  if (account === undefined) throw new Error('a request was admitted without an account');
  // Read again, because the account may have changed while the body arrived.
  const authenticated: AuthenticatedRequest = {
    ...publicRequest,
    account: context.ledger.accounts.tryFind(account.user_id) ?? account,
  };
  return HANDLERS[endpoint](context, authenticated);
}
