import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RequestFormat } from '../../../src/reference/inference/translated/format.ts';
import { generateContent } from '../../../src/reference/inference/translated/generate-content.ts';
import { messages } from '../../../src/reference/inference/translated/messages.ts';
import { SEED, startTestGateway, type TestGateway } from '../harness.ts';

const PRICED = {
  ...SEED,
  models: { ...SEED.models, priceless: { price: 1_000_000 }, 'eta-embedding-001': { ratio: 1 } },
};

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ profile: 'deployed', seed: PRICED });
});
afterEach(() => gateway.close());

interface Asked {
  readonly path: string;
  readonly body?: object | undefined;
  readonly method?: string;
  /** The header with the key. */
  readonly header?: string;
  /** The settings of the key. */
  readonly settings?: object;
}

async function ask({ path, body, method = 'POST', header = 'x-api-key', settings = {} }: Asked) {
  await gateway.createKey({ name: 'caller', unlimited_quota: true, ...settings });
  const secret = String((await gateway.storedKeys()).at(-1)?.key);
  const { status, text, json } = await gateway.call(method, path, body, { [header]: secret });
  return { status, text, json: json as Record<string, unknown> };
}

const HELLO = { model: 'chat-a', max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] };
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] };
const GOOGLE = '/v1beta/models/chat-a';

/** The data of the events in a stream. */
const dataIn = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));

/** The entry of the newest request in the usage log. */
async function logged() {
  const { json } = await gateway.call('GET', '/api/log/self?type=2');
  const { items } = (json as { data: { items: { other: string; prompt_tokens: number; completion_tokens: number }[] } })
    .data;
  const { other, prompt_tokens, completion_tokens } = items[0] ?? expect.unreachable();
  const { request_path, request_conversion } = JSON.parse(other);
  return { request_path, request_conversion, prompt_tokens, completion_tokens };
}

describe('the Messages API of a deployed gateway', () => {
  it('answers a message with the text of the chat that it means, and bills it as that', async () => {
    const { status, json } = await ask({ path: '/v1/messages', body: { ...HELLO, system: 'be kind' } });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'chat-a',
      content: [{ type: 'text', text: expect.stringContaining('hello') }],
      stop_reason: expect.stringMatching(/^(end_turn|max_tokens)$/),
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    });
    const { input_tokens, output_tokens } = json.usage as Record<string, number>;
    expect(await logged()).toEqual({
      request_path: '/v1/messages',
      request_conversion: ['Claude Messages', 'OpenAI Compatible'],
      prompt_tokens: input_tokens,
      completion_tokens: output_tokens,
    });
  });

  it('streams one block from start to stop, and its usage at the end', async () => {
    const { text } = await ask({ path: '/v1/messages', body: { ...HELLO, stream: true } });
    const events = dataIn(text);
    const types = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    const { completion_tokens } = await logged();
    expect(completion_tokens).toBeGreaterThan(0);
    expect(events.at(-2)).toMatchObject({ usage: { output_tokens: completion_tokens } });
  });

  const RELAY = { type: 'error', error: { type: 'new_api_error', message: expect.any(String) } };
  const DOOR = { error: { type: 'new_api_error', code: '', message: expect.any(String) } };

  it.each([
    ['without messages', { ...HELLO, messages: [] }, {}, 500, RELAY],
    ['that is refused for what it asks', { ...HELLO, max_tokens: -1 }, {}, 500, RELAY],
    ['that the wallet cannot pay', { ...HELLO, model: 'priceless' }, {}, 403, RELAY],
    ['without a model', { messages: HELLO.messages }, {}, 400, DOOR],
    ['to a model that the key may not use', HELLO, { model_limits_enabled: true, model_limits: 'chat-b' }, 403, DOOR],
    ['from a disabled key', HELLO, { expired_time: 1 }, 401, DOOR],
  ])('refuses a request %s', async (_, body, settings, status, expected) => {
    const { json, ...answer } = await ask({ path: '/v1/messages', body, settings });
    expect(answer.status).toBe(status);
    expect(json).toMatchObject(expected);
  });

  it('is at POST only, and not at a gateway that keeps to the contract', async () => {
    expect(await ask({ method: 'GET', path: '/v1/messages' })).toMatchObject({ status: 404 });
    await gateway.close();
    gateway = await startTestGateway({ seed: SEED });
    expect((await gateway.call('POST', '/v1/messages', HELLO)).status).toBe(404);
  });
});

describe('the API of Google at a deployed gateway', () => {
  const google = (path: string, body?: object, more: Partial<Asked> = {}) =>
    ask({ path, body, header: 'x-goog-api-key', ...more });

  it.each([
    `${GOOGLE}:generateContent`,
    `${GOOGLE}:anything`,
    GOOGLE,
    '/v1/models/chat-a:generateContent',
    '/v1/models/chat-a:anything',
  ])('answers %s with a candidate', async (path) => {
    const { status, json } = await google(path, CONTENTS);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      candidates: [{ content: { role: 'model', parts: [{ text: expect.stringContaining('hello') }] }, index: 0 }],
      usageMetadata: { candidatesTokenCount: expect.any(Number) },
    });
    expect(await logged()).toMatchObject({
      request_path: path,
      request_conversion: ['Google Gemini', 'OpenAI Compatible'],
    });
  });

  it.each([`${GOOGLE}:streamGenerateContent?alt=sse`, '/v1/models/chat-a:streamGenerateContent'])(
    'streams %s without the tokens of the answer, which nobody pays',
    async (path) => {
      const events = dataIn((await google(path, CONTENTS)).text);
      expect(events.at(0)).toMatchObject({ candidates: [{ finishReason: null }] });
      expect(events.at(-1)).toMatchObject({ candidates: [{ finishReason: 'STOP', content: { parts: [] } }] });
      for (const event of events) expect(event).toMatchObject({ usageMetadata: { candidatesTokenCount: 0 } });
      expect(await logged()).toMatchObject({ completion_tokens: 0 });
    },
  );

  it.each([
    ['without contents', `${GOOGLE}:generateContent`, {}, {}, 500, { code: 'invalid_request', param: '' }],
    ['for an unknown model', '/v1beta/models/none:generateContent', CONTENTS, {}, 503, { code: 'model_not_found' }],
    [
      'for a model that the key may not use',
      `${GOOGLE}:generateContent`,
      CONTENTS,
      { model_limits_enabled: true, model_limits: 'chat-b' },
      403,
      { code: '' },
    ],
  ])('refuses a request %s', async (_, path, body, settings, status, error) => {
    const { json, ...answer } = await google(path, body, { settings });
    expect(answer.status).toBe(status);
    expect(json).toMatchObject({ error });
  });

  it('refuses a body that cannot be read with 500, because the path has named the model', async () => {
    await gateway.createKey({ name: 'caller', unlimited_quota: true });
    const secret = String((await gateway.storedKeys()).at(-1)?.key);
    const answer = await fetch(`${gateway.url}${GOOGLE}:generateContent`, {
      method: 'POST',
      headers: { 'x-goog-api-key': secret, 'content-type': 'application/json' },
      body: '{garbage',
    });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } });
  });

  it('serves embeddings of families that understand it, and lists the models', async () => {
    const embedded = await google('/v1beta/models/eta-embedding-001:embedContent', {
      content: { parts: [{ text: 'three' }] },
    });
    expect(embedded).toMatchObject({ status: 200, json: { embedding: { values: expect.any(Array) } } });
    const { json } = await google('/v1beta/models', undefined, { method: 'GET' });
    expect(json).toMatchObject({ models: expect.arrayContaining([expect.objectContaining({ name: 'chat-a' })]) });
    const same = await google('/v1beta/openai/models', undefined, { method: 'GET' });
    expect(same.json).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ id: 'chat-a' })]) });
  });
});

const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } };
const COMPLETION = { id: 'c', model: 'm', usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };

async function eventsOf(format: RequestFormat, deltas: readonly object[], finish_reason: string) {
  async function* chunks() {
    for (const delta of deltas)
      yield { ...COMPLETION, usage: undefined, choices: [{ index: 0, delta, finish_reason: null }] };
    yield { ...COMPLETION, choices: [{ index: 0, delta: {}, finish_reason }] };
  }
  const events = [];
  for await (const event of format.fromChunks(chunks(), 1)) events.push(event.text);
  return dataIn(events.join(''));
}

describe('a translated request', () => {
  const history = [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Bern' } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'rain' }] },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'unheard-of' },
      ],
    },
  ];

  it('of the Messages API has the results of tools as messages, and pictures as URLs', () => {
    const schema = { type: 'object' };
    const tools = [{ name: 'weather', description: 'of a city', input_schema: schema }];
    expect(messages.toChat({ model: 'm', messages: history, tools, stop_sequences: ['x'], unknown: 1 })).toEqual({
      model: 'm',
      stop: ['x'],
      tools: [{ type: 'function', function: { name: 'weather', description: 'of a city', parameters: schema } }],
      messages: [
        { role: 'assistant', content: [], tool_calls: [CALL] },
        { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          ],
        },
      ],
    });
  });

  it('of Google has the results of functions as messages, and the settings of a chat', () => {
    const contents = [
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Bern' } } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'weather', response: { sky: 'rain' } } },
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        ],
      },
    ];
    const body = {
      contents,
      systemInstruction: { parts: [{ text: 'be ' }, { text: 'kind' }] },
      tools: [{ functionDeclarations: [{ name: 'weather', parameters: { type: 'object' } }] }],
      generationConfig: { maxOutputTokens: 9, candidateCount: 2, responseMimeType: 'application/json', seed: 4 },
    };
    expect(generateContent.toChat(body)).toEqual({
      max_tokens: 9,
      n: 2,
      seed: 4,
      response_format: { type: 'json_object' },
      tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
      messages: [
        { role: 'system', content: 'be kind' },
        { role: 'assistant', content: [], tool_calls: [{ ...CALL, id: 'weather' }] },
        { role: 'tool', tool_call_id: 'weather', content: '{"sky":"rain"}' },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
      ],
    });
  });

  it('of either kind is answered with the calls of functions', async () => {
    const completion = {
      ...COMPLETION,
      choices: [{ index: 0, message: { tool_calls: [CALL] }, finish_reason: 'tool_calls' }],
    };
    expect(messages.fromCompletion(completion)).toMatchObject({
      content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Bern' } }],
      stop_reason: 'tool_use',
    });
    expect(generateContent.fromCompletion(completion)).toMatchObject({
      candidates: [{ content: { parts: [{ functionCall: { name: 'weather', args: { city: 'Bern' } } }] } }],
    });
  });

  it('of the Messages API streams thoughts, text and calls as blocks of their own', async () => {
    const deltas = [{ reasoning_content: 'hm' }, { content: 'a' }, { content: 'b' }, { tool_calls: [CALL] }];
    const events = await eventsOf(messages, deltas, 'tool_calls');
    const starts = events.filter(({ type }) => type === 'content_block_start');
    expect(starts.map(({ index, content_block: block }) => [index, (block as { type: string }).type])).toEqual([
      [0, 'thinking'],
      [1, 'text'],
      [2, 'tool_use'],
    ]);
    expect(events.filter(({ type }) => type === 'content_block_stop').map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(events.filter(({ index, delta }) => index === 1 && delta).map(({ delta }) => delta)).toEqual([
      { type: 'text_delta', text: 'a' },
      { type: 'text_delta', text: 'b' },
    ]);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } });
  });

  it('of Google streams the calls of functions', async () => {
    const events = await eventsOf(
      generateContent,
      [{ role: 'assistant', content: '' }, { tool_calls: [CALL] }],
      'tool_calls',
    );
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({
      candidates: [{ content: { parts: [{ functionCall: { name: 'weather', args: { city: 'Bern' } } }] } }],
    });
  });

  it('passes on the error of an upstream by its code', () => {
    const theirs = { message: 'no', type: 'invalid_request_error', code: 'invalid_api_key' };
    expect(messages.fromError(theirs)).toEqual({ type: 'error', error: { type: 'invalid_api_key', message: 'no' } });
    expect(generateContent.fromError(theirs)).toEqual({ error: theirs });
  });
});
