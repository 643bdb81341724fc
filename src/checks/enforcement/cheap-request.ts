import { embeds, embedsNatively, speaks } from '../model-kinds.ts';
import type { Trial } from '../module.ts';

const TEXT = 'keyplane';

/** Can a model be asked something that costs next to nothing, should it be let in? Pictures and films can not. */
export const isCheap = (model: string): boolean => embeds(model) || embedsNatively(model) || speaks(model);

/** The cheapest request that a model takes: it is to be refused, and must not hurt if it is not. */
export function askCheaply(
  { inference, signal }: Pick<Trial, 'inference' | 'signal'>,
  model: string,
): Promise<unknown> {
  if (embedsNatively(model)) return inference.embedNative(model, { content: { parts: [{ text: TEXT }] } }, { signal });
  if (embeds(model)) return inference.embed({ model, input: TEXT }, { signal });
  return inference.chat({ model, messages: [{ role: 'user', content: TEXT }], max_tokens: 1 }, { signal });
}
