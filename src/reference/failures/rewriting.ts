import { serverSentEvent } from '../inference/request.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { StreamEvent } from '../server/answer.ts';

/** Maps an object to the one that replaces it. */
export type ObjectChange = (fields: JsonObject) => JsonObject | Promise<JsonObject>;

/** Changes every object in a JSON value, inner ones first. */
export async function changeObjects(value: unknown, change: ObjectChange): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => changeObjects(item, change)));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    async ([name, inner]) => [name, await changeObjects(inner, change)] as const,
  );
  return change(Object.fromEntries(await Promise.all(entries)));
}

/** The data of an event: JSON, or a bare text such as `[DONE]`. */
export function eventData({ text }: StreamEvent): unknown {
  const line = /^data: (.*)$/m.exec(text)?.[1] ?? '';
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

/** Replaces the data of an event. */
export function withData({ text, final }: StreamEvent, data: unknown): StreamEvent {
  const name = /^event: (.*)$/m.exec(text)?.[1];
  return serverSentEvent(data, { ...(name === undefined ? {} : { name }), ...(final === undefined ? {} : { final }) });
}

/** Maps the data of an event to the data that replaces it; undefined drops the event. */
export type EventChange = (data: unknown) => unknown;

/** Changes the events of a stream one by one. Returning it returns the original stream too. */
export async function* changeEvents(
  events: AsyncGenerator<StreamEvent>,
  change: EventChange,
): AsyncGenerator<StreamEvent> {
  for await (const event of events) {
    const data = await change(eventData(event));
    if (data !== undefined) yield withData(event, data);
  }
}
