import type { Fault } from '../domain/index.ts';

/** The statuses by which a gateway refuses a request before it does anything. Any other may follow work that was done. */
const STATUSES: ReadonlySet<unknown> = new Set([400, 401, 402, 403, 404, 405, 413, 415, 422]);

/** The codes of a 503 that deployed gateways send before they choose an upstream. */
const CODES_OF_503: ReadonlySet<unknown> = new Set([
  'model_not_found',
  'system_cpu_overloaded',
  'system_memory_overloaded',
  'system_disk_overloaded',
]);

/**
 * Returns whether a fault proves that the request had no effect: it was not sent, or the gateway refused it in its own words.
 * This list is closed: after any other answer, also a page, an empty one or an error within a 200, it is unknown what was done.
 */
export function isDefiniteRefusal({ detail }: Fault): boolean {
  const { sent, status, code } = detail;
  if (sent === 'no' || status === 429) return true;
  // Only an error in JSON has a code, if an empty one.
  return code !== undefined && (STATUSES.has(status) || (status === 503 && CODES_OF_503.has(code)));
}
