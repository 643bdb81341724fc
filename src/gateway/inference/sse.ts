import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { parseShallowJson } from '../../domain/index.ts';
import { RESPONSE_LIMITS } from '../../wire/index.ts';

/** Streams have none, or a few. The parser makes an error of each, which takes as long as hundreds of good lines. */
const MOST_FOREIGN_LINES = 1_000;

/**
 * Parses the server-sent events of a body, however its bytes are split into chunks, even within a character or a line
 * end. A last event without its blank line counts; its data shows whether it is complete. Ends early where too many lines are
 * not part of any event.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  let events: EventSourceMessage[] = [];
  let foreignLines = 0;
  const parser = createParser({
    onEvent: (event) => events.push(event),
    // Some gateways append an error without `data:` when a stream fails.
    onError: ({ line }) => {
      foreignLines += 1;
      if (line?.startsWith('{')) events.push({ id: undefined, event: undefined, data: line });
    },
  });
  const decoder = new TextDecoder();
  const takeEvents = () => {
    const ready = events;
    events = [];
    return ready;
  };
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* takeEvents();
    if (foreignLines > MOST_FOREIGN_LINES) return;
  }
  parser.feed(`${decoder.decode()}\n\n`);
  yield* takeEvents();
}

/** The end marker of chat streams; other streams may send it too. */
export const DONE: unique symbol = Symbol('done');

const parse = (text: string): unknown => (text.trim() === '[DONE]' ? DONE : parseShallowJson(text, RESPONSE_LIMITS));

/**
 * Parses the JSON in the data of an event. Some gateways omit the blank lines between events, so each line is a value
 * of its own unless all lines form one value.
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

/** Bytes to skip at the start of a body: white space and a byte order mark. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/**
 * Reads the first character of a body that is neither white space nor a byte order mark, and returns it with the body,
 * complete. Empty when there is none. The media type is less reliable: some gateways send an error as
 * `text/event-stream` although it is JSON.
 */
export async function peekFirstCharacter(
  body: AsyncIterable<Uint8Array>,
): Promise<{ first: string; body: AsyncIterable<Uint8Array> }> {
  const rest = body[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return { first: '', body: concatenated(read, rest) };
    read.push(value);
    const first = value.find((byte) => !BLANK.has(byte));
    if (first !== undefined) return { first: String.fromCharCode(first), body: concatenated(read, rest) };
  }
}

async function* concatenated(read: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* read;
  yield* { [Symbol.asyncIterator]: () => rest };
}
