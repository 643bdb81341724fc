import { EMBEDDING_DIMENSIONS, type EmbeddingsRequest } from '../../wire/index.ts';
import { draftText } from '../built-in-texts.ts';
import { type CheckRecorder, type RequestContext, requestModule } from '../check-module.ts';
import { mergeRequest } from '../check-request.ts';
import { isEmbeddingModel } from '../model-kinds.ts';
import { claimUsage, noteUsage } from './usage-claims.ts';
import { claimVectors, isSameDirection, VECTOR_DEFAULTS, type Vector } from './vector-claims.ts';

type EmbeddingsContext = RequestContext<'embeddings'>;

/** Counts the texts of a request. A list of token numbers is one text. */
function textCount({ input }: EmbeddingsRequest): number {
  if (!Array.isArray(input)) return 1;
  return input.every((item) => typeof item === 'number') ? 1 : input.length;
}

function hasDifferentTexts({ input }: EmbeddingsRequest): boolean {
  const [first, second] = Array.isArray(input) ? input.map((item) => JSON.stringify(item)) : [];
  return first !== undefined && second !== undefined && first !== second;
}

const KNOWN_DIMENSIONS: { readonly [model: string]: number | undefined } = EMBEDDING_DIMENSIONS;

/** Claims Base64, which the client decodes to 32-bit floats. The official clients of the API read nothing else. */
const claimBase64 = (recorder: CheckRecorder, vectors: readonly Vector[]): void =>
  recorder.claim(
    'the vectors are in Base64, as requested',
    vectors.every((vector) => vector instanceof Float32Array),
    'numbers',
  );

async function embed({ inference, recorder, signal }: EmbeddingsContext, body: EmbeddingsRequest, title: string) {
  const answered = await inference.embed(body, { signal });
  recorder.exchange(title, body, answered);
  return answered.value;
}

async function run(context: EmbeddingsContext): Promise<void> {
  const { recorder, spec, model, request } = context;
  const { body } = request;
  const { data, usage, model: named } = await embed(context, body, 'embeddings');
  recorder.answeredBy(named);
  const indexes = data.map(({ index }, at) => index ?? at);
  recorder.claim(
    'the vectors are in the order of the texts',
    indexes.every((index, at) => index === at),
    indexes.join(', '),
  );
  const vectors = data.map(({ embedding }): Vector => embedding);
  if (body.encoding_format === 'base64') claimBase64(recorder, vectors);
  claimVectors(recorder, vectors, {
    count: textCount(body),
    size: body.dimensions ?? KNOWN_DIMENSIONS[model],
    expect: spec.expect,
    different: hasDifferentTexts(body),
  });
  claimUsage(recorder, usage ? { input: usage.prompt_tokens, total: usage.total_tokens } : undefined, { total: true });
  if (spec.request.encoding_format === undefined)
    await compareEncodings(context, { ...body, encoding_format: 'base64' }, vectors);
}

/** Requests the same vectors in Base64: many clients depend on that encoding. */
async function compareEncodings(
  context: EmbeddingsContext,
  body: EmbeddingsRequest,
  floats: readonly Vector[],
): Promise<void> {
  const { recorder } = context;
  const { data, usage } = await embed(context, body, 'embeddings, in Base64');
  noteUsage(recorder, usage?.prompt_tokens);
  claimBase64(
    recorder,
    data.map(({ embedding }) => embedding),
  );
  const isSame =
    data.length === floats.length && data.every(({ embedding }, at) => isSameDirection(embedding, floats[at]));
  recorder.claim('the vectors are the same as numbers and in Base64', isSame, `${data.length} vectors`);
}

export const EMBEDDINGS_MODULE = requestModule({
  ...VECTOR_DEFAULTS,
  id: 'embeddings',
  families: ['embeddings'],
  accepts: isEmbeddingModel,
  buildRequest: (model, { request }) => ({
    family: 'embeddings',
    body: mergeRequest({ model, input: [draftText('sentence'), draftText('otherSentence')] }, request),
  }),
  proves: 'a vector for each text, of the right length, finite, the same as numbers and in Base64',
  run,
});
