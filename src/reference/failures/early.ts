import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, failureAnswer } from '../server/answer.ts';
import type { InjectedFailure } from './kinds.ts';
import type { RequestGate } from './request-gate.ts';

/** The end of a request for which nothing was done; undefined: it continues. */
type EarlyAnswer = { readonly answer: Answer } | 'cut' | undefined;

interface EarlyOptions {
  readonly gate: RequestGate;
  /** Ends delays when the gateway closes. */
  readonly closing: AbortSignal;
}

const HTML = '<!DOCTYPE html>\n<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n';

/** Lets a failure act before the request is looked at. */
export async function failEarly(failure: InjectedFailure, { gate, closing }: EarlyOptions): Promise<EarlyAnswer> {
  switch (failure.kind) {
    case 'delay':
      await wait(failure.ms, undefined, { signal: closing }).catch(() => undefined);
      return undefined;
    case 'hold':
      await gate.hold();
      return undefined;
    case 'status':
      return { answer: failureAnswer(failure.message ?? `status ${failure.code} as asked`, failure.code) };
    case 'empty-429':
      return { answer: empty429(failure.retryAfter) };
    case 'refuse':
      return { answer: failureAnswer(failure.message) };
    case 'html':
      return { answer: { status: failure.status, html: HTML } };
    case 'cut-before':
      return 'cut';
    case 'answer':
      return { answer: { status: failure.status, body: failure.body } };
    default:
      // The others act while the request is served, or when its answer is sent.
      return undefined;
  }
}

const empty429 = (retryAfter: number | string | undefined): Answer => ({
  status: 429,
  ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
});
