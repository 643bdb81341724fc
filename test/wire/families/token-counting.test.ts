import { describe, expect, it } from 'vitest';
import { IMAGE_TOKENS, INFERENCE_API, TOKEN_COUNTING } from '../../../src/wire/index.ts';
import { describeRows } from './rows.ts';

const row = { family: TOKEN_COUNTING, base: { model: 'beta-chat-1', messages: [{ role: 'user', content: 'hi' }] } };
const CONTENT = 'messages[0].content';
const image = (source: unknown) => ({ type: 'image', source });

describeRows('Token counting', [
  {
    title: '`model`: string, required',
    ...row,
    accepts: [{ model: 'm' }],
    refuses: [
      [{ model: undefined }, 'model'],
      [{ model: '' }, 'model'],
    ],
  },
  {
    title: '`messages`: array, required, items with `role` and `content` of text or parts',
    ...row,
    accepts: [
      { 'messages[1]': { role: 'assistant', content: 'a' } },
      { [CONTENT]: [{ type: 'text', text: 'a' }] },
      { [CONTENT]: [image({ type: 'url', url: 'https://example.com/a.png' })] },
      { [CONTENT]: [image({ type: 'url', url: 'u' })] },
      { [CONTENT]: [{ type: 'tool_result', tool_use_id: 't' }] },
      { [CONTENT]: [{ type: 'tool_result', tool_use_id: 't', content: 'sunny' }] },
      { [CONTENT]: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'sunny' }] }] },
      { [CONTENT]: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
    ],
    refuses: [
      [{ messages: undefined }, 'messages'],
      [{ messages: [] }, 'messages'],
      [{ 'messages[0].role': undefined }, 'messages[0].role'],
      [{ 'messages[0].role': 'system' }, 'messages[0].role'],
      [{ [CONTENT]: undefined }, CONTENT],
      [{ [CONTENT]: null }, CONTENT],
      [{ [CONTENT]: [{ type: 'text' }] }, `${CONTENT}[0].text`],
      [{ [CONTENT]: [{ type: 'image' }] }, `${CONTENT}[0].source`],
      [{ [CONTENT]: [image({ type: 'url' })] }, `${CONTENT}[0].source.url`],
      [
        { [CONTENT]: [image({ type: 'base64', data: 'AQI=' })] },
        [`${CONTENT}[0].source.type`, `${CONTENT}[0].source.url`],
      ],
      [{ [CONTENT]: [image({ type: 'url', url: '' })] }, `${CONTENT}[0].source.url`],
      [{ [CONTENT]: [{ type: 'tool_result', tool_use_id: 5 }] }, `${CONTENT}[0].tool_use_id`],
      [{ [CONTENT]: [{ type: 'tool_result', content: 5 }] }, `${CONTENT}[0].content`],
    ],
  },
  {
    title: '`system`: string or array',
    ...row,
    accepts: [{ system: 'be brief' }, { system: [{ type: 'text', text: 'be brief' }, {}] }],
    refuses: [
      [{ system: 1 }, 'system'],
      [{ system: ['be brief'] }, 'system[0]'],
      [{ system: [{ type: 'text', text: 1 }] }, 'system[0].text'],
    ],
  },
  {
    title: '`tools`: array, items with `name`, `description`, `input_schema`',
    ...row,
    accepts: [{ tools: [{ name: 'f', description: 'd', input_schema: { type: 'object' } }] }, { tools: [] }],
    refuses: [
      [{ tools: { name: 'f' } }, 'tools'],
      [{ tools: [{ description: 'd', input_schema: {} }] }, 'tools[0].name'],
      [{ tools: [{ name: '' }] }, 'tools[0].name'],
      [{ tools: [{ name: 'f', description: 1 }] }, 'tools[0].description'],
      [{ tools: [{ name: 'f', input_schema: 'object' }] }, 'tools[0].input_schema'],
    ],
  },
  {
    title: 'output parameters such as `max_tokens` are not part of the request, and are ignored',
    ...row,
    accepts: [
      { metadata: { user_id: 'u' } },
      { max_tokens: 100, temperature: 1, top_p: 1, top_k: 4 },
      { stop_sequences: [], stream: false },
    ],
    refuses: [[{ max_tokens: 100, model: undefined }, 'model']],
  },
]);

describe('Limits, token counting', () => {
  it('no quota is consumed', () => {
    expect(INFERENCE_API.countTokens.pays).toBe(false);
  });

  it('image tokens are a fixed estimate of about 1000', () => {
    expect(IMAGE_TOKENS).toBe(1000);
  });
});
