import * as z from 'zod';
import { ifAny, listOf } from './tolerant.ts';

/** The tokens that a chat or an embedding consumed. */
export const TokenUsage = z.looseObject({
  prompt_tokens: ifAny(z.number()),
  completion_tokens: ifAny(z.number()),
  total_tokens: ifAny(z.number()),
});

const ToolCall = z.looseObject({
  /** In chunks the place in the list, by which the parts of one call belong together. */
  index: ifAny(z.int()),
  id: ifAny(z.string()),
  type: ifAny(z.string()),
  function: ifAny(z.looseObject({ name: ifAny(z.string()), arguments: ifAny(z.string()) })),
});

/** A message, or in a chunk the part of one that is new. */
const Message = z.looseObject({
  role: ifAny(z.string()),
  content: z.string().nullish(),
  reasoning_content: ifAny(z.string()),
  tool_calls: ifAny(z.array(ToolCall)),
});

type Message = z.output<typeof Message>;

const Choice = z.looseObject({ index: z.int().catch(0), finish_reason: ifAny(z.string()) });
const Head = z.looseObject({
  id: ifAny(z.string()),
  object: ifAny(z.string()),
  created: ifAny(z.number()),
  model: ifAny(z.string()),
  usage: ifAny(TokenUsage),
});

/** Contract: “Chat completions”, non-streaming response. */
export const ChatCompletion = Head.extend({ choices: z.array(Choice.extend({ message: Message })) });
export type ChatCompletion = z.output<typeof ChatCompletion>;

/**
 * One event of a chat stream. The contract does not show its shape; this is the usual one. The last event may have no
 * choice and the usage.
 */
export const ChatChunk = Head.extend({
  choices: listOf(Choice.extend({ delta: Message.nullish().transform((delta): Message => delta ?? {}) })),
});
export type ChatChunk = z.output<typeof ChatChunk>;
