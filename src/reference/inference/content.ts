interface ContentPart {
  readonly type?: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly file?: { readonly url?: string };
  readonly image_url?: { readonly url?: string } | string;
}

/** Collects every text in a message's content: a string, parts with texts, parts of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: ContentPart) => part.text ?? (part.content === undefined ? '' : textOf(part.content)))
    .filter((text) => text !== '')
    .join('\n');
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** The user's last message, which the model answers. */
export const lastUserText = (messages: readonly ChatMessage[]): string =>
  textOf(messages.findLast(({ role }) => role === 'user')?.content ?? messages.at(-1)?.content);

/** The whole input of a model, whose tokens are counted. */
export const promptText = (messages: readonly ChatMessage[]): string =>
  messages.map(({ role, content }) => `${role}: ${textOf(content)}`).join('\n');

/** Hashes a text to a whole number: the seed of a request that specifies none. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Splits a text into the pieces that a stream sends: words with the blanks before them. */
export const splitForStream = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? [];
