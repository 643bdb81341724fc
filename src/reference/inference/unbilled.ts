import { readRequestMedia } from '../../media/index.ts';
import { requestIssues, TOKEN_COUNTING } from '../../wire/index.ts';
import type { GatewayContext } from '../context.ts';
import { miscountTokens } from '../failures/tokens.ts';
import { admit, usableModels } from '../keys/admission.ts';
import type { Answer } from '../server/answer.ts';
import { findRequestKey } from './credential.ts';
import { refuseInvalid, refuseUse } from './refusal.ts';
import type { InferenceRequest } from './request.ts';
import { inputTokens } from './token-count.ts';

/** What costs nothing: any key that is let in may ask. */
export type UnbilledHandler = (context: GatewayContext, request: InferenceRequest) => Promise<Answer>;

const admission = (context: GatewayContext, request: InferenceRequest, model?: string) =>
  context.ledger.transact(() => admit(context, findRequestKey(context, request), { address: request.address, model }));

/** `GET /v1/models`: only what this key may use. */
export const models: UnbilledHandler = async (context, request) => {
  const admitted = admission(context, request);
  if ('refusal' in admitted) return refuseUse(context, request, admitted.refusal);
  return { status: 200, body: context.profile.models(usableModels(context, admitted.account, admitted.key)) };
};

/** `POST /v1/messages/count_tokens`: no quota, no model call, no log entry. */
export const countTokens: UnbilledHandler = async (context, request) => {
  const given = (request.body as { model?: unknown } | undefined)?.model;
  const model = typeof given === 'string' && given !== '' ? given : undefined;
  const admitted = admission(context, request, model);
  if ('refusal' in admitted) return refuseUse(context, request, admitted.refusal);
  const body = request.body ?? {};
  const issues = requestIssues(TOKEN_COUNTING, body, { knownOf: await readRequestMedia(TOKEN_COUNTING, body) });
  if (issues.length > 0) return refuseInvalid(context, request, issues);
  const tokens = inputTokens(body as Parameters<typeof inputTokens>[0]);
  return { status: 200, body: { input_tokens: miscountTokens(tokens, request.failure) } };
};
