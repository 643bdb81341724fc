import { z } from 'zod';
import type { Fault, Secret } from '../../domain/index.ts';
import { type Answer, type HttpRequest, isHtml } from '../../http/index.ts';
import { Envelope, OpenError, parseJson } from '../../wire/index.ts';
import { credentialsFault, notJsonFault, refusedFault, unexpectedShapeFault } from '../answer-fault.ts';
import { shownMessage } from '../shown-message.ts';

/**
 * What an answer of the System API comes to. `refused` is definite: the request was understood and not carried out.
 * `credentials`: the HTTP status says so; that a refusal within the envelope means the same can not be read from it.
 */
export type Verdict =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'refused' | 'credentials' | 'foreign'; readonly fault: Fault };

/** Judges by HTTP status and by envelope, never by the text of a message. Contract: “Errors”. */
export function judge(request: HttpRequest, answer: Answer, secrets: readonly Secret[]): Verdict {
  const body = tryParseJson(answer.text);
  const message = shownMessage(messageIn(body), secrets);
  const denied = answer.status === 401 || answer.status === 403;
  // A firewall also answers 403, with a page.
  if (denied && !isHtml(answer)) return { kind: 'credentials', fault: credentialsFault(request, answer, message) };
  if (body === undefined) return { kind: 'foreign', fault: notJsonFault(request, answer) };
  const envelope = Envelope.safeParse(body);
  if (envelope.success) {
    if (!envelope.data.success) return { kind: 'refused', fault: refusedFault(request, answer, message) };
    if (answer.status < 300) return { kind: 'data', data: envelope.data.data };
    const problem = `status ${answer.status}, yet success is true`;
    return { kind: 'foreign', fault: unexpectedShapeFault(request, answer, problem) };
  }
  if (answer.status >= 400) return { kind: 'refused', fault: refusedFault(request, answer, message) };
  return { kind: 'foreign', fault: unexpectedShapeFault(request, answer, envelope.error) };
}

/** The value of a text of JSON; undefined when it is none. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const WithMessage = z.looseObject({ message: z.string() });

/** The message of an envelope or of the open error shape; empty when there is none. */
export function messageIn(body: unknown): string {
  const open = OpenError.safeParse(body);
  if (open.success) return open.data.error.message;
  const plain = WithMessage.safeParse(body);
  return plain.success ? plain.data.message : '';
}
