import { z } from 'zod';
import type { Family } from '../family.ts';

/** Contract: “Chat completions”. Fields that are not shown pass. */
export const ChatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  stream: z.boolean().optional(),
});
export type ChatRequest = z.input<typeof ChatRequest>;

export const CHAT: Family<ChatRequest> = {
  id: 'chat',
  title: 'Chat completions',
  endpoint: 'chat',
  form: 'json',
  body: ChatRequest,
  rules: [],
  media: [],
};
