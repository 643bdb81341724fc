import * as z from 'zod';
import { type Family, mustNotBeSent } from '../../family.ts';
import type { BrokenLimit } from '../../request-diagnostic.ts';

/** Both are known to support `outputDimensionality`, and no other is. */
const MODELS: readonly string[] = ['eta-embedding-001', 'text-embedding-004'];

const SPOKEN = 'at least one text that is not empty';
const IN_PATH = 'must not be sent: the model is in the path';
const SIZED = `only for ${MODELS.map((model) => `\`${model}\``).join(', ')}`;

/** Contract: “Embeddings (native format)”. The name of the task type's field is one of its gaps; this one is the vendor's. */
export const NativeEmbeddingRequest = z.looseObject({
  content: z.looseObject({
    parts: z
      .array(z.looseObject({ text: z.string() }))
      .refine((parts) => parts.some(({ text }) => text !== ''), { message: `must hold ${SPOKEN}` })
      .describe(SPOKEN),
  }),
  outputDimensionality: z.int().min(1).optional(),
  taskType: z.string().optional().describe('for example `RETRIEVAL_DOCUMENT`, `RETRIEVAL_QUERY`'),
});
export type NativeEmbeddingRequest = z.input<typeof NativeEmbeddingRequest>;

const isFixed = (model: string): boolean => !MODELS.includes(model);
const noModel = mustNotBeSent<NativeEmbeddingRequest>('model', IN_PATH);
const noSize = mustNotBeSent<NativeEmbeddingRequest>('outputDimensionality', SIZED, isFixed);

export const NATIVE_EMBEDDING: Family<NativeEmbeddingRequest> = {
  id: 'native-embedding',
  title: 'Embeddings (native format)',
  endpoint: 'embedContent',
  form: 'json',
  models: { known: MODELS },
  body: NativeEmbeddingRequest,
  rules: [noModel, noSize],
  media: [],
};

export const NativeEmbeddingBatch = z.looseObject({ requests: z.array(NativeEmbeddingRequest).min(1) });
export type NativeEmbeddingBatch = z.input<typeof NativeEmbeddingBatch>;

/** A rule of a single request, for each of them. */
const ofEach = ({ field, limit, check }: typeof noModel) => ({
  field: `requests[].${field}`,
  limit,
  check: ({ requests }: NativeEmbeddingBatch, model: string): readonly BrokenLimit[] =>
    requests.flatMap((request, index) => {
      const message = check(request, model);
      return typeof message === 'string' ? [{ path: `requests[${index}].${field}`, message }] : [];
    }),
});

export const NATIVE_EMBEDDING_BATCH: Family<NativeEmbeddingBatch> = {
  id: 'native-embedding-batch',
  title: 'Embeddings (native format, batch)',
  endpoint: 'batchEmbedContents',
  form: 'json',
  models: { known: MODELS },
  body: NativeEmbeddingBatch,
  rules: [mustNotBeSent('model', IN_PATH), ofEach(noModel), ofEach(noSize)],
  media: [],
};
