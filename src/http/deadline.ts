import type { HttpRequest } from './request.ts';

/** The reason with which a request ends that is not finished in time. */
export class DeadlineError extends Error {
  override readonly name = 'TimeoutError';
  readonly ms: number;

  constructor(ms: number) {
    super(`not finished within ${ms} ms`);
    this.ms = ms;
  }
}

/** Returns the request with a signal that also ends it at its deadline. `stop` must be called when it has ended. */
export function startDeadline(request: HttpRequest): { readonly within: HttpRequest; readonly stop: () => void } {
  const { deadlineMs, callMs = deadlineMs, signal } = request;
  if (deadlineMs === undefined) return { within: request, stop: () => undefined };
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new DeadlineError(callMs ?? deadlineMs)), deadlineMs);
  return {
    within: { ...request, signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal },
    stop: () => clearTimeout(timer),
  };
}
