import { z } from 'zod';
import type { Family } from '../family.ts';

export const NativeEmbeddingRequest = z.looseObject({});
export type NativeEmbeddingRequest = z.input<typeof NativeEmbeddingRequest>;

export const NATIVE_EMBEDDING: Family<NativeEmbeddingRequest> = {
  id: 'native-embedding',
  title: 'Embeddings (native format)',
  endpoint: 'embedContent',
  form: 'json',
  body: NativeEmbeddingRequest,
  rules: [],
  media: [],
};

export const NativeEmbeddingBatch = z.looseObject({ requests: z.array(NativeEmbeddingRequest) });
export type NativeEmbeddingBatch = z.input<typeof NativeEmbeddingBatch>;

export const NATIVE_EMBEDDING_BATCH: Family<NativeEmbeddingBatch> = {
  id: 'native-embedding-batch',
  title: 'Embeddings (native format, batch)',
  endpoint: 'batchEmbedContents',
  form: 'json',
  body: NativeEmbeddingBatch,
  rules: [],
  media: [],
};
