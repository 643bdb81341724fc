import { isJsonObject, type JsonObject, objectsIn } from '../json-object.ts';
import type { StreamEvent } from '../server/answer.ts';
import type { TextFlaw } from './kinds.ts';
import { changeObjects, eventData, type ObjectChange, withData } from './rewriting.ts';

/** The number of characters that are kept of a text of this length. */
const KEPT_LENGTHS: { readonly [F in TextFlaw]: (length: number) => number } = {
  empty: () => 0,
  half: (length) => Math.floor(length / 2),
};

const cutOff = (text: string, how: TextFlaw): string => text.slice(0, KEPT_LENGTHS[how](text.length));

const TEXTS: ReadonlySet<unknown> = new Set(['output_text', 'response.output_text.done']);

/** Cuts a whole text: a message of a chat, a part of a response. A cut text claims to be complete. */
const cutWhole =
  (how: TextFlaw): ObjectChange =>
  (fields) => {
    const { type, text, message, finish_reason: reason } = fields;
    if (TEXTS.has(type) && typeof text === 'string') return { ...fields, text: cutOff(text, how) };
    if (!isJsonObject(message) || typeof message.content !== 'string') return fields;
    const content = cutOff(message.content, how);
    return { ...fields, message: { ...message, content }, finish_reason: reason === 'length' ? 'stop' : reason };
  };

/** Empties the text of an answer, or cuts it in half. */
export const cutText = (body: unknown, how: TextFlaw): Promise<unknown> => changeObjects(body, cutWhole(how));

/** A piece of text in an event, and the text of the stream that it belongs to. */
interface Piece {
  readonly of: string;
  readonly text: string;
  /** Returns the event's data with another piece in its place. */
  with(text: string): unknown;
}

function chatPiece(data: JsonObject): Piece | undefined {
  const [choice] = objectsIn(data.choices);
  const delta = choice?.delta;
  if (!isJsonObject(delta) || typeof delta.content !== 'string' || delta.content === '') return undefined;
  return {
    of: `choice ${choice?.index}`,
    text: delta.content,
    with: (content) => ({ ...data, choices: [{ ...choice, delta: { ...delta, content } }] }),
  };
}

function pieceIn(data: unknown): Piece | undefined {
  if (!isJsonObject(data)) return undefined;
  if (data.type !== 'response.output_text.delta') return chatPiece(data);
  return {
    of: `part ${data.output_index} ${data.content_index}`,
    text: String(data.delta),
    with: (delta) => ({ ...data, delta }),
  };
}

const markFinished: ObjectChange = (fields) =>
  fields.finish_reason === 'length' ? { ...fields, finish_reason: 'stop' } : fields;

function lengthsOf(pieces: readonly (Piece | undefined)[]): Map<string, number> {
  const lengths = new Map<string, number>();
  for (const piece of pieces) if (piece) lengths.set(piece.of, (lengths.get(piece.of) ?? 0) + piece.text.length);
  return lengths;
}

/** Empties the texts of a stream, or cuts them in half. Sends nothing before the end, which shows where the middle is. */
export async function* cutStream(events: AsyncGenerator<StreamEvent>, how: TextFlaw): AsyncGenerator<StreamEvent> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  const pieces = all.map((event) => pieceIn(eventData(event)));
  const room = new Map([...lengthsOf(pieces)].map(([of, length]) => [of, KEPT_LENGTHS[how](length)]));
  for (const [at, event] of all.entries()) {
    const piece = pieces[at];
    if (piece === undefined) {
      yield withData(event, await changeObjects(await cutText(eventData(event), how), markFinished));
      continue;
    }
    const left = room.get(piece.of) ?? 0;
    room.set(piece.of, Math.max(0, left - piece.text.length));
    if (left > 0) yield withData(event, piece.with(piece.text.slice(0, left)));
  }
}
