import type { FastifyRequest } from 'fastify';
import type { GatewayContext } from '../context.ts';
import { admit, usableModels } from '../keys/admission.ts';
import { type Answer, plainError } from '../server/answer.ts';
import { addressOf } from '../server/query.ts';
import { authorizationOf, tryFindKey } from './credential.ts';
import { answerRefusedUse } from './refusal.ts';

const MODEL = /^\/v1\/models\/([^/?]+)$/;
const UNIMPLEMENTED = /^\/v1\/files(\/[^/]+)?$/;

/** Answers paths of `/v1` that the contract does not have, for any key that may be used. Undefined for every other path. */
export function tryServeFurther(context: GatewayContext, request: FastifyRequest): Answer | undefined {
  const path = request.url.replace(/\?.*$/, '');
  const model = request.method === 'GET' ? MODEL.exec(path)?.[1] : undefined;
  if (!context.profile.hasFurtherPaths || (model === undefined && !UNIMPLEMENTED.test(path))) return undefined;
  const address = addressOf(request, context.profile.addressHeaders);
  const key = tryFindKey(context, authorizationOf(context, request));
  const admission = context.ledger.transact(() => admit(context, key, { address }));
  if ('refusal' in admission) return answerRefusedUse(context, admission.refusal);
  if (model === undefined)
    return plainError(501, {
      message: 'This path is not implemented',
      type: 'new_api_error',
      param: '',
      code: 'api_not_implemented',
    });
  if (usableModels(context, admission.account, admission.key).includes(model))
    return { status: 200, body: { id: model, object: 'model', created: 1626777600, owned_by: 'custom' } };
  // HTTP 200, so that clients must look at the body.
  return plainError(200, {
    message: `The model '${model}' does not exist`,
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_found',
  });
}
