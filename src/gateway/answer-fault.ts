import type { z } from 'zod';
import { Fault } from '../domain/index.ts';
import { type Answer, describePage, type HttpRequest, isHtml, nameOf } from '../http/index.ts';

const detailOf = (request: HttpRequest, { status }: Answer) => ({
  method: request.method,
  path: request.url.pathname,
  status,
  sent: 'yes',
});

/** An answer that is no JSON: who gave it, as far as it can be told, and never its text. */
export function notJsonFault(request: HttpRequest, answer: Answer): Fault {
  const [what, hint] = describeForeign(answer);
  return new Fault('gateway.not-json', `${nameOf(request)}: the answer (status ${answer.status}) ${what}.`, {
    hint,
    detail: detailOf(request, answer),
  });
}

function describeForeign(answer: Answer): [string, string] {
  const url = 'Check that the gateway’s URL is its base address, without /api or /v1.';
  if (isHtml(answer)) {
    const page = describePage(answer).replace(/^, with/, 'is');
    return [page, `${url} A proxy or a login page may stand before it.`];
  }
  if (answer.text.trim() === '') return ['is empty', url];
  if (/^\s*[{[]/.test(answer.text))
    return ['is JSON that breaks off or is garbled', 'Run it again; then look at the proxy before the gateway.'];
  return ['is not JSON', url];
}

/** JSON of another shape: where, and what was expected, but no value, which may be a secret. */
export function unexpectedShapeFault(request: HttpRequest, answer: Answer, problem: z.core.$ZodError | string): Fault {
  const where = typeof problem === 'string' ? problem : describeIssue(problem);
  return new Fault(
    'gateway.unexpected-shape',
    `${nameOf(request)}: the answer is not of the contract’s shape: ${where}.`,
    {
      hint: 'Check that the URL is that of an LLM gateway of this family, and its version.',
      detail: { ...detailOf(request, answer), issue: where },
    },
  );
}

function describeIssue(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'unknown';
  // The name of a member is as foreign as its value: only what looks like a field or a position is repeated.
  const path = issue.path.map((part) => (/^([A-Za-z_]{1,40}|\d{1,10})$/.test(String(part)) ? String(part) : '…'));
  // Of the messages of zod only these say something; none repeats a value.
  const telling = ['invalid_type', 'invalid_union', 'custom'].includes(issue.code);
  const message = telling ? issue.message : issue.code;
  return `${path.join('.') || 'the answer itself'}: ${message}`;
}

const CREDENTIALS_HINT =
  'Check the system access token and the user id: they must belong together, and a rotation ends the token before.';

/** The credentials are refused; `message` is the gateway's, already fit to be shown. */
export function credentialsFault(request: HttpRequest, answer: Answer, message: string): Fault {
  const says = message === '' ? '' : `: ${message}`;
  const text = `${nameOf(request)}: the gateway refuses the system access token or the user id (status ${answer.status})${says}`;
  return new Fault('credentials.refused', text, {
    hint: CREDENTIALS_HINT,
    remedy: 'set-credentials',
    detail: detailOf(request, answer),
  });
}

/** Understood and refused; `message` is the gateway's, already fit to be shown. */
export function refusedFault(request: HttpRequest, answer: Answer, message: string): Fault {
  const says = message === '' ? ', and does not say why' : `: ${message}`;
  const text = `${nameOf(request)}: the gateway refuses (status ${answer.status})${says}`;
  const more =
    answer.status === 404 || answer.status === 405 ? { hint: 'Check that the gateway’s URL is its base address.' } : {};
  return new Fault('gateway.refused', text, { ...more, detail: { ...detailOf(request, answer), message } });
}

export function notFoundFault(request: HttpRequest, answer: Answer): Fault {
  return new Fault('gateway.not-found', `${nameOf(request)}: there is no such key in this account.`, {
    detail: detailOf(request, answer),
  });
}
