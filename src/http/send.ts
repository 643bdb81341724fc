import { Fault } from '../domain/index.ts';
import { backoffMs, MAX_RETRIES, PASSING_STATUS } from './backoff.ts';
import type { Clock } from './clock.ts';
import { NoAnswer, type RawAnswer } from './exchange.ts';
import { noAnswerFault } from './no-answer-fault.ts';
import { MAX_REDIRECTS, redirectedFault, redirectTarget } from './redirect.ts';
import { type Answer, type HttpRequest, nameOf } from './request.ts';
import { tryParseRetryAfter } from './retry-after.ts';
import { limitedOnceFault, unavailableFault } from './status-fault.ts';
import { shownPath, type TraceEvent } from './trace.ts';
import type { openTraffic, Ticket } from './traffic.ts';

/** What sending needs beside the request. */
export interface SendContext {
  readonly clock: Clock;
  readonly random: () => number;
  readonly traffic: ReturnType<typeof openTraffic>;
  readonly proxied: boolean;
  readonly exchange: (request: HttpRequest) => Promise<RawAnswer>;
  readonly trace: (event: TraceEvent) => void;
  /** Ends the waits of writes. */
  readonly signal: AbortSignal | undefined;
  readonly interrupted: () => boolean;
}

/** What one attempt came to. */
type Step =
  | { readonly next: 'answer'; readonly answer: Answer }
  | { readonly next: 'throw'; readonly fault: Fault }
  /** The lane of its pace holds it back. */
  | { readonly next: 'queue' }
  | { readonly next: 'retry'; readonly fault: Fault; readonly retryAfterMs: number | undefined }
  | { readonly next: 'follow'; readonly url: URL };

/** See `Http.send`. */
export async function sendWithManners(context: SendContext, given: HttpRequest): Promise<Answer> {
  const ticket = context.traffic.ticket(given);
  let request = given;
  let redirects = 0;
  let failures = 0;
  // The first failure after which a write may have taken effect. No later failure knows better: it stays the result.
  let lost: Fault | undefined;
  for (let attempt = 1; ; attempt++) {
    const step = await attemptOnce(context, { request, ticket, attempt }).catch((fault: unknown) => {
      throw lost ?? fault;
    });
    if (step.next === 'answer') return lost ? { ...step.answer, afterLoss: lost } : step.answer;
    if (step.next === 'throw') throw lost ?? step.fault;
    if (step.next === 'follow') {
      redirects += 1;
      if (redirects > MAX_REDIRECTS) throw redirectedFault(request, 302, step.url);
      request = { ...request, url: step.url };
    }
    if (step.next === 'retry') {
      failures += 1;
      if (request.effect === 'writes' && step.fault.detail.sent !== 'no') lost ??= step.fault;
      if (failures > MAX_RETRIES) throw lost ?? step.fault;
      if (request.effect === 'writes' && context.interrupted()) throw lost ?? step.fault;
      await pause(context, request, { attempt, ms: waitBefore(context, failures, step.retryAfterMs) });
    }
  }
}

async function pause(context: SendContext, request: HttpRequest, wait: { attempt: number; ms: number }): Promise<void> {
  context.trace({ kind: 'wait', reason: 'retry', ...shown(request), ...wait });
  await context.clock.sleep(wait.ms, request.effect === 'writes' ? context.signal : undefined);
}

/** An interrupted run does not sit out what it is asked to. */
const waitBefore = ({ random, interrupted }: SendContext, failures: number, asked: number | undefined): number =>
  backoffMs(failures, random(), interrupted() ? undefined : asked);

const shown = ({ method, url }: HttpRequest) => ({ method, path: shownPath(url) });

async function attemptOnce(
  context: SendContext,
  { request, ticket, attempt }: { request: HttpRequest; ticket: Ticket; attempt: number },
): Promise<Step> {
  const { clock, traffic, trace } = context;
  const held = traffic.closedFor(request.pace);
  if (held > 0) trace({ kind: 'wait', reason: 'rate-limited', ...shown(request), attempt, ms: held });
  const admission = await traffic.enter(ticket).catch((fault: Fault) => {
    throw named(request, fault);
  });
  const began = clock.now();
  const seen = { ...shown(request), attempt };
  try {
    const raw = await context.exchange(request);
    trace({ kind: 'answer', ...seen, status: raw.status, ms: clock.now() - began, ...dateOf(raw) });
    const retryAfterMs = tryParseRetryAfter(header(raw, 'retry-after'), clock.now());
    admission.leave(raw.status === 429 ? { kind: 'limited', retryAfterMs } : { kind: 'passed' });
    return stepAfter(request, raw, retryAfterMs);
  } catch (thrown) {
    if (!(thrown instanceof NoAnswer)) throw thrown;
    admission.leave({ kind: 'lost' });
    const { fault, passing } = noAnswerFault(request, thrown, context.proxied);
    trace({ kind: 'failure', ...seen, code: fault.code, ms: clock.now() - began });
    const again = passing && (request.retry === 'yes' || (request.retry === 'no' && thrown.sent === 'no'));
    return again ? { next: 'retry', fault, retryAfterMs: undefined } : { next: 'throw', fault };
  }
}

function stepAfter(request: HttpRequest, raw: RawAnswer, retryAfterMs: number | undefined): Step {
  const { status } = raw;
  if (status === 429)
    return request.retry === 'never' ? { next: 'throw', fault: limitedOnceFault(request) } : { next: 'queue' };
  if (status >= 300 && status < 400) {
    try {
      return { next: 'follow', url: redirectTarget(request, status, header(raw, 'location')) };
    } catch (fault) {
      return { next: 'throw', fault: fault as Fault };
    }
  }
  const mediaType = (header(raw, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const answer: Answer = { status, mediaType, text: raw.text };
  if (status < 500) return { next: 'answer', answer };
  const fault = unavailableFault(request, answer);
  const again = request.retry === 'yes' && PASSING_STATUS.has(status);
  return again ? { next: 'retry', fault, retryAfterMs } : { next: 'throw', fault };
}

function dateOf(raw: RawAnswer): { date?: string } {
  const date = header(raw, 'date');
  return date !== undefined && Number.isFinite(Date.parse(date)) ? { date } : {};
}

function header(raw: RawAnswer, name: string): string | undefined {
  const value = raw.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The queue knows nothing of paths; the message shall. */
function named(request: HttpRequest, fault: Fault): Fault {
  return new Fault(fault.code, `${nameOf(request)}: ${fault.message}`, {
    ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    detail: { method: request.method, path: request.url.pathname, ...fault.detail },
  });
}
