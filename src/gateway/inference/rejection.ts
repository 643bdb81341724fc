import { Fault, type FaultCode } from '../../domain/index.ts';
import { describePage, type HttpResponse, isHtml, requestName } from '../../http/index.ts';
import { type ErrorBody, isErrorTypeOfFamily, ModelsAnswer, tryReadErrorBody } from '../../wire/index.ts';
import { redactMessage } from '../messages.ts';
import { type Exchanged, notJsonFault, responseDetail, tryParseJson } from '../response-fault.ts';
import { type InferenceConnection, secretsOf } from './connection.ts';
import { toHttpRequest } from './request.ts';

/** The fault of a response with this status and this code in its body. */
interface RejectionKind {
  readonly status: number | '2xx' | '4xx' | '5xx';
  /** Empty: without a code. Omitted: with any code. */
  readonly code?: string;
  readonly fault: FaultCode;
  /** The restrictions of the key to test first with the free listing of models, because the response may mean them. */
  readonly probe?: 'key' | 'key and model';
}

/**
 * From status and code to fault; the first match counts. Messages are translated, so they are not used. Any other 429
 * is not here because the HTTP client waits for it. In an error with status 200, only the code is meaningful.
 */
const REJECTIONS: readonly RejectionKind[] = [
  { status: 401, code: '', fault: 'key.refused' },
  // Upstream statuses and codes pass through: only the gateway's own 401, without a code, is about the key.
  { status: 401, fault: 'gateway.upstream-refused', probe: 'key' },
  ...(
    [
      [403, 'access_denied', 'key.address-not-allowed'],
      [403, 'insufficient_user_quota', 'wallet.empty'],
      [403, 'pre_consume_token_quota_failed', 'key.exhausted'],
      [429, 'insufficient_user_quota', 'wallet.empty'],
      [500, 'invalid_request', 'request.refused'],
      [503, 'model_not_found', 'gateway.no-channel'],
      [503, 'system_cpu_overloaded', 'gateway.overloaded'],
      [503, 'system_memory_overloaded', 'gateway.overloaded'],
      [503, 'system_disk_overloaded', 'gateway.overloaded'],
      [400, 'model_price_error', 'gateway.no-price'],
    ] as const
  ).flatMap(([status, code, fault]): RejectionKind[] => [
    { status, code, fault },
    { status: '2xx', code, fault },
  ]),
  { status: 403, code: '', fault: 'gateway.refused', probe: 'key and model' },
  // An unknown code has a reason of its own, such as a content filter.
  { status: 403, fault: 'gateway.refused', probe: 'key' },
  { status: 400, fault: 'request.refused' },
  // one-hub names itself instead of a reason, and has this status for nothing else.
  { status: 404, code: 'one_hub_error', fault: 'key.model-not-allowed' },
  { status: 404, fault: 'request.refused' },
  { status: 413, fault: 'request.refused' },
  { status: 415, fault: 'request.refused' },
  { status: 422, fault: 'request.refused' },
  { status: '2xx', fault: 'gateway.refused', probe: 'key' },
  { status: '4xx', fault: 'gateway.refused' },
  { status: '5xx', fault: 'gateway.unavailable' },
];

const matches = (rejection: RejectionKind, status: number, code: string): boolean =>
  (rejection.status === status || rejection.status === `${Math.floor(status / 100)}xx`) &&
  (rejection.code === undefined || rejection.code === code);

const MESSAGES: Partial<Readonly<Record<FaultCode, string>>> = {
  'key.refused': 'the gateway rejected the API key',
  'key.model-not-allowed': 'the API key may not use this model',
  'key.address-not-allowed': 'the API key may not be used from this address',
  'key.group-not-allowed': 'the API key may not use its group',
  'key.exhausted': 'the remaining quota of the API key is less than this request may cost',
  'wallet.empty': 'the account’s balance is less than this request may cost',
  'gateway.no-channel': 'the gateway has no upstream for this model, or none at the moment',
  'gateway.no-price': 'the gateway has no price for this model',
  'gateway.unavailable': 'the gateway cannot serve the request',
  'gateway.upstream-refused': 'an upstream rejected the credentials of the gateway',
  'gateway.overloaded': 'the gateway is overloaded',
};

const HINTS: Partial<Readonly<Record<FaultCode, string>>> = {
  'key.refused':
    'It is unknown, disabled, expired or exhausted; the gateway does not report which. Check the key there.',
  'key.model-not-allowed': 'Add the model to the key’s models, or request one that the key may use.',
  'key.address-not-allowed': 'Add the address that the gateway sees to the key’s allowlist.',
  'key.group-not-allowed': 'Give the key a group that the account has.',
  'key.exhausted': 'Raise the key’s budget. This does not concern the account’s balance.',
  'wallet.empty': 'Top up the account. The key itself is fine.',
  'gateway.no-channel': 'Check in the gateway’s settings which channels serve the model, or try again later.',
  'gateway.no-price': 'Set a price or a ratio for the model in the gateway.',
  'gateway.upstream-refused': 'Check the credentials of the channel that serves the model. The API key is fine.',
  'gateway.overloaded': 'Try again later; its administrator can change the threshold.',
  'gateway.unavailable': 'The gateway, or one of its upstreams, is overloaded or broken. Its log has the details.',
};

export interface RejectedExchange extends Exchanged {
  /** The error in the body, where there is one. */
  readonly error: ErrorBody | undefined;
  /** The requested model. */
  readonly model?: string | undefined;
}

/** Reads the error in a JSON body; undefined when there is none. */
export const readError = (response: HttpResponse): ErrorBody | undefined =>
  tryReadErrorBody(tryParseJson(response.text));

/** Explains a rejection as a fault. May request the list of models, which is free. */
export async function rejectionFault(connection: InferenceConnection, rejected: RejectedExchange): Promise<Fault> {
  const { request, response, error } = rejected;
  if (isHtml(response) && response.status < 500) return notJsonFault(request, response);
  const rejection = REJECTIONS.find((candidate) => matches(candidate, response.status, error?.code ?? ''));
  const probe = rejection?.probe ?? (isUnclear(rejected) ? 'key' : undefined);
  const restriction = probe && (await probeRestriction(connection, probe, rejected.model));
  const isUnknown = restriction === undefined || restriction === 'key.group-not-allowed';
  if (isCodeless(rejected) && isUnknown) return faultFor(connection, 'gateway.refused', rejected, ONE_OF);
  return faultFor(connection, restriction ?? rejection?.fault ?? 'gateway.refused', rejected);
}

/** The types of errors of gateways that name no restriction of a key by a code. */
const CODELESS: ReadonlySet<string> = new Set(['one_api_error', 'veloera_error', 'one_hub_error']);

const isCodeless = ({ response, error }: RejectedExchange): boolean =>
  response.status === 403 && error?.code === '' && CODELESS.has(error.type);

const ONE_OF =
  'The gateway does not report which restriction of the key it is. It is one of: its allowed addresses, its group, its models as the gateway spells them.';

/** Token counting responds to an invalid key as to an invalid request. Contract: “Errors”. */
const isUnclear = ({ request, response, error }: RejectedExchange): boolean =>
  response.status === 400 && error?.type === 'invalid_request_error' && request.url.pathname.endsWith('/count_tokens');

function faultFor(
  connection: InferenceConnection,
  code: FaultCode,
  { request, response, error, model }: RejectedExchange,
  ownHint?: string,
): Fault {
  const message = redactMessage(error?.message ?? '', secretsOf(connection));
  const page = describePage(request, response);
  const status = `(status ${response.status}${page === undefined ? '' : `, with ${page}`})`;
  const text = `${requestName(request)}: ${MESSAGES[code] ?? 'the gateway rejected the request'} ${status}`;
  const hint =
    ownHint ??
    HINTS[code] ??
    (response.status === 404 ? 'Check the model, the path and the gateway’s base URL.' : undefined);
  return new Fault(code, message === '' ? text : `${text}: ${message}`, {
    ...(hint === undefined ? {} : { hint }),
    detail: {
      ...responseDetail(request, response),
      ...(model === undefined ? {} : { model }),
      ...(error === undefined ? {} : { code: redactMessage(error.code, secretsOf(connection)), message }),
      ...(error && isErrorTypeOfFamily(error.type) ? { type: error.type } : {}),
    },
  });
}

/**
 * Finds the restriction of the key that caused a rejection by listing the models: if the listing is rejected too, it is
 * the key, its address or its group; if the model is missing, it is the model. Undefined when it is none of these, or
 * unknown.
 */
async function probeRestriction(
  connection: InferenceConnection,
  probe: NonNullable<RejectionKind['probe']>,
  model: string | undefined,
): Promise<FaultCode | undefined> {
  const request = toHttpRequest(connection, { endpoint: 'models', options: {} });
  const listing = await connection.http.send(request).catch(() => undefined);
  if (listing === undefined || isHtml(listing)) return undefined;
  if (listing.status === 401) return 'key.refused';
  if (listing.status === 403) return readError(listing)?.code ? faultOfCode(listing) : 'key.group-not-allowed';
  const models = ModelsAnswer.safeParse(tryParseJson(listing.text));
  if (listing.status !== 200 || !models.success || probe === 'key' || model === undefined) return undefined;
  return models.data.data.some(({ id }) => id === model) ? undefined : 'key.model-not-allowed';
}

/** The fault that the error code alone identifies. */
function faultOfCode(response: HttpResponse): FaultCode | undefined {
  const code = readError(response)?.code;
  return REJECTIONS.find((row) => row.code !== undefined && row.status === response.status && row.code === code)?.fault;
}
