import type { RequestIssue } from '../../wire/index.ts';
import type { GatewayContext } from '../context.ts';
import type { UseRefusal } from '../keys/admission.ts';
import { REQUEST_ID_LENGTH, randomText } from '../random.ts';
import type { Answer } from '../server/answer.ts';
import { useRefusedAnswer } from './refused-use.ts';
import type { InferenceRequest, RequestError } from './request.ts';

/** Token counting has an error shape of its own. Contract: “Errors”. */
function shapeFor(request: Pick<InferenceRequest, 'endpoint'>, answer: Answer): Answer {
  if (request.endpoint !== 'countTokens') return answer;
  const { message } = (answer.body as { error: { message: string } }).error;
  return { ...answer, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
}

/** A use that key, wallet or model do not allow. */
export const refuseUse = (
  context: GatewayContext,
  request: Pick<InferenceRequest, 'endpoint'>,
  refusal: UseRefusal,
): Answer => shapeFor(request, useRefusedAnswer(context, refusal));

/** A request that can not be served as it is. */
export function refuseRequest(
  context: GatewayContext,
  request: Pick<InferenceRequest, 'endpoint'>,
  { message, status, code }: Omit<RequestError, keyof Error> & { message: string },
): Answer {
  const error = context.profile.inferenceError(message, code, randomText(context.random, REQUEST_ID_LENGTH));
  return shapeFor(request, { status, body: { error } });
}

/** A request that breaks limits of the contract: all of them are told. */
export function refuseInvalid(
  context: GatewayContext,
  request: Pick<InferenceRequest, 'endpoint'>,
  issues: readonly RequestIssue[],
): Answer {
  const message = issues.map(({ path, message: text }) => `${path === '' ? 'the body' : path}: ${text}`).join('; ');
  return refuseRequest(context, request, { status: 400, code: 'invalid_request', message });
}
