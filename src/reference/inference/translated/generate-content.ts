import { type JsonObject, objectsIn, propertiesOf } from '../../json-object.ts';
import type { StreamEvent } from '../../server/answer.ts';
import { serverSentEvent } from '../request.ts';
import { argumentsOf, callsIn, defined, type RequestFormat, textOfParts } from './format.ts';

/** A part of a message: a text, or bytes as a `data:` URL. */
function partFor({ text, inlineData }: JsonObject): readonly JsonObject[] {
  if (typeof text === 'string') return [{ type: 'text', text }];
  if (inlineData === undefined) return [];
  const { mimeType, data } = propertiesOf(inlineData);
  return [{ type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } }];
}

/** The messages of a chat for one message. Functions are known by their names alone, which serve as IDs. */
function messagesFor({ role, parts: given }: JsonObject): readonly JsonObject[] {
  const parts = objectsIn(given);
  const results = parts
    .flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [propertiesOf(functionResponse)]))
    .map(({ name, response }) => ({ role: 'tool', tool_call_id: name, content: JSON.stringify(response ?? {}) }));
  const calls = parts
    .flatMap(({ functionCall }) => (functionCall === undefined ? [] : [propertiesOf(functionCall)]))
    .map(({ name, args }) => ({
      id: name,
      type: 'function',
      function: { name, arguments: JSON.stringify(args ?? {}) },
    }));
  const content = parts.flatMap(partFor);
  const message = defined({
    role: role === 'model' ? 'assistant' : 'user',
    content,
    tool_calls: calls.length > 0 ? calls : undefined,
  });
  return content.length > 0 || calls.length > 0 ? [...results, message] : results;
}

function messagesOf({ systemInstruction, system_instruction, contents }: JsonObject): unknown {
  if (!Array.isArray(contents)) return contents;
  const instructions = textOfParts(propertiesOf(systemInstruction ?? system_instruction).parts);
  const head = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  return [...head, ...objectsIn(contents).flatMap(messagesFor)];
}

function formatOf({ responseMimeType, responseSchema: schema }: JsonObject): JsonObject | undefined {
  if (responseMimeType !== 'application/json') return undefined;
  if (schema === undefined) return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: 'response', schema } };
}

function toolsIn(tools: unknown): readonly JsonObject[] | undefined {
  const declared = objectsIn(tools).flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations));
  return declared.length === 0 ? undefined : declared.map((called) => ({ type: 'function', function: called }));
}

function toChat(body: JsonObject): JsonObject {
  const config = propertiesOf(body.generationConfig);
  const { maxOutputTokens, temperature, topP, stopSequences, candidateCount, seed } = config;
  return defined({
    messages: messagesOf(body),
    max_tokens: maxOutputTokens,
    temperature,
    top_p: topP,
    stop: stopSequences,
    n: candidateCount,
    seed,
    response_format: formatOf(config),
    tools: toolsIn(body.tools),
  });
}

const FINISH_REASONS: Readonly<Record<string, string>> = { stop: 'STOP', length: 'MAX_TOKENS', tool_calls: 'STOP' };

function partsFor(message: JsonObject): readonly JsonObject[] {
  const calls = callsIn(message);
  if (calls.length > 0) return calls.map((call) => ({ functionCall: { name: call.name, args: argumentsOf(call) } }));
  return typeof message.content === 'string' && message.content !== '' ? [{ text: message.content }] : [];
}

const candidateFor = (choice: JsonObject, message: unknown): JsonObject => ({
  content: { role: 'model', parts: partsFor(propertiesOf(message)) },
  finishReason: FINISH_REASONS[String(choice.finish_reason)] ?? null,
  index: choice.index,
  safetyRatings: [],
});

const usageFor = (usage: JsonObject) => {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  return {
    promptTokenCount: prompt,
    toolUsePromptTokenCount: 0,
    candidatesTokenCount: completion,
    totalTokenCount: total,
    thoughtsTokenCount: 0,
    cachedContentTokenCount: 0,
    promptTokensDetails: null,
    toolUsePromptTokensDetails: null,
    candidatesTokensDetails: null,
  };
};

const fromCompletion = ({ choices, usage }: JsonObject): JsonObject => ({
  candidates: objectsIn(choices).map((choice) => candidateFor(choice, choice.message)),
  usageMetadata: usageFor(propertiesOf(usage)),
});

/** One event for each chunk that adds something or ends. None has the tokens of the answer. */
async function* fromChunks(chunks: AsyncGenerator<JsonObject>, promptTokens: number): AsyncGenerator<StreamEvent> {
  const usage = usageFor({ prompt_tokens: promptTokens, completion_tokens: 0, total_tokens: promptTokens });
  for await (const chunk of chunks) {
    const [choice = { finish_reason: null }] = objectsIn(chunk.choices);
    const ends = choice.finish_reason !== null;
    if (!ends && partsFor(propertiesOf(choice.delta)).length === 0) continue;
    yield serverSentEvent({ candidates: [candidateFor(choice, choice.delta)], usageMetadata: usage });
  }
}

/** `POST /v1beta/models/{model}:generateContent`, the API of Google’s models. */
export const generateContent: RequestFormat = {
  name: 'Google Gemini',
  billsStreams: 'prompt',
  toChat,
  fromCompletion,
  fromChunks,
  fromError: (error) => ({ error }),
};
