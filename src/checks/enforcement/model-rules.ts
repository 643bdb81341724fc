import { asFault, type FaultCode } from '../../domain/index.ts';
import type { Answered } from '../../gateway/index.ts';
import type { CheckContext } from '../check-module.ts';
import { listedModels, WITHOUT_LISTING } from '../run/model-choice.ts';
import { AFTER_THE_RULES, isCheap, sendCheapRequest, sendEmptyChat, UNRELATED_TO_KEY } from './cheap-request.ts';
import { type Accepted, claimRejected, type Rejection, rejectionOf } from './rejection-claims.ts';

const shorten = (models: readonly string[]): string =>
  models.length > 8 ? `${models.slice(0, 8).join(', ')} and ${models.length - 8} more` : models.join(', ');

const orNone = (models: readonly string[]): string => (models.length === 0 ? 'none' : shorten(models));

/** Contract: “the path of the model listing endpoint is not shown”. */
async function listModels({ inference, recorder, signal }: CheckContext): Promise<Answered<readonly string[]>> {
  try {
    return await inference.models({ signal });
  } catch (thrown) {
    const { code, message } = asFault(thrown);
    if (!WITHOUT_LISTING.has(code)) throw thrown;
    return recorder.unprovable(`the gateway lists no models: ${message}`);
  }
}

/** Checks that the gateway lists exactly the models of the allowlist. */
export async function checkModelList(context: CheckContext): Promise<void> {
  const { recorder, key } = context;
  const answered = await listModels(context);
  recorder.exchange('models', null, answered);
  const listed = answered.value;
  recorder.claim('the gateway lists models for the key', listed.length > 0, orNone(listed));
  const allowed = key.observed.models;
  if (allowed === null) return;
  const missing = allowed.filter((model) => !listed.includes(model));
  const extra = listed.filter((model) => !allowed.includes(model));
  recorder.claim('every model of its allowlist is listed', missing.length === 0, `missing: ${orNone(missing)}`);
  recorder.claim('no other model is listed', extra.length === 0, `also: ${orNone(extra)}`);
}

/** A model that the key may not use: the one of the definition, or a cheap one of another key. */
function findForbiddenModel({ spec, recorder, key, otherModels }: CheckContext): string {
  const allowed = key.observed.models;
  if (allowed === null) return recorder.skip('the key may use any model');
  if (spec.model !== undefined) {
    if (allowed.includes(spec.model)) return recorder.skip(`${spec.model} is in the key’s allowlist`);
    return spec.model;
  }
  const found = otherModels.find((model) => !allowed.includes(model) && isCheap(model));
  return found ?? recorder.unprovable('Keyplane knows no model that the key may not use', { remedy: 'name-model' });
}

const REJECTED: readonly FaultCode[] = ['key.model-not-allowed', 'gateway.refused'];

const findAllowedModel = ({ key, recorder }: CheckContext, forbidden: string): string =>
  key.observed.models?.[0] ??
  recorder.unprovable(`the rejection of ${forbidden} gives no reason, and the key has no model to compare`);

/** Counts tokens, which any model supports and which is free: the gateway applies the rule before it answers. */
async function countTokens({ inference, signal }: CheckContext, model: string): Promise<Accepted> {
  const body = { model, messages: [{ role: 'user' as const, content: 'keyplane' }] };
  const answered = await inference.countTokens(body, { signal });
  return { title: `token count, ${model} of its allowlist`, body, answered };
}

/**
 * Returns whether the answer comes from no count: the gateway has no such endpoint, or sends the request to a channel that
 * takes it for a chat, as a build of new-api of August 2026 does with channels of OpenAI.
 */
const isUncounted = (answer: Rejection | undefined): boolean =>
  answer !== undefined && (answer.isAbsent || answer.code === 'gateway.unexpected-shape');

/**
 * Compares with an allowed model. Something else, such as a firewall, may answer every request with a 403 without a
 * reason: then it rejects the allowed model, too.
 */
async function compareWithAllowed(context: CheckContext, forbidden: string): Promise<void> {
  const model = findAllowedModel(context, forbidden);
  const answers = [...AFTER_THE_RULES, ...REJECTED, 'gateway.unavailable' as const];
  const counted = await rejectionOf(context, () => countTokens(context, model), [
    ...answers,
    'gateway.unexpected-shape',
  ]);
  // A rejection of another kind shows that the rule lets the model pass.
  const compared = isUncounted(counted)
    ? await rejectionOf(context, () => sendEmptyChat(context, model, ' of its allowlist'), answers)
    : counted;
  if (compared && !AFTER_THE_RULES.includes(compared.code)) {
    context.recorder.unprovable(`${model}, which is in its allowlist, is rejected as well: ${compared.message}`);
  }
}

/** Ends the check if the rejection may have another reason than the allowlist. */
async function requireReason(
  context: CheckContext,
  model: string,
  { code, message, isBare }: Rejection,
): Promise<void> {
  const { recorder, inference, signal } = context;
  // The gateway rejects the model for every key.
  if (!isBare && code !== 'key.model-not-allowed')
    recorder.unprovable(`the rejection of ${model} is not about the key: ${message}`);
  // The client infers the rule from a listing without the model. Elsewhere there is none, or it has the model.
  if (code === 'gateway.refused' && (await listedModels(inference, { signal })).includes(model)) {
    recorder.unprovable(`the gateway lists ${model} for the key: the rejection may have another reason`);
  }
  await compareWithAllowed(context, model);
}

/** Checks that the gateway rejects a model outside the allowlist. */
export async function checkForbiddenModel(context: CheckContext): Promise<void> {
  const model = findForbiddenModel(context);
  const answers = [...REJECTED, ...UNRELATED_TO_KEY];
  const rejection = await rejectionOf(context, () => sendCheapRequest(context, model), answers);
  if (rejection) await requireReason(context, model, rejection);
  claimRejected(context, `the gateway rejects ${model}, which is not in its allowlist`, rejection);
}
