import { countTokens } from '../../synthetic/index.ts';
import type { TokenCountRequest } from '../../wire/index.ts';
import { type Message, promptText, textOf } from './content.ts';

/** Contract: “Token counting”: a fixed estimate for each image. */
const IMAGE_TOKENS = 1000;

const isImage = (part: unknown): boolean => (part as { type?: unknown } | null)?.type === 'image';

/** Images in the content, also within the results of tools. */
function imagesIn(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  return content.reduce(
    (sum: number, part: { content?: unknown }) => sum + (isImage(part) ? 1 : imagesIn(part.content)),
    0,
  );
}

/** The input tokens of messages, system prompt and tool definitions. */
export function inputTokens(body: TokenCountRequest): number {
  const messages = body.messages as readonly Message[];
  const system = body.system === undefined ? '' : textOf(body.system);
  const tools = ((body.tools ?? []) as readonly unknown[]).map((tool) => JSON.stringify(tool)).join('\n');
  const texts = [promptText(messages), system, tools].filter((text) => text !== '');
  const images = messages.reduce((sum, { content }) => sum + imagesIn(content), 0);
  return texts.reduce((sum, text) => sum + countTokens(text), 0) + images * IMAGE_TOKENS;
}
