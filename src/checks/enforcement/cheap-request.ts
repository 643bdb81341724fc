import type { FaultCode } from '../../domain/index.ts';
import type { Trial } from '../check-module.ts';
import { embeds, embedsNatively, speaks } from '../model-kinds.ts';
import { type Accepted, type Rejection, rejectionOf } from './refusal-claims.ts';

const TEXT = 'keyplane';

/** Can a model be asked something that costs next to nothing, should it be let in? Pictures and films can not. */
export const isCheap = (model: string): boolean => embeds(model) || embedsNatively(model) || speaks(model);

/** The cheapest request that a model takes: it is to be refused, and must not hurt if it is not. */
export async function askCheaply(
  { inference, signal }: Pick<Trial, 'inference' | 'signal'>,
  model: string,
): Promise<Accepted> {
  if (embedsNatively(model)) {
    const body = { content: { parts: [{ text: TEXT }] } };
    return { title: `embedding, ${model}`, body, answered: await inference.embedNative(model, body, { signal }) };
  }
  if (embeds(model)) {
    const body = { model, input: TEXT };
    return { title: 'embeddings', body, answered: await inference.embed(body, { signal }) };
  }
  const body = { model, messages: [{ role: 'user' as const, content: TEXT }], max_tokens: 1 };
  return { title: 'chat', body, answered: await inference.chat(body, { signal }) };
}

/** A model that the key could ask if it were let in. */
export const knownModel = ({ spec, key, otherModels }: Trial): string | undefined =>
  spec.model ?? (key.observed.models ?? otherModels).find(isCheap);

export const NO_MODEL = 'no model is known that the key could be asked for';

/** Such a model, where the gateway has no listing that could name one. */
export const findKnownModel = (trial: Trial): string =>
  knownModel(trial) ??
  trial.recorder.unprovable(NO_MODEL, {
    hint: 'The gateway lists no models: put one into the allowlist of this key or of another.',
  });

/** Refusals of the model or of the request: they would meet any key, and prove nothing of this one. */
export const NOT_OF_THE_KEY: readonly FaultCode[] = ['gateway.no-channel', 'gateway.no-price', 'request.refused'];

export const isAboutKey = ({ code }: Rejection): boolean => !NOT_OF_THE_KEY.includes(code);

/** How a key is refused what costs. Ends the check where that says nothing of the key. */
export async function rejectionOfKey(
  trial: Trial,
  ask: () => Promise<Accepted>,
  proofs: readonly FaultCode[],
): Promise<Rejection | undefined> {
  const rejection = await rejectionOf(trial, ask, [...proofs, ...NOT_OF_THE_KEY]);
  if (rejection && !isAboutKey(rejection))
    trial.recorder.unprovable(`it is not refused because of the key: ${rejection.message}`);
  return rejection;
}
