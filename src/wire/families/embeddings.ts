import { z } from 'zod';
import type { Family } from '../family.ts';

export const EmbeddingsRequest = z.looseObject({ model: z.string().min(1) });
export type EmbeddingsRequest = z.input<typeof EmbeddingsRequest>;

export const EMBEDDINGS: Family<EmbeddingsRequest> = {
  id: 'embeddings',
  title: 'Embeddings (list format)',
  endpoint: 'embeddings',
  form: 'json',
  body: EmbeddingsRequest,
  rules: [],
  media: [],
};
