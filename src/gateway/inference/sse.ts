import { createParser, type EventSourceMessage } from 'eventsource-parser';

/**
 * Server-Sent Events of a body, however its bytes are cut into parts, also within a character or a line end. A last
 * event whose blank line is missing counts; whether it is whole, its data tells.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  let events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  const taken = () => {
    const ready = events;
    events = [];
    return ready;
  };
  for await (const part of body) {
    parser.feed(decoder.decode(part, { stream: true }));
    yield* taken();
  }
  parser.feed(`${decoder.decode()}\n\n`);
  yield* taken();
}

/** The end marker of chat streams, which others send too. */
export const DONE: unique symbol = Symbol('done');

const parse = (text: string): unknown => (text.trim() === '[DONE]' ? DONE : JSON.parse(text));

/**
 * The JSON in the data of an event. Some gateways leave out the blank lines between events, so several lines are each
 * one, unless they are one together.
 *
 * @throws SyntaxError
 */
export function valuesIn(data: string): readonly unknown[] {
  if (data.trim() === '') return [];
  try {
    return [parse(data)];
  } catch (thrown) {
    const lines = data.split('\n').filter((line) => line.trim() !== '');
    if (lines.length < 2) throw thrown;
    return lines.map(parse);
  }
}
