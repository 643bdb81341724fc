import type { FaultCode } from '../../domain/index.ts';
import type { CallOptions } from '../../gateway/index.ts';
import type { CheckContext } from '../check-module.ts';
import { isChatModel, isEmbeddingModel, isNativeEmbeddingModel } from '../model-kinds.ts';
import { type Accepted, type Rejection, rejectionOf } from './rejection-claims.ts';

const TEXT = 'keyplane';

/** Returns whether a request to a model costs next to nothing. Images and videos are expensive. */
export const isCheap = (model: string): boolean =>
  isEmbeddingModel(model) || isNativeEmbeddingModel(model) || isChatModel(model);

/** Sends the cheapest request that a model supports: it should be rejected, and must cost little if it is not. */
export async function sendCheapRequest(
  { inference, signal, headers = {} }: Pick<CheckContext, 'inference' | 'signal'> & Pick<CallOptions, 'headers'>,
  model: string,
): Promise<Accepted> {
  const options = { signal, headers };
  if (isNativeEmbeddingModel(model)) {
    const body = { content: { parts: [{ text: TEXT }] } };
    return { title: `embedding, ${model}`, body, answered: await inference.embedNative(model, body, options) };
  }
  if (isEmbeddingModel(model)) {
    const body = { model, input: TEXT };
    return { title: 'embeddings', body, answered: await inference.embed(body, options) };
  }
  const body = { model, messages: [{ role: 'user' as const, content: TEXT }], max_tokens: 1 };
  return { title: 'chat', body, answered: await inference.chat(body, options) };
}

/** A cheap model that the key could use if the gateway accepted it. */
export const tryFindCheapModel = ({ spec, key, otherModels }: CheckContext): string | undefined =>
  spec.model ?? (key.observed.models ?? otherModels).find(isCheap);

export const NO_MODEL = 'Keyplane knows no model that could be requested with the key';

/** Finds such a model where the gateway has no listing that could name one. */
export const findCheapModel = (context: CheckContext): string =>
  tryFindCheapModel(context) ??
  context.recorder.unprovable(NO_MODEL, {
    hint: 'The gateway lists no models: add one to the allowlist of this key or of another.',
  });

/** Rejections of the model or the request, which any key would meet: they prove nothing about this one. */
export const UNRELATED_TO_KEY: readonly FaultCode[] = ['gateway.no-channel', 'gateway.no-price', 'request.refused'];

/** Rejections after the rules about models and addresses: the key may send the request. */
export const AFTER_THE_RULES: readonly FaultCode[] = ['wallet.empty', 'key.exhausted', ...UNRELATED_TO_KEY];

/**
 * Sends a chat for which nothing can be generated: the gateway applies the rules of the key before it notices.
 *
 * @param note the end of its title in the report
 */
export async function sendEmptyChat(
  { inference, signal }: Pick<CheckContext, 'inference' | 'signal'>,
  model: string,
  note = '',
): Promise<Accepted> {
  const answered = await inference.chatWithoutMessages(model, { signal });
  return { title: `chat without messages, ${model}${note}`, body: null, answered };
}

export const isAboutKey = ({ code }: Rejection): boolean => !UNRELATED_TO_KEY.includes(code);

/** Returns the rejection of a paid request. Ends the check if the rejection is not about the key. */
export async function rejectionOfKey(
  context: CheckContext,
  send: () => Promise<Accepted>,
  proofs: readonly FaultCode[],
): Promise<Rejection | undefined> {
  const rejection = await rejectionOf(context, send, [...proofs, ...UNRELATED_TO_KEY]);
  if (rejection && !isAboutKey(rejection))
    context.recorder.unprovable(`the rejection is not about the key: ${rejection.message}`);
  return rejection;
}
