import * as z from 'zod';
import { tryDecodeBase64 } from '../data-uri.ts';
import { TokenUsage } from './chat-completion.ts';
import { ifAny } from './tolerant.ts';

/** Little-endian float32, as `encoding_format: base64` gives it; undefined when it is none. */
function tryReadVector(text: string): Float32Array | undefined {
  const bytes = tryDecodeBase64(text);
  if (!bytes || bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const vector = new Float32Array(bytes.length / 4);
  for (let index = 0; index < vector.length; index += 1) vector[index] = view.getFloat32(index * 4, true);
  return vector;
}

const Base64Vector = z.string().transform((text, context): Float32Array => {
  const vector = tryReadVector(text);
  if (vector) return vector;
  context.addIssue({ code: 'custom', message: 'is not Base64 of 32-bit floats' });
  return z.NEVER;
});

/** A list whose elements are wrong is one problem: a problem for each of millions takes gigabytes. */
const Numbers = z.custom<number[]>(
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'number'),
  'is not a list of numbers',
);
const Records = z.custom<object[]>(
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null),
  'is not a list of objects',
);

/** Numbers as they came, or decoded from Base64. */
const Vector = z.union([Numbers, Base64Vector]);

/** Contract: “Embeddings (list format)”. */
export const EmbeddingsAnswer = z.looseObject({
  data: Records.pipe(z.array(z.looseObject({ index: ifAny(z.int()), embedding: Vector }))),
  model: ifAny(z.string()),
  usage: ifAny(TokenUsage),
});
export type EmbeddingsAnswer = z.output<typeof EmbeddingsAnswer>;

const Metadata = ifAny(z.looseObject({ usage: ifAny(TokenUsage) }));
const Values = z.looseObject({ values: Numbers });

/** Contract: “Embeddings (native format)”. */
export const NativeEmbeddingAnswer = z.looseObject({ embedding: Values, metadata: Metadata });
export type NativeEmbeddingAnswer = z.output<typeof NativeEmbeddingAnswer>;

/** The contract does not show it: a list of what a single request answers, in the order of the requests. */
export const NativeBatchAnswer = z.looseObject({
  embeddings: Records.pipe(
    z.array(z.union([Values, z.looseObject({ embedding: Values }).transform(({ embedding }) => embedding)])),
  ),
  metadata: Metadata,
});
export type NativeBatchAnswer = z.output<typeof NativeBatchAnswer>;

/** Contract: “Token counting”. */
export const TokenCount = z.looseObject({ input_tokens: z.int().nonnegative() });
export type TokenCount = z.output<typeof TokenCount>;
