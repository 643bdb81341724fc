import type { Fault } from '../domain/index.ts';
import { PASSING_STATUS } from './backoff.ts';
import type { Clock } from './clock.ts';
import { decoded } from './decoding.ts';
import type { RawAnswer } from './exchange.ts';
import { NoAnswer } from './no-answer.ts';
import { noAnswerFault } from './no-answer-fault.ts';
import { redirectTarget } from './redirect.ts';
import type { Answer, HttpRequest } from './request.ts';
import { tryParseRetryAfter } from './retry-after.ts';
import { limitedOnceFault, unavailableFault } from './status-fault.ts';
import { shownPath, type TraceEvent } from './trace.ts';
import type { Admission } from './traffic.ts';
import { readWhole } from './whole.ts';

/** What one attempt needs beside the request. */
export interface AttemptContext {
  readonly clock: Clock;
  readonly proxied: boolean;
  readonly exchange: (request: HttpRequest) => Promise<RawAnswer>;
  readonly trace: (event: TraceEvent) => void;
  readonly maxBytes: number;
}

/** An answer whose head has come. */
export interface Opened {
  readonly request: HttpRequest;
  readonly raw: RawAnswer;
  readonly body: AsyncGenerator<Uint8Array, undefined>;
  readonly mediaType: string;
  readonly firstByteMs: number;
  readonly elapsedMs: () => number;
}

/** What is made of an answer that is one: read whole, or handed on as it comes. */
export interface Taking<T> {
  readonly take: (opened: Opened) => Promise<T>;
  /** What the same is for an answer that had to be read whole to judge it. */
  readonly ofWhole: (answer: Answer) => T;
}

/** What one attempt came to. */
export type Step<T> =
  | { readonly next: 'answer'; readonly answer: T }
  | { readonly next: 'throw'; readonly fault: Fault }
  /** The lane of its pace holds it back. */
  | { readonly next: 'queue' }
  | {
      readonly next: 'retry';
      readonly fault: Fault;
      readonly retryAfterMs: number | undefined;
      /** In the place of the fault, when it is not asked again. */
      readonly answer?: T;
    }
  | { readonly next: 'follow'; readonly url: URL };

export const shown = ({ method, url }: HttpRequest) => ({ method, path: shownPath(url) });

/** Sends one admitted request once; the admission is left when the answer's body is over, or none came. */
export async function attemptOnce<T>(
  context: AttemptContext,
  taking: Taking<T>,
  { request, admission, attempt }: { request: HttpRequest; admission: Admission; attempt: number },
): Promise<Step<T>> {
  const { clock, trace } = context;
  const began = clock.now();
  const seen = { ...shown(request), attempt };
  try {
    const raw = await context.exchange(request);
    void raw.over.then(admission.leave);
    const opened = openedOf(context, { request, raw, began });
    const retryAfterMs = tryParseRetryAfter(header(raw, 'retry-after'), clock.now());
    admission.hear(raw.status === 429 ? { kind: 'limited', retryAfterMs } : { kind: 'passed' });
    const step = await stepAfter(opened, taking, retryAfterMs);
    trace({ kind: 'answer', ...seen, status: raw.status, ms: clock.now() - began, ...dateOf(raw) });
    return step;
  } catch (thrown) {
    admission.leave();
    if (!(thrown instanceof NoAnswer)) throw thrown;
    const { fault, passing } = noAnswerFault(request, thrown, context.proxied);
    trace({ kind: 'failure', ...seen, code: fault.code, ms: clock.now() - began });
    const again = passing && (request.retry === 'yes' || (request.retry === 'no' && thrown.sent === 'no'));
    return again ? { next: 'retry', fault, retryAfterMs: undefined } : { next: 'throw', fault };
  }
}

function openedOf(context: AttemptContext, sent: { request: HttpRequest; raw: RawAnswer; began: number }): Opened {
  const { request, raw, began } = sent;
  const elapsedMs = () => context.clock.now() - began;
  return {
    request,
    raw,
    body: decoded(raw, request.maxBytes ?? context.maxBytes),
    mediaType: (header(raw, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    firstByteMs: elapsedMs(),
    elapsedMs,
  };
}

async function stepAfter<T>(
  opened: Opened,
  { take, ofWhole }: Taking<T>,
  retryAfterMs: number | undefined,
): Promise<Step<T>> {
  const { request, raw } = opened;
  const { status } = raw;
  const moved = status >= 300 && status < 400;
  if (status < 500 && status !== 429 && !moved) return { next: 'answer', answer: await take(opened) };
  const answer = await wholeAnswer(opened);
  if (status === 429)
    return request.retry === 'never' ? { next: 'throw', fault: limitedOnceFault(request) } : { next: 'queue' };
  if (moved) return following(opened);
  const fault = unavailableFault(request, answer);
  const kept = request.serverErrors === 'answered' ? { answer: ofWhole(answer) } : {};
  if (request.retry === 'yes' && PASSING_STATUS.has(status)) return { next: 'retry', fault, retryAfterMs, ...kept };
  return kept.answer === undefined ? { next: 'throw', fault } : { next: 'answer', answer: kept.answer };
}

function following<T>({ request, raw }: Opened): Step<T> {
  try {
    return { next: 'follow', url: redirectTarget(request, raw.status, header(raw, 'location')) };
  } catch (fault) {
    return { next: 'throw', fault: fault as Fault };
  }
}

/** @throws NoAnswer when the body does not come whole. */
export async function wholeAnswer({ raw, body, mediaType, firstByteMs, elapsedMs }: Opened): Promise<Answer> {
  const text = await readWhole(body);
  const timing = { firstByteMs, totalMs: elapsedMs() };
  return { status: raw.status, mediaType, text, timing, ...requestIdOf(raw) };
}

const REQUEST_ID_HEADERS = ['x-request-id', 'x-oneapi-request-id', 'request-id'];

/** Only what could be an id: it is shown. */
export function requestIdOf(raw: RawAnswer): { requestId?: string } {
  const found = REQUEST_ID_HEADERS.map((name) => header(raw, name)).find((text) => text !== undefined);
  return found !== undefined && /^[\w.:-]{1,128}$/.test(found) ? { requestId: found } : {};
}

function dateOf(raw: RawAnswer): { date?: string } {
  const date = header(raw, 'date');
  return date !== undefined && Number.isFinite(Date.parse(date)) ? { date } : {};
}

function header(raw: RawAnswer, name: string): string | undefined {
  const value = raw.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
