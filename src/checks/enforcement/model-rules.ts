import { asFault, type FaultCode } from '../../domain/index.ts';
import type { Answered } from '../../gateway/index.ts';
import type { Trial } from '../check-module.ts';
import { listedModels, WITHOUT_LISTING } from '../run/model-choice.ts';
import { askCheaply, isCheap, NOT_OF_THE_KEY } from './cheap-request.ts';
import { type Accepted, claimRejected, type Rejection, rejectionOf } from './refusal-claims.ts';

const named = (models: readonly string[]): string =>
  models.length > 8 ? `${models.slice(0, 8).join(', ')} and ${models.length - 8} more` : models.join(', ');

const orNone = (models: readonly string[]): string => (models.length === 0 ? 'none' : named(models));

/** Contract: “the path of the model listing endpoint is not shown”. */
async function listing({ inference, recorder, signal }: Trial): Promise<Answered<readonly string[]>> {
  try {
    return await inference.models({ signal });
  } catch (thrown) {
    const { code, message } = asFault(thrown);
    if (!WITHOUT_LISTING.has(code)) throw thrown;
    return recorder.unprovable(`the gateway lists no models: ${message}`);
  }
}

/** The gateway lists for the key just what its allowlist says. */
export async function checkModelList(trial: Trial): Promise<void> {
  const { recorder, key } = trial;
  const answered = await listing(trial);
  recorder.exchange('models', null, answered);
  const listed = answered.value;
  recorder.claim('the gateway lists models for the key', listed.length > 0, orNone(listed));
  const allowed = key.observed.models;
  if (allowed === null) return;
  const missing = allowed.filter((model) => !listed.includes(model));
  const more = listed.filter((model) => !allowed.includes(model));
  recorder.claim('every model of its allowlist is listed', missing.length === 0, `missing: ${orNone(missing)}`);
  recorder.claim('no other model is listed', more.length === 0, `as well: ${orNone(more)}`);
}

/** A model that the key may not use: the one that was named, else one that other keys have. */
function forbiddenModel({ spec, recorder, key, otherModels }: Trial): string {
  const allowed = key.observed.models;
  if (allowed === null) return recorder.skip('the key may use any model');
  if (spec.model !== undefined) {
    if (allowed.includes(spec.model)) return recorder.skip(`${spec.model} is in the key’s allowlist`);
    return spec.model;
  }
  const found = otherModels.find((model) => !allowed.includes(model) && isCheap(model));
  return found ?? recorder.unprovable('no model is known that the key may not use', { remedy: 'name-model' });
}

/** Nobody is refused so for the model: who gets this far may use it. */
const BEYOND_THE_RULE: readonly FaultCode[] = ['wallet.empty', 'key.exhausted', ...NOT_OF_THE_KEY];

const REJECTED: readonly FaultCode[] = ['key.model-not-allowed', 'gateway.refused'];

/** A model of the allowlist. */
const allowedModel = ({ key, recorder }: Trial, forbidden: string): string =>
  key.observed.models?.[0] ??
  recorder.unprovable(`the rejection of ${forbidden} gives no reason, and the key has no model to compare`);

/** Whatever a model is for, its tokens can be asked for: that costs nothing, and the rule comes before the answer. */
async function askAllowed({ inference, signal }: Trial, model: string): Promise<Accepted> {
  const body = { model, messages: [{ role: 'user' as const, content: 'keyplane' }] };
  return { title: 'token count', body, answered: await inference.countTokens(body, { signal }) };
}

/** A 403 without a reason may meet any request, of a firewall for one: then a model that is allowed is refused as well. */
async function compare(trial: Trial, forbidden: string): Promise<void> {
  const model = allowedModel(trial, forbidden);
  const ask = async (): Promise<Accepted> => {
    const letIn = await askAllowed(trial, model);
    return { ...letIn, title: `${letIn.title}, ${model} of its allowlist` };
  };
  const rejection = await rejectionOf(trial, ask, [...BEYOND_THE_RULE, ...REJECTED, 'gateway.unavailable']);
  if (rejection && !BEYOND_THE_RULE.includes(rejection.code)) {
    trial.recorder.unprovable(`${model}, which is in its allowlist, is not answered either: ${rejection.message}`);
  }
}

/** Ends the check of a rejection that may have another reason than the allowlist. */
async function wantReason(trial: Trial, model: string, { code, message, isBare }: Rejection): Promise<void> {
  const { recorder, inference, signal } = trial;
  // Of a model that nobody is served, nothing can be said of the key.
  if (!isBare) recorder.unprovable(`${model} is not refused because of the key: ${message}`);
  // The client infers the rule from a listing without the model. Elsewhere there is none, or it has the model.
  if (code === 'gateway.refused' && (await listedModels(inference, { signal })).includes(model)) {
    recorder.unprovable(`the gateway lists ${model} for the key: its rejection may have another reason`);
  }
  await compare(trial, model);
}

export async function checkForbiddenModel(trial: Trial): Promise<void> {
  const model = forbiddenModel(trial);
  const rejection = await rejectionOf(trial, () => askCheaply(trial, model), [...REJECTED, ...NOT_OF_THE_KEY]);
  if (rejection) await wantReason(trial, model, rejection);
  claimRejected(trial, `${model}, which is not in its allowlist, is refused`, rejection);
}
