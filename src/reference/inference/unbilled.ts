import { readRequestMedia } from '../../media/index.ts';
import { requestIssues, TOKEN_COUNTING } from '../../wire/index.ts';
import type { Site } from '../context.ts';
import { miscounted } from '../failures/tokens.ts';
import { admit, usableModels } from '../keys/admission.ts';
import type { Answer } from '../server/answer.ts';
import { keyBehind } from './credential.ts';
import { invalidRequest, refusedUseOf } from './refusal.ts';
import type { InferenceCall } from './request.ts';
import { inputTokens } from './token-count.ts';

/** What costs nothing: any key that is let in may ask. */
export type FreeHandler = (site: Site, call: InferenceCall) => Promise<Answer>;

const admission = (site: Site, call: InferenceCall, model?: string) =>
  site.ledger.transact(() => admit(site, keyBehind(site, call), { address: call.address, model }));

/** `GET /v1/models`: only what this key may use. */
export const models: FreeHandler = async (site, call) => {
  const admitted = admission(site, call);
  if ('refusal' in admitted) return refusedUseOf(site, call, admitted.refusal);
  return { status: 200, body: site.profile.models(usableModels(site, admitted.account, admitted.key)) };
};

/** `POST /v1/messages/count_tokens`: no quota, no model call, no log entry. */
export const countTokens: FreeHandler = async (site, call) => {
  const given = (call.body as { model?: unknown } | undefined)?.model;
  const model = typeof given === 'string' && given !== '' ? given : undefined;
  const admitted = admission(site, call, model);
  if ('refusal' in admitted) return refusedUseOf(site, call, admitted.refusal);
  const body = call.body ?? {};
  const issues = requestIssues(TOKEN_COUNTING, body, { knownOf: await readRequestMedia(TOKEN_COUNTING, body) });
  if (issues.length > 0) return invalidRequest(site, call, issues);
  const tokens = inputTokens(body as Parameters<typeof inputTokens>[0]);
  return { status: 200, body: { input_tokens: miscounted(tokens, call.sabotage) } };
};
