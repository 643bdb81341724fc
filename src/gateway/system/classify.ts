import * as z from 'zod';
import type { Fault, Secret } from '../../domain/index.ts';
import { isHtml } from '../../http/index.ts';
import { Envelope } from '../../wire/index.ts';
import { messageIn, redactMessage } from '../messages.ts';
import {
  bannedFault,
  credentialsFault,
  type Exchanged,
  notJsonFault,
  refusedFault,
  tryParseJson,
  unexpectedShapeFault,
} from '../response-fault.ts';

/**
 * A classified response of the System API. `refused` is definite: the gateway understood the request and did not carry
 * it out. `credentials`: the HTTP status reports it; a rejection within the envelope can mean the same without showing
 * it. `foreign`: something other than the System API responded.
 */
export type ClassifiedResponse =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'refused' | 'credentials' | 'foreign'; readonly fault: Fault };

/** Newer builds name the reason. */
const DisabledUser = z.looseObject({ code: z.literal('AUTH_USER_DISABLED') });
const isOfDisabledUser = (body: unknown): boolean => DisabledUser.safeParse(body).success;

/** Classifies by HTTP status and envelope, never by the text of a message. Contract: “Errors”. */
export function classify({ request, response }: Exchanged, secrets: readonly Secret[]): ClassifiedResponse {
  const body = tryParseJson(response.text);
  const message = () => redactMessage(messageIn(body), secrets);
  const denied = response.status === 401 || response.status === 403;
  // A firewall also responds with 403, and a page.
  if (denied && isOfDisabledUser(body)) return { kind: 'credentials', fault: bannedFault(request, response) };
  if (denied && !isHtml(response))
    return { kind: 'credentials', fault: credentialsFault(request, response, message()) };
  if (body === undefined) return { kind: 'foreign', fault: notJsonFault(request, response) };
  const envelope = Envelope.safeParse(body);
  if (envelope.success) {
    if (!envelope.data.success) return { kind: 'refused', fault: refusedFault(request, response, message()) };
    if (response.status < 300) return { kind: 'data', data: envelope.data.data };
    const problem = `status ${response.status}, yet success is true`;
    return { kind: 'foreign', fault: unexpectedShapeFault(request, response, problem) };
  }
  if (response.status >= 400) return { kind: 'refused', fault: refusedFault(request, response, message()) };
  return { kind: 'foreign', fault: unexpectedShapeFault(request, response, envelope.error) };
}
