import { setImmediate } from 'node:timers/promises';
import { countTokens, embedText, vectorToBase64 } from '../../synthetic/index.ts';
import type { EmbeddingsRequest, NativeEmbeddingBatch, NativeEmbeddingRequest } from '../../wire/index.ts';
import { EMBEDDING_DIMENSIONS } from '../../wire/index.ts';
import { RequestError, type Service } from './request.ts';

/** The default of models for which the contract gives no number. */
const DIMENSIONS = 768;

/** More than any model has. Larger vectors would only fill the memory. */
const MOST_DIMENSIONS = 65_536;

/** The most texts of one request, as at OpenAI. */
const MOST_TEXTS = 2048;

/** The most tokens of all texts of one request, as at OpenAI. */
const MOST_TOKENS = 300_000;

/** Embeds one text after the other, and lets other requests in between. */
async function embedEach<T>(texts: readonly T[], embed: (text: T, index: number) => unknown): Promise<unknown[]> {
  if (texts.length > MOST_TEXTS) throw new RequestError(`At most ${MOST_TEXTS} texts can be embedded in one request`);
  const embedded: unknown[] = [];
  for (const [index, text] of texts.entries()) {
    embedded.push(embed(text, index));
    await setImmediate();
  }
  return embedded;
}

function sizeFor(model: string, asked: unknown): number {
  const size = Number(asked ?? EMBEDDING_DIMENSIONS[model as keyof typeof EMBEDDING_DIMENSIONS] ?? DIMENSIONS);
  if (size > MOST_DIMENSIONS) throw new RequestError(`The model has no ${size} dimensions`);
  return size;
}

/** Reads one text, several texts, or lists of token numbers, each of which counts as a text of numbers. */
function textsIn(input: unknown): readonly string[] {
  if (!Array.isArray(input)) return [String(input)];
  if (input.length > 0 && input.every((item) => typeof item === 'number')) return [input.join(' ')];
  return input.map((item) => (Array.isArray(item) ? item.join(' ') : String(item)));
}

const tokensIn = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + countTokens(text), 0);

/** Counts the tokens before anything is embedded. */
function acceptedTokens(texts: readonly string[]): number {
  const tokens = tokensIn(texts);
  if (tokens <= MOST_TOKENS) return tokens;
  throw new RequestError(`At most ${MOST_TOKENS} tokens can be embedded in one request, and the texts have ${tokens}`);
}

const inputUsage = (promptTokens: number) => ({ promptTokens, completionTokens: 0 });

export const embeddings: Service<EmbeddingsRequest> = {
  estimate: ({ body }) => inputUsage(tokensIn(textsIn(body.input))),
  async serve({ body, model }) {
    const texts = textsIn(body.input);
    const size = sizeFor(model, body.dimensions);
    const tokens = acceptedTokens(texts);
    const data = await embedEach(texts, (text, index) => {
      const vector = embedText(text, size);
      const embedding = body.encoding_format === 'base64' ? vectorToBase64(vector) : Array.from(vector);
      return { object: 'embedding', index, embedding };
    });
    const usage = { prompt_tokens: tokens, total_tokens: tokens };
    return { body: { object: 'list', data, model, usage }, usage: inputUsage(tokens) };
  },
};

const textIn = ({ content }: NativeEmbeddingRequest): string => content.parts.map(({ text }) => text).join('\n');

const valuesOf = (request: NativeEmbeddingRequest, model: string): readonly number[] =>
  Array.from(embedText(textIn(request), sizeFor(model, request.outputDimensionality)));

const metadata = (tokens: number) => ({ usage: { prompt_tokens: tokens, total_tokens: tokens } });

export const embedContent: Service<NativeEmbeddingRequest> = {
  estimate: ({ body }) => inputUsage(countTokens(textIn(body))),
  async serve({ body, model }) {
    const tokens = acceptedTokens([textIn(body)]);
    return {
      body: { embedding: { values: valuesOf(body, model) }, metadata: metadata(tokens) },
      usage: inputUsage(tokens),
    };
  },
};

/** The contract does not define the answer's shape. It is a list of the answers to single requests. */
export const batchEmbedContents: Service<NativeEmbeddingBatch> = {
  estimate: ({ body }) => inputUsage(tokensIn(body.requests.map(textIn))),
  async serve({ body, model }) {
    const tokens = acceptedTokens(body.requests.map(textIn));
    const list = await embedEach(body.requests, (request) => ({ values: valuesOf(request, model) }));
    return { body: { embeddings: list, metadata: metadata(tokens) }, usage: inputUsage(tokens) };
  },
};
