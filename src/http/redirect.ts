import { Fault } from '../domain/index.ts';
import { type HttpRequest, nameOf } from './request.ts';

/** More than a slash and a proxy's whim is a loop. */
const MAX_REDIRECTS = 2;
/** Links to files lead through more hands. */
const MAX_REDIRECTS_ANYWHERE = 5;

export const maxRedirects = ({ redirects }: HttpRequest): number =>
  redirects === 'anywhere' ? MAX_REDIRECTS_ANYWHERE : MAX_REDIRECTS;

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/** What may go to any origin. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(['accept', 'user-agent']);

/** The request as it goes on after a redirect: to another origin without credentials, or whatever else it carries. */
export function redirectedRequest(request: HttpRequest, url: URL): HttpRequest {
  if (url.origin === request.url.origin) return { ...request, url };
  const kept = Object.entries(request.headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase()));
  return { ...request, url, headers: Object.fromEntries(kept) };
}

/** A request that may be followed anywhere still may not be led from a safe line to an open one. */
const anywhere = ({ redirects, url }: HttpRequest, target: URL): boolean =>
  redirects === 'anywhere' &&
  (target.protocol === 'https:' || (target.protocol === 'http:' && url.protocol === 'http:'));

/**
 * Where a redirect may be followed to, credentials and all: only for a read that may be repeated, only on the same
 * origin, and only to the same path with or without a slash at its end, with the same query. Anything else could lead a
 * request to another meaning, or credentials to another owner: a list of keys without its query leaves keys out.
 *
 * @throws Fault `gateway.redirected`
 */
export function redirectTarget(request: HttpRequest, status: number, location: string | undefined): URL {
  const target =
    location !== undefined && URL.canParse(location, request.url.href) ? new URL(location, request.url) : undefined;
  const samePath = target && withoutSlash(target.pathname) === withoutSlash(request.url.pathname);
  const sameOrigin = target?.origin === request.url.origin;
  const sameQuery = target?.search === request.url.search;
  const repeatable = request.effect === 'reads' && request.method === 'GET' && request.retry === 'yes';
  if (target && repeatable && (anywhere(request, target) || (sameOrigin && samePath && sameQuery))) {
    target.username = '';
    target.password = '';
    return target;
  }
  throw redirectedFault(request, status, target);
}

export function redirectedFault(request: HttpRequest, status: number, target: URL | undefined): Fault {
  // Neither query nor credentials of the target: login pages carry state in them.
  const shown = target ? `${target.origin === 'null' ? target.protocol : target.origin}${target.pathname}` : 'nowhere';
  return new Fault('gateway.redirected', `${nameOf(request)}: the gateway redirects to ${shown} (${status}).`, {
    hint: hintFor(request, target),
    detail: { method: request.method, path: request.url.pathname, status, sent: 'yes', target: shown },
  });
}

function hintFor(request: HttpRequest, target: URL | undefined): string {
  if (!target) return 'Check the gateway’s URL: something before the gateway answers in its place.';
  const sameHost = target.hostname === request.url.hostname;
  if (sameHost && request.url.protocol === 'http:' && target.protocol === 'https:') {
    return `Write the gateway’s URL with https: ${target.origin}.`;
  }
  if (target.origin === request.url.origin && target.search !== request.url.search) {
    return 'Something before the gateway changes the query of requests on their way; it has to leave it as it is.';
  }
  if (target.pathname.endsWith(request.url.pathname)) {
    const base = target.pathname.slice(0, -request.url.pathname.length);
    return `If you trust it, make ${target.origin}${base} the gateway’s URL.`;
  }
  return 'Check the gateway’s URL: a login page or another server may stand before it. Credentials were not sent on.';
}
