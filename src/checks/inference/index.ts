import type { CheckModuleEntry } from '../check-module.ts';
import { CHAT_MODULES } from './chat.ts';
import { COUNT_TOKENS_MODULE } from './count-tokens.ts';
import { EMBEDDINGS_MODULE } from './embeddings.ts';
import { NATIVE_EMBEDDING_MODULES } from './native-embeddings.ts';
import { RESPONSES_MODULES } from './responses.ts';

export const INFERENCE_MODULES: readonly CheckModuleEntry[] = [
  ...CHAT_MODULES,
  ...RESPONSES_MODULES,
  EMBEDDINGS_MODULE,
  ...NATIVE_EMBEDDING_MODULES,
  COUNT_TOKENS_MODULE,
];
