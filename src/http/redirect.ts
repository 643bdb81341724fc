import { Fault } from '../domain/index.ts';
import { type HttpRequest, requestDetail, requestName } from './request.ts';

/** Enough for a missing slash and one proxy; more is a loop. */
const MAX_REDIRECTS = 2;
/** Links to files take more redirects. */
const MAX_REDIRECTS_ANYWHERE = 5;

export const maxRedirects = ({ redirects }: HttpRequest): number =>
  redirects === 'anywhere' ? MAX_REDIRECTS_ANYWHERE : MAX_REDIRECTS;

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/** Headers that may go to any origin. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(['accept', 'user-agent']);

/** The request after a redirect. To another origin it goes without credentials and without most other headers. */
export function redirectedRequest(request: HttpRequest, url: URL): HttpRequest {
  if (url.origin === request.url.origin) return { ...request, url };
  const kept = Object.entries(request.headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase()));
  return { ...request, url, headers: Object.fromEntries(kept) };
}

/** Even a request that may be redirected anywhere must not be downgraded from https to http. */
const mayFollowAnywhere = ({ redirects, url }: HttpRequest, target: URL): boolean =>
  redirects === 'anywhere' &&
  (target.protocol === 'https:' || (target.protocol === 'http:' && url.protocol === 'http:'));

/**
 * The target of a redirect that may be followed with credentials: only for a read that may be repeated, only on the
 * same origin, and only to the same path with or without a trailing slash and with the same query. Any other redirect
 * could change the meaning of a request or pass credentials to someone else: a list of keys without its query omits
 * keys.
 *
 * Returns the fault of any other redirect, `gateway.redirected`.
 */
export function redirectTarget(request: HttpRequest, status: number, location: string | undefined): URL | Fault {
  const target =
    location !== undefined && URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined;
  const samePath = target && withoutSlash(target.pathname) === withoutSlash(request.url.pathname);
  const sameOrigin = target?.origin === request.url.origin;
  const sameQuery = target?.search === request.url.search;
  const repeatable = request.effect === 'reads' && request.method === 'GET' && request.retry === 'yes';
  if (target && repeatable && (mayFollowAnywhere(request, target) || (sameOrigin && samePath && sameQuery))) {
    target.username = '';
    target.password = '';
    return target;
  }
  return redirectedFault(request, status, target);
}

const LINK_HINT =
  'A link to a file is followed through five redirects, and never from https to http. Check the server that the link names.';

export function redirectedFault(request: HttpRequest, status: number, target: URL | undefined): Fault {
  // Neither query nor credentials of the target: login pages carry state in them.
  const shown = target ? `${target.origin === 'null' ? target.protocol : target.origin}${target.pathname}` : 'nowhere';
  return new Fault('gateway.redirected', `${requestName(request)}: the gateway redirects to ${shown} (${status}).`, {
    hint: request.redirects === 'anywhere' ? LINK_HINT : hintFor(request, target),
    detail: { ...requestDetail(request, 'yes'), status, target: shown },
  });
}

function hintFor(request: HttpRequest, target: URL | undefined): string {
  if (!target) return 'Check the gateway’s URL: something in front of the gateway responds in its place.';
  const sameHost = target.hostname === request.url.hostname;
  if (sameHost && request.url.protocol === 'http:' && target.protocol === 'https:') {
    return `Use https in the gateway’s URL: ${target.origin}.`;
  }
  if (target.origin === request.url.origin && target.search !== request.url.search) {
    return 'Something in front of the gateway changes the query of requests. Configure it to pass the query unchanged.';
  }
  if (/^https?:$/.test(target.protocol) && target.pathname.endsWith(request.url.pathname)) {
    const base = target.pathname.slice(0, -request.url.pathname.length);
    return `If you trust that address, use ${target.origin}${base} as the gateway’s URL.`;
  }
  return 'Check the gateway’s URL: a login page or another server may be in front of it. No credentials were sent to the new address.';
}
