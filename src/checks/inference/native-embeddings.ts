import type { NativeEmbeddingRequest } from '../../wire/index.ts';
import type { Body, CheckModuleEntry, Trial } from '../check-module.ts';
import { mergeRequest } from '../merge-request.ts';
import { embedsNatively } from '../model-kinds.ts';
import { TEXTS } from './embeddings.ts';
import { VECTOR_DEFAULTS } from './entry-facts.ts';
import { claimUsage, claimUsageIfReported, noteUsage, type UsageFigures } from './usage-claims.ts';
import { agree, claimVectors } from './vector-claims.ts';

const contentOf = (text: string) => ({ content: { parts: [{ text }] } });

const sizeOf = (request: Body | undefined): number | undefined => {
  const size = request?.outputDimensionality;
  return typeof size === 'number' ? size : undefined;
};

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

async function checkSingle(trial: Trial): Promise<void> {
  const { recorder, spec, model, inference, signal } = trial;
  const body = trial.plea?.body ?? {};
  const answered = await inference.embedNative(model, body as unknown as NativeEmbeddingRequest, { signal });
  recorder.exchange('embedContent', body, answered);
  const { embedding, metadata } = answered.value;
  claimVectors(recorder, [embedding.values], { count: 1, size: sizeOf(body), expect: spec.expect, different: false });
  claimUsage(recorder, usageOf(metadata), { total: true });
  if (spec.request.content === undefined) await compareTexts(trial, body, embedding.values);
}

/** A model that gives every text the same vector passes for one, until a second is asked for. */
async function compareTexts(
  { recorder, model, inference, signal }: Trial,
  body: Body,
  first: readonly number[],
): Promise<void> {
  const other = { ...body, ...contentOf(TEXTS[1] as string) };
  const answered = await inference.embedNative(model, other as unknown as NativeEmbeddingRequest, { signal });
  recorder.exchange('embedContent, another text', other, answered);
  noteUsage(recorder, answered.value.metadata?.usage?.prompt_tokens);
  const second = answered.value.embedding.values;
  claimVectors(recorder, [first, second], { count: 2, size: undefined, expect: {}, different: true });
}

const requestsOf = ({ requests }: Body): readonly Body[] =>
  Array.isArray(requests) ? (requests as readonly Body[]) : [];

async function checkBatch(trial: Trial): Promise<void> {
  const { recorder, spec, model, inference, signal } = trial;
  const body = trial.plea?.body ?? {};
  const requests = requestsOf(body);
  const answered = await inference.embedNativeBatch(model, requests as unknown as NativeEmbeddingRequest[], { signal });
  recorder.exchange('batchEmbedContents', body, answered);
  const { embeddings, metadata } = answered.value;
  const [first, second] = requests.map((request) => JSON.stringify(request));
  claimVectors(
    recorder,
    embeddings.map(({ values }) => values),
    {
      count: requests.length,
      size: sizeOf(requests[0]),
      expect: spec.expect,
      different: first !== undefined && second !== undefined && first !== second,
    },
  );
  // Contract: “The batch response shape is not shown.”
  claimUsageIfReported(recorder, usageOf(metadata), { total: true });
  await compareOrder(trial, requests, embeddings);
}

/** The contract does not show the order of a batch’s answer: it is worth nothing if it is not that of the requests. */
async function compareOrder(
  { recorder, model, inference, signal }: Trial,
  requests: readonly Body[],
  embeddings: readonly { readonly values: readonly number[] }[],
): Promise<void> {
  const [single] = requests;
  if (single === undefined || requests.length < 2) return;
  const answered = await inference.embedNative(model, single as unknown as NativeEmbeddingRequest, { signal });
  recorder.exchange('embedContent, the first of the batch', single, answered);
  noteUsage(recorder, answered.value.metadata?.usage?.prompt_tokens);
  const same = agree(answered.value.embedding.values, embeddings[0]?.values);
  recorder.claim('the first of the batch is what it is by itself', same, 'another vector');
}

const COMMON = { ...VECTOR_DEFAULTS, takes: embedsNatively } as const;

export const NATIVE_EMBEDDING_MODULES: readonly CheckModuleEntry[] = [
  {
    ...COMMON,
    id: 'embeddings-native',
    plea: (_, { request }) => ({
      family: 'native-embedding',
      body: mergeRequest(contentOf(TEXTS[0] as string), request),
    }),
    proves: 'a vector in the native format, of the right length and finite, another one for another text',
    examine: checkSingle,
  },
  {
    ...COMMON,
    id: 'embeddings-batch',
    alsoAsks: ['embedContent'],
    plea: (_, { request }) => ({
      family: 'native-embedding-batch',
      body: mergeRequest({ requests: TEXTS.map(contentOf) }, request),
    }),
    proves: 'a vector for each request of a batch, in their order',
    examine: checkBatch,
  },
];
