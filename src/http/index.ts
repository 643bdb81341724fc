/**
 * The manners of HTTP: connections, proxies, timeouts, retries, pace, redirects, and what is said when something fails.
 * Knows nothing of keys.
 */
export { type Clock, systemClock } from './clock.ts';
export type { Timeouts } from './deadlines.ts';
export type { ProxySettings } from './dispatcher.ts';
export { type Http, type HttpOptions, openHttp } from './http.ts';
export { type Answer, type HttpRequest, nameOf, type OpenAnswer, type Sent, type Timing } from './request.ts';
export { describePage, isHtml } from './status-fault.ts';
export type { TraceEvent } from './trace.ts';
export { readWhole } from './whole.ts';
