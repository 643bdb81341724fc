import type { FaultCode } from '../../domain/index.ts';
import { embeds, embedsNatively, speaks } from '../model-kinds.ts';
import type { Trial } from '../module.ts';
import type { LetIn, Refusal } from './refusal-claims.ts';

const TEXT = 'keyplane';

/** Can a model be asked something that costs next to nothing, should it be let in? Pictures and films can not. */
export const isCheap = (model: string): boolean => embeds(model) || embedsNatively(model) || speaks(model);

/** The cheapest request that a model takes: it is to be refused, and must not hurt if it is not. */
export async function askCheaply(
  { inference, signal }: Pick<Trial, 'inference' | 'signal'>,
  model: string,
): Promise<LetIn> {
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

/** Refusals of the model or of the request: they would meet any key, and prove nothing of this one. */
export const NOT_OF_THE_KEY: readonly FaultCode[] = ['gateway.no-channel', 'gateway.no-price', 'request.refused'];

export const isAboutKey = ({ code }: Refusal): boolean => !NOT_OF_THE_KEY.includes(code);
