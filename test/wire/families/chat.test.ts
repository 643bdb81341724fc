import { describe, expect, it } from 'vitest';
import { CHAT, ChatRequest } from '../../../src/wire/index.ts';
import { describeRows } from './rows.ts';

const base = { model: 'alpha-chat-1', messages: [{ role: 'user', content: 'hi' }] };
const chat = { family: CHAT, base };
const tool = (name: unknown) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });
const searchTool = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 };
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const format = (schema: object) => ({ type: 'json_schema', json_schema: schema });
const CONTENT = 'messages[0].content';

describeRows('Chat completions', [
  {
    title: '`model`: string, required',
    ...chat,
    accepts: [{ model: 'm' }],
    refuses: [
      [{ model: undefined }, 'model'],
      [{ model: '' }, 'model'],
      [{ model: 1 }, 'model'],
    ],
  },
  {
    title: '`messages`: array, required, items with `role` and `content` of text or parts',
    ...chat,
    accepts: [
      { 'messages[0].role': 'system' },
      { 'messages[0].role': 'assistant' },
      { 'messages[0].role': 'tool', 'messages[0].tool_call_id': 'c1' },
      { [CONTENT]: '' },
      { [CONTENT]: [{ type: 'text', text: 'a' }] },
      { [CONTENT]: [{ type: 'file', file: { url: 'https://example.com/a.pdf' } }] },
      { [CONTENT]: [{ type: 'file', file: { url: 'f' } }] },
      { [CONTENT]: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
      { 'messages[1]': { role: 'assistant', content: null, tool_calls: [call] } },
      { 'messages[1]': { role: 'assistant', tool_calls: [call] } },
    ],
    refuses: [
      [{ messages: undefined }, 'messages'],
      [{ messages: [] }, 'messages'],
      [{ messages: 'hi' }, 'messages'],
      [{ 'messages[0]': 'hi' }, 'messages[0]'],
      [{ 'messages[0].role': undefined }, 'messages[0].role'],
      [{ 'messages[0].role': 'robot' }, 'messages[0].role'],
      [{ [CONTENT]: undefined }, CONTENT],
      [{ [CONTENT]: null }, CONTENT],
      [{ [CONTENT]: 5 }, CONTENT],
      [{ 'messages[1]': { role: 'assistant', content: null, tool_calls: [] } }, 'messages[1].content'],
      [{ 'messages[1]': { role: 'user', tool_calls: [call] } }, 'messages[1].content'],
      [{ [CONTENT]: ['a'] }, `${CONTENT}[0]`],
      [{ [CONTENT]: [{ text: 'a' }] }, `${CONTENT}[0].type`],
      [{ [CONTENT]: [{ type: 'text' }] }, `${CONTENT}[0].text`],
      [{ [CONTENT]: [{ type: 'text', text: 1 }] }, `${CONTENT}[0].text`],
      [{ [CONTENT]: [{ type: 'file' }] }, `${CONTENT}[0].file`],
      [{ [CONTENT]: [{ type: 'file', file: {} }] }, `${CONTENT}[0].file.url`],
      [
        {
          [CONTENT]: [
            { type: 'text', text: 'a' },
            { type: 'file', file: { url: '' } },
          ],
        },
        `${CONTENT}[1].file.url`,
      ],
    ],
  },
  {
    title: '`temperature`: number, 0-2',
    ...chat,
    accepts: [{ temperature: 0 }, { temperature: 0.7 }, { temperature: 2 }],
    refuses: [
      [{ temperature: -0.01 }, 'temperature'],
      [{ temperature: 2.01 }, 'temperature'],
      [{ temperature: '1' }, 'temperature'],
    ],
  },
  {
    title: '`stream`: boolean',
    ...chat,
    accepts: [{ stream: true }, { stream: false }],
    refuses: [[{ stream: 'true' }, 'stream']],
  },
  {
    title: '`max_tokens`: integer',
    ...chat,
    accepts: [{ max_tokens: 1 }, { max_tokens: 100_000 }],
    refuses: [
      [{ max_tokens: 0 }, 'max_tokens'],
      [{ max_tokens: 1.5 }, 'max_tokens'],
      [{ max_tokens: '1' }, 'max_tokens'],
    ],
  },
  {
    title: '`response_format`: object, `type` one of `text`, `json_object`, `json_schema` with `name` and `schema`',
    ...chat,
    accepts: [
      { response_format: { type: 'text' } },
      { response_format: { type: 'json_object' } },
      { response_format: format({ name: 'n', schema: {} }) },
      { response_format: format({ name: 'n', schema: { type: 'object' }, strict: true }) },
    ],
    refuses: [
      [{ response_format: 'text' }, 'response_format'],
      [{ response_format: {} }, 'response_format.type'],
      [{ response_format: { type: 'xml' } }, 'response_format.type'],
      [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
      [{ response_format: format({ schema: {} }) }, 'response_format.json_schema.name'],
      [{ response_format: format({ name: '', schema: {} }) }, 'response_format.json_schema.name'],
      [{ response_format: format({ name: 'n' }) }, 'response_format.json_schema.schema'],
      [{ response_format: format({ name: 'n', schema: [] }) }, 'response_format.json_schema.schema'],
    ],
  },
  {
    title: '`top_p`: number, 0-1',
    ...chat,
    accepts: [{ top_p: 0 }, { top_p: 1 }],
    refuses: [
      [{ top_p: -0.01 }, 'top_p'],
      [{ top_p: 1.01 }, 'top_p'],
      [{ top_p: null }, 'top_p'],
    ],
  },
  ...['frequency_penalty', 'presence_penalty'].map((field) => ({
    title: `\`${field}\`: number, -2 to 2`,
    ...chat,
    accepts: [{ [field]: -2 }, { [field]: 2 }] as const,
    refuses: [
      [{ [field]: -2.01 }, field],
      [{ [field]: 2.01 }, field],
      [{ [field]: '0' }, field],
    ] as const,
  })),
  {
    title: '`stop`: string or array',
    ...chat,
    accepts: [{ stop: '\n' }, { stop: ['a', 'b'] }],
    refuses: [
      [{ stop: 1 }, 'stop'],
      [{ stop: ['a', 1] }, 'stop[1]'],
    ],
  },
  {
    title: '`seed`: integer',
    ...chat,
    accepts: [{ seed: 0 }, { seed: -7 }],
    refuses: [
      [{ seed: 0.5 }, 'seed'],
      [{ seed: '1' }, 'seed'],
    ],
  },
  { title: '`user`: string', ...chat, accepts: [{ user: 'u' }], refuses: [[{ user: 1 }, 'user']] },
  {
    title: '`n`: integer, candidates',
    ...chat,
    accepts: [{ n: 1 }, { n: 5 }],
    refuses: [
      [{ n: 0 }, 'n'],
      [{ n: 1.5 }, 'n'],
    ],
  },
  {
    title: '`logit_bias`: object, token ID to bias, -100 to 100',
    ...chat,
    accepts: [{ logit_bias: {} }, { logit_bias: { 50256: -100, 7: 100 } }],
    refuses: [
      [{ logit_bias: { 50256: -100.5 } }, 'logit_bias.50256'],
      [{ logit_bias: { 50256: 1, 7: 101 } }, 'logit_bias.7'],
      [{ logit_bias: { 7: '1' } }, 'logit_bias.7'],
      [{ logit_bias: [1] }, 'logit_bias'],
    ],
  },
  {
    title: '`tools`: array, each with `type` and `function`, or the vendor search tool with `name` and `max_uses`',
    ...chat,
    accepts: [
      { tools: [tool('f')] },
      { tools: [{ type: 'function', function: { name: 'f', description: 'd' } }] },
      { tools: [searchTool, tool('f')] },
      { tools: [{ type: 'web_search_20250305', name: 's', max_uses: 1 }] },
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      { 'tools[0]': tool('f'), 'tools[0].function.parameters': {} },
    ],
    refuses: [
      [{ tools: {} }, 'tools'],
      [{ tools: [{ function: { name: 'f' } }] }, 'tools[0].type'],
      [{ tools: [{ ...tool('f'), type: 'web_search' }] }, 'tools[0].type'],
      [{ tools: [{ type: 'function' }] }, 'tools[0].function'],
      [{ tools: [tool('f'), tool(undefined)] }, 'tools[1].function.name'],
      [{ tools: [tool('')] }, 'tools[0].function.name'],
      [{ 'tools[0]': { type: 'function', function: { name: 'f', description: 1 } } }, 'tools[0].function.description'],
      [{ 'tools[0]': tool('f'), 'tools[0].function.parameters': [] }, 'tools[0].function.parameters'],
      [{ 'tools[0]': tool('f'), 'tools[0].function.parameters.type': 'string' }, 'tools[0].function.parameters.type'],
      [{ tools: [{ ...searchTool, name: undefined }] }, 'tools[0].name'],
      [{ tools: [{ ...searchTool, name: '' }] }, 'tools[0].name'],
      [{ tools: [{ ...searchTool, max_uses: 0 }] }, 'tools[0].max_uses'],
      [{ tools: [{ ...searchTool, max_uses: 1.5 }] }, 'tools[0].max_uses'],
      [{ tools: [{ ...searchTool, max_uses: '3' }] }, 'tools[0].max_uses'],
    ],
  },
  {
    title: '`tool_choice`: string, `auto`, `none`, `required`, or a tool name',
    family: CHAT,
    base: { ...base, tools: [tool('f'), searchTool] },
    accepts: [
      { tool_choice: 'auto' },
      { tool_choice: 'none' },
      { tool_choice: 'required' },
      { tool_choice: 'f' },
      { tool_choice: 'web_search' },
      { tool_choice: { type: 'function', function: { name: 'f' } } },
    ],
    refuses: [
      [{ tool_choice: 'g' }, 'tool_choice'],
      [{ tool_choice: 'AUTO' }, 'tool_choice'],
      [{ tool_choice: '' }, 'tool_choice'],
      [{ tool_choice: 'f', tools: undefined }, 'tool_choice'],
      [{ tool_choice: 1 }, 'tool_choice'],
      [{ tool_choice: { type: 'function' } }, 'tool_choice.function'],
      [{ tool_choice: { type: 'function', function: {} } }, 'tool_choice.function.name'],
      [{ tool_choice: { type: 'function', function: { name: 1 } } }, 'tool_choice.function.name'],
      [{ tool_choice: { type: 'function', function: { name: 'g' } } }, 'tool_choice.function.name'],
    ],
  },
]);

describeRows('Chat completions, vendor extension fields', [
  ...['enable_thinking', 'enable_search'].map((field) => ({
    title: `\`${field}\`: boolean`,
    ...chat,
    accepts: [{ [field]: true }, { [field]: false }] as const,
    refuses: [[{ [field]: 'yes' }, field]] as const,
  })),
  {
    title: '`search_options.search_strategy`: string, `standard` or `pro`',
    ...chat,
    accepts: [{ 'search_options.search_strategy': 'standard' }, { 'search_options.search_strategy': 'pro' }],
    refuses: [
      [{ 'search_options.search_strategy': 'max' }, 'search_options.search_strategy'],
      [{ search_options: 'pro' }, 'search_options'],
    ],
  },
  {
    title: '`search_options.forced_search`: boolean',
    ...chat,
    accepts: [{ 'search_options.forced_search': true }],
    refuses: [[{ 'search_options.forced_search': 1 }, 'search_options.forced_search']],
  },
  {
    title: '`search_parameters.mode`: string, for example `auto`',
    ...chat,
    accepts: [{ 'search_parameters.mode': 'auto' }, { 'search_parameters.mode': 'on' }],
    refuses: [
      [{ 'search_parameters.mode': true }, 'search_parameters.mode'],
      [{ search_parameters: [] }, 'search_parameters'],
    ],
  },
  {
    title: '`search_parameters.return_citations`: boolean',
    ...chat,
    accepts: [{ 'search_parameters.return_citations': true }],
    refuses: [[{ 'search_parameters.return_citations': 'true' }, 'search_parameters.return_citations']],
  },
  {
    title: '`reasoning_effort`: string, `low`, `medium`, `high`',
    ...chat,
    accepts: [{ reasoning_effort: 'low' }, { reasoning_effort: 'medium' }, { reasoning_effort: 'high' }],
    refuses: [
      [{ reasoning_effort: 'none' }, 'reasoning_effort'],
      [{ reasoning_effort: 'xhigh' }, 'reasoning_effort'],
    ],
  },
]);

describeRows('Limits, text', [
  {
    title: '`temperature`: 0-2',
    ...chat,
    accepts: [{ temperature: 0 }, { temperature: 2 }],
    refuses: [
      [{ temperature: -1e-9 }, 'temperature'],
      [{ temperature: 2.000001 }, 'temperature'],
    ],
  },
  {
    title: '`top_p`: 0-1',
    ...chat,
    accepts: [{ top_p: 0 }, { top_p: 1 }],
    refuses: [
      [{ top_p: -1e-9 }, 'top_p'],
      [{ top_p: 1.000001 }, 'top_p'],
    ],
  },
  {
    title: '`frequency_penalty`, `presence_penalty`: -2 to 2',
    ...chat,
    accepts: [
      { frequency_penalty: -2, presence_penalty: -2 },
      { frequency_penalty: 2, presence_penalty: 2 },
    ],
    refuses: [
      [{ frequency_penalty: -2.000001, presence_penalty: 2.000001 }, ['frequency_penalty', 'presence_penalty']],
      [{ frequency_penalty: 2.000001, presence_penalty: -2.000001 }, ['frequency_penalty', 'presence_penalty']],
    ],
  },
  {
    title: '`logit_bias` values: -100 to 100',
    ...chat,
    accepts: [{ logit_bias: { 1: -100, 2: 100 } }],
    refuses: [[{ logit_bias: { 1: -100.01, 2: 100.01 } }, ['logit_bias.1', 'logit_bias.2']]],
  },
]);

describe('a chat request that omits it', () => {
  it('asks for one candidate', () => {
    expect(ChatRequest.parse(base).n).toBe(1);
  });
});
