import * as z from 'zod';
import type { Family } from '../../family.ts';

/** Length of the vectors of each model, which is the most that can be asked for. Contract: “Limits”, embedding dimensions. */
export const EMBEDDING_DIMENSIONS = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
} as const;

/** Vectors of these have one length; the others can be shortened. */
const FIXED_LENGTH: readonly string[] = ['text-embedding-ada-002'];

const TokenNumbers = z.array(z.int().min(0)).min(1);

/** Contract: “Embeddings (list format)”. Texts as token numbers are OpenAI's, whose clients send them. */
export const EmbeddingsRequest = z.looseObject({
  model: z.string().min(1),
  input: z
    .union([z.string(), z.array(z.string()).min(1), TokenNumbers, z.array(TokenNumbers).min(1)])
    .describe('a text or a list of texts, each also as its token numbers'),
  encoding_format: z.enum(['float', 'base64']).optional(),
  dimensions: z.int().min(1).optional(),
});
export type EmbeddingsRequest = z.input<typeof EmbeddingsRequest>;

const sizes = Object.entries(EMBEDDING_DIMENSIONS);

const renderSize = ([model, size]: readonly [string, number]): string =>
  `\`${model}\`: ${FIXED_LENGTH.includes(model) ? '' : 'at most '}${size}`;

function wrongSize({ dimensions }: EmbeddingsRequest, model: string): string | undefined {
  const size = sizes.find(([name]) => name === model)?.[1];
  if (dimensions === undefined || size === undefined) return undefined;
  if (FIXED_LENGTH.includes(model)) return dimensions === size ? undefined : `must be ${size} for ${model}`;
  return dimensions > size ? `too big: at most ${size} for ${model}` : undefined;
}

export const EMBEDDINGS: Family<EmbeddingsRequest> = {
  id: 'embeddings',
  title: 'Embeddings (list format)',
  endpoint: 'embeddings',
  form: 'json',
  models: { known: Object.keys(EMBEDDING_DIMENSIONS) },
  body: EmbeddingsRequest,
  rules: [{ field: 'dimensions', limit: sizes.map(renderSize).join('; '), check: wrongSize }],
  media: [],
};
