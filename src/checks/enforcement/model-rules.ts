import { asFault } from '../../domain/index.ts';
import type { Answered } from '../../gateway/index.ts';
import { WITHOUT_LISTING } from '../model-choice.ts';
import type { Trial } from '../module.ts';
import { askCheaply, isAboutKey, isCheap, NOT_OF_THE_KEY } from './cheap-request.ts';
import { claimRefused, refusalOf } from './refusal-claims.ts';

const named = (models: readonly string[]): string =>
  models.length > 8 ? `${models.slice(0, 8).join(', ')} and ${models.length - 8} more` : models.join(', ');

const orNone = (models: readonly string[]): string => (models.length === 0 ? 'none' : named(models));

/** Contract: “the path of the model listing endpoint is not shown”. */
async function listing({ inference, exam, signal }: Trial): Promise<Answered<readonly string[]>> {
  try {
    return await inference.models({ signal });
  } catch (thrown) {
    const { code, message } = asFault(thrown);
    if (!WITHOUT_LISTING.has(code)) throw thrown;
    return exam.unprovable(`the gateway lists no models: ${message}`);
  }
}

/** The gateway lists for the key just what its allowlist says. */
export async function examineModelList(trial: Trial): Promise<void> {
  const { exam, key } = trial;
  const answered = await listing(trial);
  exam.exchange('models', null, answered);
  const listed = answered.value;
  exam.claim('the gateway lists models for the key', listed.length > 0, orNone(listed));
  const allowed = key.observed.models;
  if (allowed === null) return;
  const missing = allowed.filter((model) => !listed.includes(model));
  const more = listed.filter((model) => !allowed.includes(model));
  exam.claim('every model of its allowlist is listed', missing.length === 0, `missing: ${orNone(missing)}`);
  exam.claim('no other model is listed', more.length === 0, `as well: ${orNone(more)}`);
}

/** A model that the key may not use: the one that was named, else one that other keys have. */
function forbiddenModel({ spec, exam, key, otherModels }: Trial): string {
  const allowed = key.observed.models;
  if (allowed === null) return exam.skip('the key may use any model');
  if (spec.model !== undefined) {
    if (allowed.includes(spec.model)) return exam.skip(`${spec.model} is in the key’s allowlist`);
    return spec.model;
  }
  const found = otherModels.find((model) => !allowed.includes(model) && isCheap(model));
  return (
    found ??
    exam.unprovable('no model is known that the key may not use', 'Name one with `model` in a definition of the check.')
  );
}

export async function examineForbiddenModel(trial: Trial): Promise<void> {
  const model = forbiddenModel(trial);
  const refusal = await refusalOf(trial, () => askCheaply(trial, model), ['key.model-not-allowed', ...NOT_OF_THE_KEY]);
  // Of a model that nobody is served, nothing can be said of the key.
  if (refusal && !isAboutKey(refusal))
    trial.exam.unprovable(`${model} is not refused because of the key: ${refusal.message}`);
  claimRefused(trial, `${model}, which is not in its allowlist, is refused`, refusal);
}
