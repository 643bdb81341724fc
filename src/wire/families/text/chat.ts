import * as z from 'zod';
import type { Family, Rule } from '../../family.ts';
import type { BrokenLimit } from '../../request-diagnostic.ts';
import { partOtherThan, TextPart } from './content-parts.ts';

const FilePart = z.looseObject({ type: z.literal('file'), file: z.looseObject({ url: z.string().min(1) }) });
const Message = z.looseObject({
  role: z.enum(['user', 'system', 'assistant', 'tool']).describe('`tool` answers a call of a tool'),
  content: z.union([z.string(), z.array(z.union([TextPart, FilePart, partOtherThan('text', 'file')]))]).nullish(),
});

const FunctionTool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().min(1),
    description: z.string().optional(),
    parameters: z
      .looseObject({ type: z.literal('object').optional() })
      .optional()
      .describe('JSON Schema of an object'),
  }),
});
const SearchTool = z.looseObject({
  type: z.literal('web_search_20250305'),
  name: z.string().min(1),
  max_uses: z.int().min(1).optional(),
});

const ResponseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ name: z.string().min(1), schema: z.looseObject({}).describe('JSON Schema') }),
  }),
]);

const ToolChoice = z.union([
  z.string(),
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
]);

/** Contract: “Vendor extension fields”. Which model families support which is not shown: all pass to all. */
const EXTENSIONS = {
  enable_thinking: z.boolean().optional(),
  enable_search: z.boolean().optional(),
  search_options: z
    .looseObject({ search_strategy: z.enum(['standard', 'pro']).optional(), forced_search: z.boolean().optional() })
    .optional(),
  search_parameters: z
    .looseObject({
      mode: z.string().optional().describe('for example `auto`'),
      return_citations: z.boolean().optional(),
    })
    .optional(),
  reasoning_effort: z.enum(['low', 'medium', 'high']).optional(),
};

/** Contract: “Chat completions”. Fields that are not shown pass. */
export const ChatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  temperature: z.number().min(0).max(2).optional(),
  stream: z.boolean().optional(),
  max_tokens: z.int().min(1).optional(),
  response_format: ResponseFormat.optional(),
  top_p: z.number().min(0).max(1).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  stop: z.union([z.string(), z.array(z.string())]).optional(),
  seed: z.int().optional(),
  user: z.string().optional(),
  n: z.int().min(1).default(1),
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).optional().describe('token ID to bias'),
  tools: z.array(z.discriminatedUnion('type', [FunctionTool, SearchTool])).optional(),
  tool_choice: ToolChoice.optional(),
  ...EXTENSIONS,
});
export type ChatRequest = z.input<typeof ChatRequest>;

type Tool = NonNullable<ChatRequest['tools']>[number];

const nameOf = (tool: Tool): string => (tool.type === 'function' ? tool.function.name : tool.name);

/** The values of `tool_choice` that do not name a tool. */
const CHOICES: readonly string[] = ['auto', 'none', 'required'];

function unknownTool({ tools = [], tool_choice: choice }: ChatRequest): readonly BrokenLimit[] {
  if (choice === undefined || (typeof choice === 'string' && CHOICES.includes(choice))) return [];
  const [path, name] =
    typeof choice === 'string' ? ['tool_choice', choice] : ['tool_choice.function.name', choice.function.name];
  if (tools.map(nameOf).includes(name)) return [];
  return [{ path, message: `${JSON.stringify(name)} is none of ${CHOICES.join(', ')}, and no tool of \`tools\`` }];
}

const isEmptyMessage = ({ role, content, tool_calls: calls }: ChatRequest['messages'][number]): boolean =>
  (content ?? undefined) === undefined && !(role === 'assistant' && Array.isArray(calls) && calls.length > 0);

const RULES: readonly Rule<ChatRequest>[] = [
  {
    field: 'messages[].content',
    limit: 'required, except with `tool_calls` in a message of the assistant',
    check: ({ messages }) =>
      messages.flatMap((message, index) =>
        isEmptyMessage(message) ? [{ path: `messages[${index}].content`, message: 'is missing' }] : [],
      ),
  },
  {
    field: 'tool_choice',
    limit: `${CHOICES.map((choice) => `\`${choice}\``).join(', ')}, or the name of one of \`tools\`; also as \`{type: "function", function: {name}}\``,
    check: unknownTool,
  },
];

export const CHAT: Family<ChatRequest> = {
  id: 'chat',
  title: 'Chat completions',
  endpoint: 'chat',
  form: 'json',
  body: ChatRequest,
  rules: RULES,
  media: [],
};
