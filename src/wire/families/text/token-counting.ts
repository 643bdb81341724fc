import * as z from 'zod';
import type { Family } from '../../family.ts';
import { partOtherThan, TextPart } from './content-parts.ts';

/** A picture counts so much, whatever its size: a fixed estimate. Contract: “Limits”, token counting. */
export const IMAGE_TOKENS = 1000;

const ImagePart = z.looseObject({
  type: z.literal('image'),
  source: z.looseObject({ type: z.literal('url'), url: z.string().min(1) }),
});
const ToolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().optional(),
  content: z.union([z.string(), z.array(z.looseObject({}))]).optional(),
});
/** Contract: “Token counting”. Fields that shape an answer, such as `max_tokens`, are ignored. */
export const TokenCountRequest = z.looseObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['user', 'assistant']),
        content: z.union([
          z.string(),
          z.array(z.union([TextPart, ImagePart, ToolResult, partOtherThan('text', 'image', 'tool_result')])),
        ]),
      }),
    )
    .min(1),
  system: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).optional(),
  tools: z
    .array(
      z.looseObject({
        name: z.string().min(1),
        description: z.string().optional(),
        input_schema: z.looseObject({}).optional().describe('JSON Schema'),
      }),
    )
    .optional(),
});
export type TokenCountRequest = z.input<typeof TokenCountRequest>;

export const TOKEN_COUNTING: Family<TokenCountRequest> = {
  id: 'token-counting',
  title: 'Token counting',
  endpoint: 'countTokens',
  form: 'json',
  body: TokenCountRequest,
  rules: [],
  media: [],
};
