import { blankSecrets, Fault, Secret } from '../domain/index.ts';
import type { KnownLimit } from './pace.ts';
import { type HttpRequest, type HttpResponse, requestDetail, requestName } from './request.ts';

/** Recognizes a web page. Proxies and login pages do not always set the media type. */
export const isHtml = (response: HttpResponse): boolean =>
  response.mediaType === 'text/html' || /^\s*<(!doctype html|html|head|body)/i.test(response.text.slice(0, 200));

const HARMLESS: ReadonlySet<string> = new Set(['accept', 'user-agent', 'content-type']);

/** Words that are as long as a token, also an encoded one. A page may repeat what it was sent. */
const LIKE_A_TOKEN = /[\w+/=.~%\\&#;-]{24,}/g;

/** The title of a page in one short line without control characters and credentials; undefined when it has none. */
function tryReadTitle(html: string, { headers }: Pick<HttpRequest, 'headers'>): string | undefined {
  const title = /<title[^>]*>([^<]{1,500})/i.exec(html)?.[1];
  const line = title?.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const secrets = Object.entries(headers).filter(([name]) => !HARMLESS.has(name.toLowerCase()));
  const sent = secrets.flatMap(([, value]) => value.split(' ').map((word) => new Secret(word)));
  const shown = blankSecrets(line ?? '', sent).replace(LIKE_A_TOKEN, '…');
  return shown ? shown.slice(0, 80) : undefined;
}

/** Describes a body that is a web page, as in “a page titled “502 Bad Gateway””; undefined for any other body. */
export function describePage(request: HttpRequest, response: HttpResponse): string | undefined {
  if (!isHtml(response)) return undefined;
  const title = tryReadTitle(response.text, request);
  return title === undefined ? 'an HTML page' : `a page titled “${title}”`;
}

/** The fault of a 5xx status: it is unknown whether the request took effect. */
export function unavailableFault(request: HttpRequest, response: HttpResponse): Fault {
  const page = describePage(request, response);
  const message = `${requestName(request)}: the gateway responded with status ${response.status}${page === undefined ? '' : ` and ${page}`}.`;
  return new Fault('gateway.unavailable', message, {
    hint: 'The gateway, or a proxy in front of it, is overloaded or broken. Try again later; its log has the details.',
    detail: {
      ...requestDetail(request, 'yes'),
      status: response.status,
      ...(response.requestId === undefined ? {} : { requestId: response.requestId }),
    },
  });
}

/** The fault of a 429 to a request that must not be sent again. */
export function rateLimitedFault(request: HttpRequest, limit: KnownLimit | undefined): Fault {
  const message = `${requestName(request)}: the gateway responded with status 429 (too many requests).`;
  return new Fault('gateway.rate-limited', message, {
    hint: limit?.note
      ? `The request had no effect. ${limit.note} Try again in ${limit.windowMs / 60_000} minutes at the latest.`
      : 'The request had no effect. Wait a few minutes before trying again.',
    detail: { ...requestDetail(request, 'yes'), status: 429 },
  });
}
