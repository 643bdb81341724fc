import type * as z from 'zod';
import { asFault, Fault } from '../domain/index.ts';
import { describePage, type HttpRequest, type HttpResponse, requestDetail, requestName } from '../http/index.ts';
import { parseJson } from '../wire/index.ts';

/** A request and the response to it. */
export interface Exchanged {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

/** The detail of a fault about a response. */
export const responseDetail = (
  request: HttpRequest,
  { status, requestId }: Pick<HttpResponse, 'status' | 'requestId'>,
) => ({
  ...requestDetail(request, 'yes'),
  status,
  ...(requestId === undefined ? {} : { requestId }),
});

/** Parses JSON with exact numbers; undefined when the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Reads a parsed body through a schema. @throws Fault `gateway.unexpected-shape` */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown, { request, response }: Exchanged): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw unexpectedShapeFault(request, response, result.error);
}

/** A response that is not JSON. Names its likely origin, and never repeats its text. */
export function notJsonFault(request: HttpRequest, response: HttpResponse): Fault {
  const [problem, hint] = describeForeign(request, response);
  return new Fault(
    'gateway.not-json',
    `${requestName(request)}: the response (status ${response.status}) ${problem}.`,
    {
      hint,
      detail: responseDetail(request, response),
    },
  );
}

function describeForeign(request: HttpRequest, response: HttpResponse): [string, string] {
  const url = 'Check that the gateway’s URL is its base URL, without /api or /v1.';
  const page = describePage(request, response);
  if (page !== undefined) return [`is ${page}`, `${url} A proxy or a login page may be in front of it.`];
  if (response.text.trim() === '') return ['is empty', url];
  if (/^\s*[{[]/.test(response.text))
    return ['is truncated or garbled JSON', 'Try again; then check the proxy in front of the gateway.'];
  return ['is not JSON', url];
}

/** JSON of another shape. Names the place and the expectation, but no value, which may be a secret. */
export function unexpectedShapeFault(
  request: HttpRequest,
  response: HttpResponse,
  problem: z.core.$ZodError | string,
): Fault {
  const issue = typeof problem === 'string' ? problem : describeIssue(problem);
  const message = `${requestName(request)}: the response does not match the contract: ${issue}.`;
  return new Fault('gateway.unexpected-shape', message, {
    hint: 'Check that the URL is the address of a supported LLM gateway, and check the gateway’s version.',
    detail: { ...responseDetail(request, response), issue },
  });
}

function describeIssue(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'unknown';
  // A member's name is as foreign as its value: only what looks like a field or a position is repeated.
  const path = issue.path.map((part) => (/^([A-Za-z_]{1,40}|\d{1,10})$/.test(String(part)) ? String(part) : '…'));
  // Only these messages of zod are informative; none repeats a value.
  const informative = ['invalid_type', 'invalid_union', 'custom'].includes(issue.code);
  const message = informative ? issue.message : issue.code;
  return `${path.join('.') || 'the response itself'}: ${message}`;
}

/** The gateway rejects the credentials; `message` is the gateway's, already redacted. */
export function credentialsFault(request: HttpRequest, response: HttpResponse, message: string): Fault {
  const quoted = message === '' ? '' : `: ${message}`;
  const text = `${requestName(request)}: the gateway rejected the system access token or the user ID (status ${response.status})${quoted}`;
  return new Fault('credentials.refused', text, {
    hint: 'Check the system access token and the user ID: they must belong together, and a rotation invalidates the previous token. An API key (`sk-…`) is not accepted there.',
    remedy: 'set-credentials',
    detail: responseDetail(request, response),
  });
}

/** The access token is known, and its user is disabled. */
export function bannedFault(request: HttpRequest, response: HttpResponse): Fault {
  return new Fault(
    'credentials.banned',
    `${requestName(request)}: the user of this access token is disabled at the gateway (status ${response.status}).`,
    {
      hint: 'The token itself is valid. Ask the administrator of the gateway to enable the user again; its API keys do not work until then.',
      detail: responseDetail(request, response),
    },
  );
}

/** Understood and rejected; `message` is the gateway's, already redacted. */
export function refusedFault(request: HttpRequest, response: HttpResponse, message: string): Fault {
  const quoted = message === '' ? ' without a reason' : '';
  const status = `(status ${response.status})${message === '' ? '' : `: ${message}`}`;
  const text = `${requestName(request)}: the gateway rejected the request${quoted} ${status}`;
  const hint = isMissing(response) ? { hint: 'Check that the gateway’s URL is its base URL.' } : {};
  return new Fault('gateway.refused', text, { ...hint, detail: { ...responseDetail(request, response), message } });
}

/** The gateway has no such endpoint or resource. */
export const isMissing = ({ status }: Pick<HttpResponse, 'status'>): boolean => status === 404 || status === 405;

export function notFoundFault(request: HttpRequest, response: HttpResponse): Fault {
  return new Fault('gateway.not-found', `${requestName(request)}: there is no such key in this account.`, {
    detail: responseDetail(request, response),
  });
}

/** Has the gateway rejected a request because it has no such path? Older releases lack what newer ones have. */
export function lacksEndpoint(thrown: unknown): boolean {
  const { code, detail } = asFault(thrown);
  return code === 'gateway.refused' && isMissing({ status: Number(detail.status) });
}
