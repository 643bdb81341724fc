import type { FaultCode } from '../domain/index.ts';
import type { HttpRequest } from './request.ts';

interface Traced {
  readonly method: HttpRequest['method'];
  /** The path, and of the query only numbers and flags: a search term may be a secret. */
  readonly path: string;
  /** Counts from 1 for each request. */
  readonly attempt: number;
}

/**
 * What happens on the wire, for a person who looks on. Holds no body, no secret, and of the headers only `date`: the
 * other side's clock, where it tells it.
 */
export type TraceEvent =
  | (Traced & { readonly kind: 'answer'; readonly status: number; readonly ms: number; readonly date?: string })
  | (Traced & { readonly kind: 'failure'; readonly code: FaultCode; readonly ms: number })
  | (Traced & { readonly kind: 'wait'; readonly reason: 'rate-limited' | 'retry'; readonly ms: number });

const HARMLESS = /^(\d{1,9}|true|false)$/;

/** The path of a URL as it may be shown. */
export function shownPath(url: URL): string {
  const query = [...url.searchParams].map(([name, value]) => `${name}=${HARMLESS.test(value) ? value : '…'}`);
  return url.pathname + (query.length > 0 ? `?${query.join('&')}` : '');
}
