interface Part {
  readonly type?: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly file?: { readonly url?: string };
  readonly image_url?: { readonly url?: string } | string;
}

/** Every text in a message's content: a string, parts with texts, parts of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: Part) => part.text ?? (part.content === undefined ? '' : textOf(part.content)))
    .filter((text) => text !== '')
    .join('\n');
}

export interface Message {
  readonly role: string;
  readonly content?: unknown;
}

/** What the user asked last: that is answered. */
export const lastUserText = (messages: readonly Message[]): string =>
  textOf(messages.findLast(({ role }) => role === 'user')?.content ?? messages.at(-1)?.content);

/** All that a model reads: what input is counted from. */
export const promptText = (messages: readonly Message[]): string =>
  messages.map(({ role, content }) => `${role}: ${textOf(content)}`).join('\n');

/** A whole number from a text, the same for the same text: the seed where a request gives none. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** A text in the pieces that a stream sends: words with the blanks before them. */
export const splitForStream = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? [];
