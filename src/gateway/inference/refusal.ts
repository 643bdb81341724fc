import { Fault, type FaultCode } from '../../domain/index.ts';
import { type Answer, describePage, type HttpRequest, isHtml, nameOf } from '../../http/index.ts';
import { type ErrorBody, ModelsAnswer, tryReadErrorBody } from '../../wire/index.ts';
import { notJsonFault } from '../answer-fault.ts';
import { shownMessage } from '../shown-message.ts';
import { tryParseJson } from '../system/judge.ts';
import { type InferenceLine, secretsOf } from './line.ts';
import { requestOf } from './request.ts';

/** What an answer with this status, and this code in its body, means. The first row that fits counts. */
interface Row {
  readonly status: number | '2xx' | '4xx' | '5xx';
  /** Empty: it has none. Absent: whichever it has. */
  readonly code?: string;
  readonly fault: FaultCode;
  /** What the free listing of models has to find out first, because the answer may mean a restriction of the key. */
  readonly findOut?: 'key' | 'key and model';
}

/**
 * From status and code to fault. Messages are translated, so nothing is read from them. A 429 is not here: it is waited
 * out before anybody sees it. Where 200 comes with an error, only the code tells.
 */
const ROWS: readonly Row[] = [
  { status: 401, fault: 'key.refused' },
  ...(
    [
      [403, 'access_denied', 'key.address-not-allowed'],
      [403, 'insufficient_user_quota', 'wallet.empty'],
      [403, 'pre_consume_token_quota_failed', 'key.exhausted'],
      [503, 'model_not_found', 'gateway.no-channel'],
      [400, 'model_price_error', 'gateway.no-price'],
    ] as const
  ).flatMap(([status, code, fault]): Row[] => [
    { status, code, fault },
    { status: '2xx', code, fault },
  ]),
  { status: 403, code: '', fault: 'gateway.refused', findOut: 'key and model' },
  // A code that is not known here has a reason of its own: a filter of contents, say.
  { status: 403, fault: 'gateway.refused', findOut: 'key' },
  { status: 400, fault: 'request.refused' },
  { status: 404, fault: 'request.refused' },
  { status: 413, fault: 'request.refused' },
  { status: 415, fault: 'request.refused' },
  { status: 422, fault: 'request.refused' },
  { status: '2xx', fault: 'gateway.refused', findOut: 'key' },
  { status: '4xx', fault: 'gateway.refused' },
  { status: '5xx', fault: 'gateway.unavailable' },
];

const fits = (row: Row, status: number, code: string): boolean =>
  (row.status === status || row.status === `${Math.floor(status / 100)}xx`) &&
  (row.code === undefined || row.code === code);

const SAYS: Partial<Readonly<Record<FaultCode, string>>> = {
  'key.refused': 'the gateway does not take the API key',
  'key.model-not-allowed': 'the API key may not use this model',
  'key.address-not-allowed': 'the API key may not be used from this address',
  'key.group-not-allowed': 'the API key may not use its group',
  'key.exhausted': 'what remains of the API key’s quota is less than this may cost',
  'wallet.empty': 'the account’s balance is less than this may cost',
  'gateway.no-channel': 'the gateway has no upstream for this model, or not at the moment',
  'gateway.no-price': 'the gateway has no price for this model',
  'gateway.unavailable': 'the gateway can not do it',
};

const HINTS: Partial<Readonly<Record<FaultCode, string>>> = {
  'key.refused':
    'It is unknown, disabled, expired or exhausted: the gateway does not say which. Look at the key there.',
  'key.model-not-allowed': 'Add it to the key’s models, or ask for one that `models()` lists.',
  'key.address-not-allowed': 'Add the address that the gateway sees to the key’s allowlist.',
  'key.group-not-allowed': 'Give the key a group that the account has.',
  'key.exhausted': 'Raise the key’s budget. The account’s balance is another matter.',
  'wallet.empty': 'Top the account up. Nothing is wrong with the key.',
  'gateway.no-channel': 'The gateway’s own settings tell which channels serve the model. Try again later.',
  'gateway.no-price': 'Set a price or a ratio for the model in the gateway.',
  'gateway.unavailable': 'The gateway, or an upstream of it, is overloaded or broken. Its own log says more.',
};

/** What was asked, and what came. */
export interface Refused {
  readonly request: HttpRequest;
  readonly answer: Answer;
  /** What the body says, where it is an error body. */
  readonly error: ErrorBody | undefined;
  /** The model that was asked for. */
  readonly model?: string | undefined;
}

/** The error in a body that is JSON; undefined: it is none. */
export const errorIn = (answer: Answer): ErrorBody | undefined => tryReadErrorBody(tryParseJson(answer.text));

/** Why it was refused, as a fault. May ask for the list of models, which is free. */
export async function refusalFault(line: InferenceLine, refused: Refused): Promise<Fault> {
  const { request, answer, error } = refused;
  if (isHtml(answer) && answer.status < 500) return notJsonFault(request, answer);
  const row = ROWS.find((candidate) => fits(candidate, answer.status, error?.code ?? '')) as Row;
  const findOut = row.findOut ?? (isUnclear(refused) ? 'key' : undefined);
  const found = findOut === undefined ? undefined : await restrictionOf(line, findOut, refused.model);
  return faultFor(line, found ?? row.fault, refused);
}

/** Token counting answers a bad key like a bad request. Contract: “Errors”. */
const isUnclear = ({ request, answer, error }: Refused): boolean =>
  answer.status === 400 && error?.type === 'invalid_request_error' && request.url.pathname.endsWith('/count_tokens');

function faultFor(line: InferenceLine, code: FaultCode, { request, answer, error, model }: Refused): Fault {
  const message = shownMessage(error?.message ?? '', secretsOf(line));
  const what = `${SAYS[code] ?? 'the gateway refuses'} (status ${answer.status}${describePage(answer)})`;
  const hint = HINTS[code] ?? (answer.status === 404 ? 'Check model, path and the gateway’s base address.' : undefined);
  return new Fault(code, `${nameOf(request)}: ${what}${message === '' ? '' : `: ${message}`}`, {
    ...(hint === undefined ? {} : { hint }),
    detail: {
      method: request.method,
      path: request.url.pathname,
      status: answer.status,
      sent: 'yes',
      ...(model === undefined ? {} : { model }),
      ...(error === undefined ? {} : { code: shownMessage(error.code, secretsOf(line)), message }),
      ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }),
    },
  });
}

/**
 * Which restriction of the key is the reason, told by the listing of models: refused too, it is the key, its address or
 * its group; without the model, it is the model. Undefined: none of these, or it can not be told.
 */
async function restrictionOf(
  line: InferenceLine,
  findOut: NonNullable<Row['findOut']>,
  model: string | undefined,
): Promise<FaultCode | undefined> {
  const listing = await line.http.send(requestOf(line, { endpoint: 'models', options: {} })).catch(() => undefined);
  if (listing === undefined || isHtml(listing)) return undefined;
  if (listing.status === 401) return 'key.refused';
  if (listing.status === 403) return errorIn(listing)?.code ? codedFault(listing) : 'key.group-not-allowed';
  const models = ModelsAnswer.safeParse(tryParseJson(listing.text));
  if (listing.status !== 200 || !models.success || findOut === 'key' || model === undefined) return undefined;
  return models.data.data.some(({ id }) => id === model) ? undefined : 'key.model-not-allowed';
}

/** What the code in a refusal says by itself. */
function codedFault(answer: Answer): FaultCode | undefined {
  const code = errorIn(answer)?.code;
  return ROWS.find((row) => row.code !== undefined && row.status === answer.status && row.code === code)?.fault;
}
