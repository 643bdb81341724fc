import { Fault } from '../domain/index.ts';
import { type AttemptContext, type AttemptOutcome, attemptOnce, type ResponseReader } from './attempt.ts';
import { startDeadline } from './deadline.ts';
import type { RequestAttempt } from './hooks.ts';
import { maxRedirects, redirectedFault, redirectedRequest } from './redirect.ts';
import { type HttpRequest, type HttpResponse, type OpenResponse, requestName } from './request.ts';
import type { RequestQueue, Ticket } from './request-queue.ts';
import { openResponse, readResponse, reopenResponse } from './response.ts';
import { backoffMs, MAX_RETRIES } from './retry.ts';

export interface SendContext extends AttemptContext {
  readonly random: () => number;
  readonly queue: RequestQueue;
  /** Ends the waits of writes. */
  readonly signal: AbortSignal | undefined;
  readonly interrupted: () => boolean;
}

/** See `Http.send`. */
export async function sendWithRetries(context: SendContext, request: HttpRequest): Promise<HttpResponse> {
  const reader: ResponseReader<HttpResponse> = { read: readResponse, fromWhole: (response) => response };
  const { within, stop } = startDeadline(request);
  const { result, lost } = await attemptRepeatedly(context, within, reader).finally(stop);
  return lost ? { ...result, afterLoss: lost } : result;
}

/** See `Http.open`. */
export async function openWithRetries(context: SendContext, request: HttpRequest): Promise<OpenResponse> {
  const reader: ResponseReader<OpenResponse> = {
    read: async (incoming) => openResponse(incoming, context.proxied),
    fromWhole: reopenResponse,
  };
  const { within, stop } = startDeadline(request);
  const { result, lost } = await attemptRepeatedly(context, within, reader).catch((fault: unknown) => {
    stop();
    throw fault;
  });
  void result.over.then(stop);
  return lost ? { ...result, afterLoss: lost } : result;
}

/**
 * Sends a request as often as its retry rule allows. `lost` is the first failure after which a write may have taken
 * effect: no later failure changes that, so it remains the result.
 */
async function attemptRepeatedly<T>(
  context: SendContext,
  original: HttpRequest,
  reader: ResponseReader<T>,
): Promise<{ result: T; lost: Fault | undefined }> {
  const ticket = context.queue.ticket(original);
  let request = original;
  let redirects = 0;
  let [failures, limited] = [0, 0];
  let lost: Fault | undefined;
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptAdmitted(context, reader, { request, ticket, attempt }).catch((fault: unknown) => {
      throw lost ?? fault;
    });
    if (outcome.next === 'return') return { result: outcome.result, lost };
    if (outcome.next === 'throw') throw lost ?? outcome.fault;
    if (outcome.next === 'queue') {
      limited += 1;
      if (limited > (request.maxRetries ?? Number.POSITIVE_INFINITY)) throw lost ?? outcome.fault;
    }
    if (outcome.next === 'follow') {
      redirects += 1;
      if (redirects > maxRedirects(request)) throw redirectedFault(request, 302, outcome.url);
      request = redirectedRequest(request, outcome.url);
    }
    if (outcome.next === 'retry') {
      failures += 1;
      if (request.effect === 'writes' && outcome.fault.detail.sent !== 'no') lost ??= outcome.fault;
      const over =
        failures > (request.maxRetries ?? MAX_RETRIES) || (request.effect === 'writes' && context.interrupted());
      if (over && outcome.result !== undefined && !lost) return { result: outcome.result, lost };
      if (over || request.signal?.aborted) throw lost ?? outcome.fault;
      await pause(
        context,
        { id: ticket.order, request, attempt },
        {
          ms: retryWaitMs(context, failures, outcome.retryAfterMs),
        },
      );
    }
  }
}

async function pause(context: SendContext, attempted: RequestAttempt, { ms }: { ms: number }): Promise<void> {
  const { request } = attempted;
  context.observer.waiting(attempted, { reason: 'retry', ms });
  const candidates = [request.signal, request.effect === 'writes' ? context.signal : undefined];
  const signals = candidates.filter((signal) => signal !== undefined);
  await context.clock.sleep(ms, signals.length > 1 ? AbortSignal.any(signals) : signals[0]);
}

/** An interrupted run ignores the wait that the server requests. */
const retryWaitMs = ({ random, interrupted }: SendContext, failures: number, requestedMs: number | undefined): number =>
  backoffMs(failures, random(), interrupted() ? undefined : requestedMs);

async function attemptAdmitted<T>(
  context: SendContext,
  reader: ResponseReader<T>,
  { request, ticket, attempt }: { request: HttpRequest; ticket: Ticket; attempt: number },
): Promise<AttemptOutcome<T>> {
  const ms = context.queue.waitMs(ticket);
  const id = ticket.order;
  if (ms > 0) context.observer.waiting({ id, attempt, request }, { reason: 'rate-limited', ms });
  const admission = await context.queue.enter(ticket).catch((fault: Fault) => {
    throw withRequest(request, fault);
  });
  return attemptOnce(context, reader, { id, request, admission, attempt });
}

/** Adds the method and the path to a fault of the queue, which does not know them. */
function withRequest(request: HttpRequest, fault: Fault): Fault {
  if (fault.detail.path !== undefined) return fault;
  return new Fault(fault.code, `${requestName(request)}: ${fault.message}`, {
    hint: fault.hint,
    remedy: fault.remedy,
    cause: fault.cause,
    detail: { method: request.method, path: request.url.pathname, ...fault.detail },
  });
}
