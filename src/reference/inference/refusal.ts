import { Fault } from '../../domain/index.ts';
import { type RequestDiagnostic, renderRequestDiagnostic, requestError } from '../../wire/index.ts';
import type { GatewayContext } from '../context.ts';
import { propertiesOf } from '../json-object.ts';
import type { UseRefusal } from '../keys/admission.ts';
import type { DeniedInference } from '../profiles/profile.ts';
import { REQUEST_ID_LENGTH, randomText } from '../random.ts';
import { type Answer, plainError } from '../server/answer.ts';
import { type RefusedRequest, RequestError } from './request.ts';

interface DeniedUse extends Omit<DeniedInference, 'requestId' | 'origin'>, Partial<Pick<DeniedInference, 'origin'>> {
  readonly status: number;
}

/**
 * The answers to refused uses. The contract leaves the statuses open; these are the ones of deployed gateways. All
 * problems with the key itself look the same, so that nobody learns which keys exist.
 */
const REFUSALS: { readonly [R in UseRefusal]: DeniedUse } = {
  invalidKey: { status: 401, message: 'Invalid token', code: '' },
  addressDenied: { status: 403, message: 'Your IP address is not allowed to use this key', code: 'access_denied' },
  userBanned: { status: 403, message: 'The user is banned', code: '' },
  groupDenied: { status: 403, message: 'The key may not use its group', code: '' },
  channelDenied: { status: 403, message: 'Only administrators may choose a channel', code: '' },
  modelDenied: { status: 403, message: 'The key may not use this model', code: '' },
  noChannel: { status: 503, message: 'No channel is available for this model', code: 'model_not_found' },
  noPrice: { status: 400, message: 'The model has no price', code: 'model_price_error', origin: 'relay' },
  walletEmpty: {
    status: 403,
    message: "The account's balance is too low",
    code: 'insufficient_user_quota',
    origin: 'relay',
  },
  keyQuotaLow: {
    status: 403,
    message: "The key's remaining quota is too low",
    code: 'pre_consume_token_quota_failed',
    origin: 'relay',
  },
};

export function answerRefusedUse(context: GatewayContext, refusal: UseRefusal): Answer {
  const { status, origin = 'door', ...refusalBody } = REFUSALS[refusal];
  const requestId = randomText(context.random, REQUEST_ID_LENGTH);
  return plainError(status, context.profile.inferenceError({ ...refusalBody, origin, requestId }));
}

/** Token counting has an error shape of its own (contract: “Errors”), and on some gateways the submission of videos. */
function shapeFor(context: GatewayContext, request: RefusedRequest, answer: Answer): Answer {
  const { translated } = request;
  if (translated)
    return { ...answer, body: translated.format.fromError(propertiesOf(propertiesOf(answer.body).error)) };
  if (request.endpoint === 'submitVideo' && context.profile.taskShape === 'enveloped') {
    const { code, message } = propertiesOf(propertiesOf(answer.body).error);
    return { ...answer, body: { code, message, data: null } };
  }
  if (request.endpoint !== 'countTokens') return answer;
  const { message } = propertiesOf(propertiesOf(answer.body).error);
  return { ...answer, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
}

const isAtDoor = (refusal: UseRefusal): boolean => (REFUSALS[refusal].origin ?? 'door') === 'door';

/** Answers a use that the key, the wallet or the model does not allow. */
export const refuseUse = (context: GatewayContext, request: RefusedRequest, refusal: UseRefusal): Answer =>
  // A use that is refused at the door never reaches what handles videos or translates requests.
  request.endpoint === 'submitVideo' || (request.translated && isAtDoor(refusal))
    ? answerRefusedUse(context, refusal)
    : shapeFor(context, request, answerRefusedUse(context, refusal));

/** The refusal of a request at which the gateway itself fails. */
export const internalError = (): RequestError => new RequestError('internal error', { status: 500, code: 'defect' });

/** Answers a request that cannot be served. */
export function refuseRequest(
  context: GatewayContext,
  request: RefusedRequest,
  { message, status, code, origin = 'relay' }: DeniedUse,
): Answer {
  const requestId = randomText(context.random, REQUEST_ID_LENGTH);
  const error = context.profile.inferenceError({ message, code, requestId, origin });
  const answer: Answer = { status, body: { error } };
  return request.translated && origin === 'door' ? answer : shapeFor(context, request, answer);
}

/** Passes on the refusal of an upstream. */
export const passRefusal = (request: RefusedRequest, { status, theirs = {} }: RequestError): Answer => ({
  status,
  body: request.translated ? request.translated.format.fromError(theirs) : { error: theirs },
});

/** Answers a request to an endpoint for other kinds of models. */
export const refuseKind = (context: GatewayContext, request: RefusedRequest, model: string): Answer =>
  refuseRequest(context, request, new RequestError(`The model ${model} takes no requests of this kind`));

/** Answers a request that names no model. */
export const refuseWithoutModel = (context: GatewayContext, request: RefusedRequest): Answer =>
  refuseRequest(context, request, {
    status: 400,
    code: 'invalid_request',
    message: renderRequestDiagnostic(requestError(['model'], 'is missing')),
    origin: 'door',
  });

/** The parts of a chat that a gateway reads itself. */
const UNSERVABLE: ReadonlySet<string> = new Set(['messages', 'max_tokens']);

/** Answers a request that breaks limits of the contract, and lists all of them. */
export function refuseInvalid(
  context: GatewayContext,
  request: RefusedRequest,
  diagnostics: readonly RequestDiagnostic[],
): Answer {
  const message = diagnostics.map(renderRequestDiagnostic).join('; ');
  const isUnservable = request.endpoint === 'chat' && diagnostics.some(({ path }) => UNSERVABLE.has(path.join('.')));
  return isUnservable
    ? refuseRequest(context, request, { status: context.profile.unservableStatus, code: 'invalid_request', message })
    : refuseRequest(context, request, { status: 400, code: 'invalid_request', message, origin: 'upstream' });
}

/** The refusal that was thrown, or the one for a package that is not installed; undefined for a defect. */
export function tryRefusalOf(thrown: unknown): RequestError | undefined {
  if (thrown instanceof RequestError) return thrown;
  if (!(thrown instanceof Fault) || thrown.code !== 'tool.missing-package') return undefined;
  return new RequestError(`${thrown.message} ${thrown.hint ?? ''}`.trim(), { status: 501, code: 'missing_package' });
}
