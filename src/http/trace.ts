import type { FaultCode } from '../domain/index.ts';
import type { HttpRequest } from './request.ts';

interface TracedAttempt {
  readonly method: HttpRequest['method'];
  /** The path, with only numbers and flags of the query: a search term may be a secret. */
  readonly path: string;
  /** Counts from 1 for each request. */
  readonly attempt: number;
}

/**
 * An event on the wire, for debugging output. Contains no body, no secret, and of the headers only `date`, the
 * server's clock, where it is present.
 */
export type TraceEvent =
  | (TracedAttempt & { readonly kind: 'answer'; readonly status: number; readonly ms: number; readonly date?: string })
  | (TracedAttempt & { readonly kind: 'failure'; readonly code: FaultCode; readonly ms: number })
  | (TracedAttempt & { readonly kind: 'wait'; readonly reason: 'rate-limited' | 'retry'; readonly ms: number });

const HARMLESS = /^(\d{1,9}|true|false)$/;

/** The method and the redacted path of a request, for traces. */
export const describeRequest = ({ method, url }: HttpRequest) => ({ method, path: redactPath(url) });

function redactPath(url: URL): string {
  if (url.search === '') return url.pathname;
  const query = [...url.searchParams].map(([name, value]) => `${name}=${HARMLESS.test(value) ? value : '…'}`);
  return url.pathname + (query.length > 0 ? `?${query.join('&')}` : '');
}
