import { isJsonObject, type JsonObject, objectsIn, propertiesOf } from '../../json-object.ts';
import type { StreamEvent } from '../../server/answer.ts';

/** An API of another vendor, whose requests a gateway translates into chats. Only deployed gateways have them. */
export interface RequestFormat {
  /** Its name in the usage log. */
  readonly name: string;
  /** The chat that a body means. What has no counterpart is left out. */
  toChat(body: JsonObject): JsonObject;
  /** The answer for a completion. */
  fromCompletion(completion: JsonObject): unknown;
  /** The part of a stream that is charged. Gateways lose the usage of an answer when they translate its events. */
  readonly billsStreams: 'all' | 'prompt';
  /** The events for the chunks of a completion, of which the last one has its usage. */
  fromChunks(chunks: AsyncGenerator<JsonObject>, promptTokens: number): AsyncGenerator<StreamEvent>;
  /** The body for the error of a request that was accepted and then failed. */
  fromError(error: JsonObject): unknown;
}

/** A request in such a format. */
export interface TranslatedRequest {
  readonly format: RequestFormat;
  /** The path in the usage log: `/v1/messages`. */
  readonly path: string;
}

/** Reads the events of a chat stream, without the last one, `[DONE]`. */
export async function* chunksIn(events: AsyncGenerator<StreamEvent>): AsyncGenerator<JsonObject> {
  for await (const { text, final } of events) if (!final) yield propertiesOf(JSON.parse(text.replace(/^data: /, '')));
}

/** Joins the texts of parts, `[{"text": "a"}, {"text": "b"}]`, or takes a text as it is. */
export const textOfParts = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : objectsIn(value)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join('');

/** Leaves out what is undefined, because a chat does not take it. */
export const defined = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A function call of a message or chunk. */
export interface FunctionCall {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** Reads the function calls of a message or of the change in a chunk. */
export const callsIn = (message: JsonObject): readonly FunctionCall[] =>
  objectsIn(message.tool_calls).map(({ id, function: called }) => {
    const { name, arguments: text } = propertiesOf(called);
    return { id: String(id), name: String(name), text: String(text) };
  });

/** Parses the arguments of a function call. The reference gateway generates nothing but objects. */
export function argumentsOf({ text }: FunctionCall): JsonObject {
  const parsed: unknown = JSON.parse(text);
  return isJsonObject(parsed) ? parsed : {};
}
