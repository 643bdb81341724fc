import type { NativeEmbeddingRequest } from '../../wire/index.ts';
import { draftText, freshRequest } from '../built-in-texts.ts';
import { type CheckModuleEntry, type RequestContext, requestModule } from '../check-module.ts';
import { mergeRequest } from '../check-request.ts';
import { isNativeEmbeddingModel } from '../model-kinds.ts';
import { claimReportedUsage, noteUsage, type UsageFigures } from './usage-claims.ts';
import { claimVectors, isSameDirection, VECTOR_DEFAULTS } from './vector-claims.ts';

type SingleContext = RequestContext<'native-embedding'>;
type BatchContext = RequestContext<'native-embedding-batch'>;

const contentOf = (text: string) => ({ content: { parts: [{ text }] } });

interface NativeUsage {
  readonly usage?:
    | { prompt_tokens?: number | null | undefined; total_tokens?: number | null | undefined }
    | null
    | undefined;
}

function usageOf(metadata: NativeUsage | null | undefined): UsageFigures | undefined {
  const usage = metadata?.usage;
  return usage ? { input: usage.prompt_tokens, total: usage.total_tokens } : undefined;
}

async function checkSingle(context: SingleContext): Promise<void> {
  const { recorder, spec, model, inference, signal, request } = context;
  const { body } = request;
  const answered = await inference.embedNative(model, body, { signal });
  recorder.exchange('embedContent', body, answered);
  const { embedding, metadata } = answered.value;
  const size = body.outputDimensionality;
  claimVectors(recorder, [embedding.values], { count: 1, size, expect: spec.expect, different: false });
  // Some upstreams leave it out, although the contract shows it.
  claimReportedUsage(recorder, usageOf(metadata), { total: true });
  if (spec.request.content === undefined) await compareTexts(context, embedding.values);
}

/** Requests the vector of another text: a model might return the same vector for every text. */
async function compareTexts(context: SingleContext, first: readonly number[]): Promise<void> {
  const { recorder, model, inference, signal, request, number } = context;
  const other = { ...request.body, ...freshRequest(contentOf(draftText('otherSentence')), number) };
  const answered = await inference.embedNative(model, other, { signal });
  recorder.exchange('embedContent, another text', other, answered);
  noteUsage(recorder, answered.value.metadata?.usage?.prompt_tokens);
  const second = answered.value.embedding.values;
  claimVectors(recorder, [first, second], { count: 2, size: undefined, expect: {}, different: true });
}

async function checkBatch(context: BatchContext): Promise<void> {
  const { recorder, spec, model, inference, signal, request } = context;
  const { requests } = request.body;
  const answered = await inference.embedNativeBatch(model, requests, { signal });
  recorder.exchange('batchEmbedContents', request.body, answered);
  const { embeddings, metadata } = answered.value;
  const [first, second] = requests.map((each) => JSON.stringify(each));
  claimVectors(
    recorder,
    embeddings.map(({ values }) => values),
    {
      count: requests.length,
      size: requests[0]?.outputDimensionality,
      expect: spec.expect,
      different: first !== undefined && second !== undefined && first !== second,
    },
  );
  // Contract: “The batch response shape is not shown.”
  claimReportedUsage(recorder, usageOf(metadata), { total: true });
  await compareOrder(context, requests, embeddings);
}

/** Requests the first vector alone. The contract does not show the order of a batch, which must be that of the requests. */
async function compareOrder(
  { recorder, model, inference, signal }: BatchContext,
  requests: readonly NativeEmbeddingRequest[],
  embeddings: readonly { readonly values: readonly number[] }[],
): Promise<void> {
  const [single] = requests;
  if (single === undefined || requests.length < 2) return;
  const answered = await inference.embedNative(model, single, { signal });
  recorder.exchange('embedContent, the first of the batch', single, answered);
  noteUsage(recorder, answered.value.metadata?.usage?.prompt_tokens);
  const isSame = isSameDirection(answered.value.embedding.values, embeddings[0]?.values);
  recorder.claim('the first vector of the batch is the same as requested alone', isSame, 'another vector');
}

const COMMON = { ...VECTOR_DEFAULTS, accepts: isNativeEmbeddingModel } as const;

export const NATIVE_EMBEDDING_MODULES: readonly CheckModuleEntry[] = [
  requestModule({
    ...COMMON,
    id: 'embeddings-native',
    families: ['native-embedding'],
    buildRequest: (_, { request }) => ({
      family: 'native-embedding',
      body: mergeRequest(contentOf(draftText('sentence')), request),
    }),
    proves: 'a vector in the native format, of the right length and finite, and another one for another text',
    run: checkSingle,
  }),
  requestModule({
    ...COMMON,
    id: 'embeddings-batch',
    alsoCalls: ['embedContent'],
    families: ['native-embedding-batch'],
    buildRequest: (_, { request }) => ({
      family: 'native-embedding-batch',
      body: mergeRequest({ requests: [draftText('sentence'), draftText('otherSentence')].map(contentOf) }, request),
    }),
    proves: 'a vector for each request of a batch, in their order',
    run: checkBatch,
  }),
];
