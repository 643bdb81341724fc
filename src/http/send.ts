import { Fault } from '../domain/index.ts';
import { type AttemptContext, attemptOnce, type Step, shown, type Taking, wholeAnswer } from './attempt.ts';
import { backoffMs, MAX_RETRIES } from './backoff.ts';
import { openAnswer, openWhole } from './open-answer.ts';
import { maxRedirects, redirectedFault, redirectedRequest } from './redirect.ts';
import { type Answer, type HttpRequest, nameOf, type OpenAnswer } from './request.ts';
import type { openTraffic, Ticket } from './traffic.ts';

/** What sending needs beside the request. */
export interface SendContext extends AttemptContext {
  readonly random: () => number;
  readonly traffic: ReturnType<typeof openTraffic>;
  /** Ends the waits of writes. */
  readonly signal: AbortSignal | undefined;
  readonly interrupted: () => boolean;
}

/** See `Http.send`. */
export async function sendWithManners(context: SendContext, request: HttpRequest): Promise<Answer> {
  const { answer, lost } = await ask<Answer>(context, request, { take: wholeAnswer, ofWhole: (answer) => answer });
  return lost ? { ...answer, afterLoss: lost } : answer;
}

/** See `Http.open`. */
export async function openWithManners(context: SendContext, request: HttpRequest): Promise<OpenAnswer> {
  const take = async (opened: Parameters<typeof openAnswer>[0]) => openAnswer(opened, context.proxied);
  const { answer, lost } = await ask<OpenAnswer>(context, request, { take, ofWhole: openWhole });
  return lost ? { ...answer, afterLoss: lost } : answer;
}

/**
 * Sends a request as often as its manners allow. `lost` is the first failure after which a write may have taken effect:
 * no later failure knows better, so it stays the result.
 */
async function ask<T>(
  context: SendContext,
  given: HttpRequest,
  taking: Taking<T>,
): Promise<{ answer: T; lost: Fault | undefined }> {
  const ticket = context.traffic.ticket(given);
  let request = given;
  let redirects = 0;
  let failures = 0;
  let lost: Fault | undefined;
  for (let attempt = 1; ; attempt++) {
    const step = await admitted(context, { request, ticket, attempt, taking }).catch((fault: unknown) => {
      throw lost ?? fault;
    });
    if (step.next === 'answer') return { answer: step.answer, lost };
    if (step.next === 'throw') throw lost ?? step.fault;
    if (step.next === 'follow') {
      redirects += 1;
      if (redirects > maxRedirects(request)) throw redirectedFault(request, 302, step.url);
      request = redirectedRequest(request, step.url);
    }
    if (step.next === 'retry') {
      failures += 1;
      if (request.effect === 'writes' && step.fault.detail.sent !== 'no') lost ??= step.fault;
      const over = failures > MAX_RETRIES || (request.effect === 'writes' && context.interrupted());
      if (over && step.answer !== undefined && !lost) return { answer: step.answer, lost };
      if (over || request.signal?.aborted) throw lost ?? step.fault;
      await pause(context, request, { attempt, ms: waitBefore(context, failures, step.retryAfterMs) });
    }
  }
}

async function pause(context: SendContext, request: HttpRequest, wait: { attempt: number; ms: number }): Promise<void> {
  context.trace({ kind: 'wait', reason: 'retry', ...shown(request), ...wait });
  const signals = [request.signal, request.effect === 'writes' ? context.signal : undefined];
  const enders = signals.filter((signal) => signal !== undefined);
  await context.clock.sleep(wait.ms, enders.length > 1 ? AbortSignal.any(enders) : enders[0]);
}

/** An interrupted run does not sit out what it is asked to. */
const waitBefore = ({ random, interrupted }: SendContext, failures: number, asked: number | undefined): number =>
  backoffMs(failures, random(), interrupted() ? undefined : asked);

async function admitted<T>(
  context: SendContext,
  now: { request: HttpRequest; ticket: Ticket; attempt: number; taking: Taking<T> },
): Promise<Step<T>> {
  const { request, ticket, attempt, taking } = now;
  const held = context.traffic.closedFor(request.pace);
  if (held > 0) context.trace({ kind: 'wait', reason: 'rate-limited', ...shown(request), attempt, ms: held });
  const admission = await context.traffic.enter(ticket).catch((fault: Fault) => {
    throw named(request, fault);
  });
  return attemptOnce(context, taking, { request, admission, attempt });
}

/** The queue knows nothing of paths; the message shall. */
function named(request: HttpRequest, fault: Fault): Fault {
  if (fault.detail.path !== undefined) return fault;
  return new Fault(fault.code, `${nameOf(request)}: ${fault.message}`, {
    hint: fault.hint,
    remedy: fault.remedy,
    detail: { method: request.method, path: request.url.pathname, ...fault.detail },
  });
}
