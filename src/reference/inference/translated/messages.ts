import { type JsonObject, objectsIn, propertiesOf } from '../../json-object.ts';
import type { StreamEvent } from '../../server/answer.ts';
import { serverSentEvent } from '../request.ts';
import { argumentsOf, callsIn, defined, type RequestFormat, textOfParts } from './format.ts';

/** An image of a message as a URL: `data:` for bytes. */
function imageUrl({ source }: JsonObject): string {
  const { type, url, media_type: mediaType, data } = propertiesOf(source);
  return type === 'url' ? String(url) : `data:${mediaType};base64,${data}`;
}

const PARTS: Readonly<Record<string, (part: JsonObject) => JsonObject>> = {
  text: ({ text }) => ({ type: 'text', text }),
  image: (part) => ({ type: 'image_url', image_url: { url: imageUrl(part) } }),
};

/** The messages of a chat for one message: each result of a tool is a message of its own there. */
function messagesFor({ role, content }: JsonObject): readonly JsonObject[] {
  if (!Array.isArray(content)) return [{ role, content }];
  const parts = objectsIn(content);
  const results = parts
    .filter(({ type }) => type === 'tool_result')
    .map((part) => ({ role: 'tool', tool_call_id: part.tool_use_id, content: textOfParts(part.content) }));
  const calls = parts
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input ?? {}) },
    }));
  const kept = parts.flatMap((part) => PARTS[String(part.type)]?.(part) ?? []);
  const message = defined({ role, content: kept, tool_calls: calls.length > 0 ? calls : undefined });
  return kept.length > 0 || calls.length > 0 ? [...results, message] : results;
}

function messagesOf({ system, messages }: JsonObject): unknown {
  if (!Array.isArray(messages)) return messages;
  const instructions = textOfParts(system);
  const head = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  return [...head, ...objectsIn(messages).flatMap(messagesFor)];
}

const toolFor = ({ name, description, input_schema: parameters }: JsonObject): JsonObject => ({
  type: 'function',
  function: defined({ name, description, parameters }),
});

/** A choice of tools is not translated. */
const toChat = (body: JsonObject): JsonObject => {
  const { model, max_tokens, temperature, top_p, stream, stop_sequences: stop, tools } = body;
  return defined({
    model,
    messages: messagesOf(body),
    max_tokens,
    temperature,
    top_p,
    stream,
    stop,
    tools: tools === undefined ? undefined : objectsIn(tools).map(toolFor),
  });
};

const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
};

const usageFor = (usage: unknown) => {
  const { prompt_tokens: input = 0, completion_tokens: output = 0 } = propertiesOf(usage);
  return {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: output,
    claude_cache_creation_5_m_tokens: 0,
    claude_cache_creation_1_h_tokens: 0,
  };
};

function contentFor({ message }: JsonObject): readonly JsonObject[] {
  const answer = propertiesOf(message);
  const calls = callsIn(answer);
  if (calls.length === 0) return [{ type: 'text', text: answer.content ?? '' }];
  return calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: argumentsOf(call) }));
}

const fromCompletion = ({ id, model, choices, usage }: JsonObject): JsonObject => ({
  id,
  type: 'message',
  role: 'assistant',
  content: objectsIn(choices).flatMap(contentFor),
  stop_reason: STOP_REASONS[String(objectsIn(choices).at(-1)?.finish_reason)],
  model,
  usage: usageFor(usage),
});

/** One piece of an answer: the block that it belongs to, how that begins, and what the piece adds. */
interface Piece {
  readonly kind: string;
  readonly start: JsonObject;
  readonly delta: JsonObject;
}

function piecesOf(delta: JsonObject): readonly Piece[] {
  const { content, reasoning_content: thinking } = delta;
  if (typeof thinking === 'string' && thinking !== '')
    return [
      { kind: 'thinking', start: { type: 'thinking', thinking: '' }, delta: { type: 'thinking_delta', thinking } },
    ];
  if (typeof content === 'string' && content !== '')
    return [{ kind: 'text', start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: content } }];
  return callsIn(delta).map(({ id, name, text }) => ({
    kind: id,
    start: { type: 'tool_use', id, name, input: {} },
    delta: { type: 'input_json_delta', partial_json: text },
  }));
}

const event = (data: { readonly type: string } & JsonObject, final = false): StreamEvent =>
  serverSentEvent(data, { name: data.type, ...(final ? { final } : {}) });

const startOf = ({ id, model }: JsonObject, promptTokens: number): StreamEvent => {
  const usage = usageFor({ prompt_tokens: promptTokens });
  const message = { id, type: 'message', role: 'assistant', model, content: [], usage };
  return event({ type: 'message_start', message });
};

/** The events of the blocks of an answer, of which only one is open at a time. */
class Blocks {
  #index = -1;
  #open: string | undefined;

  *add({ kind, start, delta }: Piece): Generator<StreamEvent> {
    if (kind !== this.#open) {
      yield* this.close();
      this.#index += 1;
      this.#open = kind;
      yield event({ type: 'content_block_start', index: this.#index, content_block: start });
    }
    yield event({ type: 'content_block_delta', index: this.#index, delta });
  }

  *close(): Generator<StreamEvent> {
    if (this.#open !== undefined) yield event({ type: 'content_block_stop', index: this.#index });
    this.#open = undefined;
  }
}

async function* fromChunks(chunks: AsyncGenerator<JsonObject>, promptTokens: number): AsyncGenerator<StreamEvent> {
  const blocks = new Blocks();
  let began = false;
  let finish = 'stop';
  let usage: unknown;
  for await (const chunk of chunks) {
    if (!began) yield startOf(chunk, promptTokens);
    began = true;
    usage = chunk.usage ?? usage;
    const [choice = {}] = objectsIn(chunk.choices);
    for (const piece of piecesOf(propertiesOf(choice.delta))) yield* blocks.add(piece);
    finish = String(choice.finish_reason ?? finish);
  }
  yield* blocks.close();
  yield event({ type: 'message_delta', delta: { stop_reason: STOP_REASONS[finish] }, usage: usageFor(usage) });
  yield event({ type: 'message_stop' }, true);
}

/** `POST /v1/messages`, the Messages API of Anthropic. */
export const messages: RequestFormat = {
  name: 'Claude Messages',
  billsStreams: 'all',
  toChat,
  fromCompletion,
  fromChunks,
  fromError: ({ message, type, code }) => ({
    type: 'error',
    // An upstream’s error goes by its code.
    error: { type: type === 'new_api_error' ? type : String(code), message },
  }),
};
