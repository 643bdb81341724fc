import { EMBEDDING_DIMENSIONS, findFamily, NATIVE_IMAGE_MODELS, tryFindFamily } from '../wire/index.ts';

/** Names of models that produce or read something other than text. Only the name reveals it. */
const OTHER_THAN_CHAT = /embed|image|imagine|video|film|tts|whisper|speech|audio|rerank|moderation|dall-e|sora|veo/i;

const NATIVE_EMBEDDERS = findFamily('native-embedding').models?.known ?? [];

const isMedia = (model: string): boolean =>
  tryFindFamily('generateImages', model) !== undefined ||
  tryFindFamily('editImages', model) !== undefined ||
  tryFindFamily('submitVideo', model) !== undefined ||
  Object.hasOwn(NATIVE_IMAGE_MODELS, model);

/** Returns whether a model answers with text. */
export const isChatModel = (model: string): boolean => !OTHER_THAN_CHAT.test(model) && !isMedia(model);

export const isNativeEmbeddingModel = (model: string): boolean =>
  NATIVE_EMBEDDERS.includes(model) || model.startsWith('eta-embedding');

export const isEmbeddingModel = (model: string): boolean =>
  Object.hasOwn(EMBEDDING_DIMENSIONS, model) || (/embed/i.test(model) && !isNativeEmbeddingModel(model));
