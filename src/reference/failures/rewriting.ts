import { serverSentEvent } from '../inference/request.ts';
import type { StreamEvent } from '../server/answer.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is in a list of objects; nothing when it is none. */
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Makes another object of one. */
export type ObjectChange = (fields: JsonObject) => JsonObject | Promise<JsonObject>;

/** A JSON value with each of its objects changed, inner ones first. */
export async function changeObjects(value: unknown, change: ObjectChange): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => changeObjects(item, change)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    async ([name, inner]) => [name, await changeObjects(inner, change)] as const,
  );
  return change(Object.fromEntries(await Promise.all(entries)));
}

/** What an event says: JSON, or a bare text as `[DONE]`. */
export function eventData({ text }: StreamEvent): unknown {
  const line = /^data: (.*)$/m.exec(text)?.[1] ?? '';
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

/** The same event with other data. */
export function withData({ text, final }: StreamEvent, data: unknown): StreamEvent {
  const name = /^event: (.*)$/m.exec(text)?.[1];
  return serverSentEvent(data, { ...(name === undefined ? {} : { name }), ...(final === undefined ? {} : { final }) });
}

/** Makes other data of an event's; undefined: the event does not go out. */
export type EventChange = (data: unknown) => unknown;

/** A stream whose events are changed one by one. Leaving it leaves the stream behind it, too. */
export async function* changeEvents(
  events: AsyncGenerator<StreamEvent>,
  change: EventChange,
): AsyncGenerator<StreamEvent> {
  for await (const event of events) {
    const data = await change(eventData(event));
    if (data !== undefined) yield withData(event, data);
  }
}
