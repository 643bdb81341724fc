import { Fault } from '../domain/index.ts';
import { type Answer, type HttpRequest, nameOf } from './request.ts';

/** Is this a page for people? Proxies and login pages do not always say so in the media type. */
export const isHtml = (answer: Answer): boolean =>
  answer.mediaType === 'text/html' || /^\s*<(!doctype html|html|head|body)/i.test(answer.text.slice(0, 200));

/** The title of a page, in one short line without control characters; undefined when it has none. */
function tryReadTitle(html: string): string | undefined {
  const title = /<title[^>]*>([^<]{1,500})/i.exec(html)?.[1];
  const line = title?.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line ? line.slice(0, 80) : undefined;
}

/** “, a page titled “502 Bad Gateway””: what may be said of a body that is a page; empty otherwise. */
export function describePage(answer: Answer): string {
  if (!isHtml(answer)) return '';
  const title = tryReadTitle(answer.text);
  return title === undefined ? ', with a page of HTML' : `, with a page titled “${title}”`;
}

/** A 5xx status as a fault: whether the request took effect is not known. */
export function unavailableFault(request: HttpRequest, answer: Answer): Fault {
  const message = `${nameOf(request)}: the gateway answers ${answer.status}${describePage(answer)}.`;
  return new Fault('gateway.unavailable', message, {
    hint: 'The gateway, or a proxy before it, is overloaded or broken. Run it again later; its own log says more.',
    detail: { method: request.method, path: request.url.pathname, status: answer.status, sent: 'yes' },
  });
}

/** A 429 to a request that must not be sent again. */
export function limitedOnceFault(request: HttpRequest): Fault {
  return new Fault('gateway.rate-limited', `${nameOf(request)}: the gateway answers 429, too many requests.`, {
    hint: 'It was not done. Wait a few minutes before asking again.',
    detail: { method: request.method, path: request.url.pathname, status: 429, sent: 'yes' },
  });
}
