/**
 * HTTP with connection pooling, proxies, timeouts, retries, rate limits, redirects and faults. Knows nothing of keys.
 */
export { type CallLimits, withLimits } from './call-limits.ts';
export { type Clock, systemClock } from './clock.ts';
export type { Timeouts } from './deadlines.ts';
export { readText } from './decoding.ts';
export type { ClientCertificate, ProxySettings } from './dispatcher.ts';
export type { AnyDispatcher } from './exchange.ts';
export type { Fetch } from './fetch-dispatcher.ts';
export type { HttpHooks, RequestEvent, ResponseEvent, RetryEvent } from './hooks.ts';
export { type Http, type HttpOptions, openHttp } from './http.ts';
export { optimizeLater } from './late-optimizing.ts';
export {
  type HttpRequest,
  type HttpResponse,
  type OpenResponse,
  requestDetail,
  requestName,
  type SentCertainty,
  type Timing,
} from './request.ts';
export { describePage, isHtml } from './status-fault.ts';
export type { TraceEvent } from './trace.ts';
export type { TransportOptions } from './transport.ts';
export { openTurns } from './turns.ts';
