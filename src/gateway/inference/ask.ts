import type { z } from 'zod';
import { Fault } from '../../domain/index.ts';
import type { Answer, HttpRequest } from '../../http/index.ts';
import { INFERENCE_API, tryReadErrorBody } from '../../wire/index.ts';
import { besideAddress } from '../address.ts';
import { notJsonFault } from '../answer-fault.ts';
import { parsed } from '../system/call.ts';
import type { Answered, InferenceLine } from './line.ts';
import { errorIn, refusalFault } from './refusal.ts';
import { type Order, requestOf } from './request.ts';

/** How an answer is read. */
export interface Reading<T> {
  readonly schema: z.ZodType<T>;
  /** The model that was asked for. */
  readonly model?: string | undefined;
  /** What tells an error in the body of a 2xx, where the answer itself may have a member `error`. */
  readonly isError?: (body: unknown) => boolean;
}

/**
 * Asks for one answer and reads it whole.
 * @throws Fault those of `Http.send`, those of `refusalFault`, `gateway.not-json`, `gateway.unexpected-shape`
 */
export async function ask<T>(line: InferenceLine, order: Order, reading: Reading<T>): Promise<Answered<T>> {
  const request = requestOf(line, order);
  try {
    const answer = await line.http.send(request);
    return await read(line, { request, answer }, reading);
  } catch (thrown) {
    throw inContext(thrown, line, order);
  }
}

async function read<T>(
  line: InferenceLine,
  { request, answer }: { request: HttpRequest; answer: Answer },
  { schema, model, isError = (body) => tryReadErrorBody(body) !== undefined }: Reading<T>,
): Promise<Answered<T>> {
  const { status, timing, requestId } = answer;
  const body = parseAnswer(answer.text);
  if (status >= 300 || (body !== undefined && isError(body))) {
    throw await refusalFault(line, { request, answer, error: errorIn(answer), model });
  }
  if (body === undefined) throw notJsonFault(request, answer);
  const value = parsed(schema, body, { request, answer });
  return { value, raw: body, status, timing, ...(requestId === undefined ? {} : { requestId }) };
}

/** Numbers as JavaScript has them: nothing of these answers is ever sent back. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Faults after which something that costs money may have been done all the same. */
const LOST: ReadonlySet<string> = new Set(['gateway.timeout', 'gateway.connection-lost', 'gateway.interrupted']);

/** What a fault of http can not know: that the request costs money, and that the base address may be wrong. */
export function inContext(thrown: unknown, line: InferenceLine, { endpoint }: Order): unknown {
  if (!(thrown instanceof Fault)) return thrown;
  if (!INFERENCE_API[endpoint].pays || !LOST.has(thrown.code) || thrown.detail.sent === 'no') {
    return besideAddress(thrown, line.base);
  }
  const hint = 'It may have been served and charged. The usage log of the key tells; it is not sent again by itself.';
  return new Fault(thrown.code, thrown.message, { hint, detail: thrown.detail, cause: thrown.cause });
}
