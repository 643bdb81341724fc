import { EMBEDDING_DIMENSIONS, type EmbeddingsRequest } from '../../wire/index.ts';
import type { Body, CheckModuleEntry, Trial } from '../check-module.ts';
import { mergeRequest } from '../merge-request.ts';
import { embeds } from '../model-kinds.ts';
import { VECTOR_DEFAULTS } from './entry-facts.ts';
import { claimUsage, noteUsage } from './usage-claims.ts';
import { agree, claimVectors, type Vector } from './vector-claims.ts';

export const TEXTS = ['The harbour lies still in the morning.', 'Invoices are due within thirty days.'];

/** One text, several, or one or several lists of token numbers. */
function textCount({ input }: Body): number {
  if (!Array.isArray(input)) return 1;
  return input.every((item) => typeof item === 'number') ? 1 : input.length;
}

function areDifferent({ input }: Body): boolean {
  const [first, second] = Array.isArray(input) ? input.map((item) => JSON.stringify(item)) : [];
  return first !== undefined && second !== undefined && first !== second;
}

const sizeOf = ({ dimensions }: Body, model: string): number | undefined =>
  typeof dimensions === 'number' ? dimensions : EMBEDDING_DIMENSIONS[model as keyof typeof EMBEDDING_DIMENSIONS];

/** The client gives what was Base64 as 32-bit floats, and numbers as they came. Official clients read nothing else. */
const claimBase64 = (recorder: Trial['recorder'], vectors: readonly Vector[]): void =>
  recorder.claim(
    'the vectors come in Base64, as was asked',
    vectors.every((vector) => vector instanceof Float32Array),
    'numbers',
  );

async function embedded(trial: Trial, body: Body, title: string) {
  const { inference, recorder, signal } = trial;
  const answered = await inference.embed(body as unknown as EmbeddingsRequest, { signal });
  recorder.exchange(title, body, answered);
  return answered.value;
}

async function examine(trial: Trial): Promise<void> {
  const { recorder, spec, model } = trial;
  const body = trial.plea?.body ?? {};
  const { data, usage, model: named } = await embedded(trial, body, 'embeddings');
  recorder.answeredBy(named);
  const indexes = data.map(({ index }, at) => index ?? at);
  recorder.claim(
    'the vectors stand in the order of the texts',
    indexes.every((index, at) => index === at),
    indexes.join(', '),
  );
  const vectors = data.map(({ embedding }): Vector => embedding);
  const size = sizeOf(body, model);
  if (body.encoding_format === 'base64') claimBase64(recorder, vectors);
  claimVectors(recorder, vectors, { count: textCount(body), size, expect: spec.expect, different: areDifferent(body) });
  claimUsage(recorder, usage ? { input: usage.prompt_tokens, total: usage.total_tokens } : undefined, { total: true });
  if (spec.request.encoding_format === undefined)
    await compareEncodings(trial, { ...body, encoding_format: 'base64' }, vectors);
}

/** Asked for again in Base64, each text has the same vector: half of a client’s life depends on it. */
async function compareEncodings(trial: Trial, body: Body, floats: readonly Vector[]): Promise<void> {
  const { data, usage } = await embedded(trial, body, 'embeddings, in Base64');
  noteUsage(trial.recorder, usage?.prompt_tokens);
  claimBase64(
    trial.recorder,
    data.map(({ embedding }) => embedding),
  );
  const same = data.length === floats.length && data.every(({ embedding }, at) => agree(embedding, floats[at]));
  trial.recorder.claim('the vectors are the same as numbers and in Base64', same, `${data.length} vectors`);
}

export const EMBEDDINGS_MODULE: CheckModuleEntry = {
  ...VECTOR_DEFAULTS,
  id: 'embeddings',
  takes: embeds,
  plea: (model, { request }) => ({ family: 'embeddings', body: mergeRequest({ model, input: TEXTS }, request) }),
  proves: 'a vector for each text, of the right length, finite, the same as numbers and in Base64',
  examine,
};
