import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/index.ts';
import { faultOf } from '../../http/client.ts';
import { inSequence, respondWith, serve } from '../../http/loopback.ts';
import { bodyOf, open, TOKEN } from '../system/scripted.ts';
import { CHAT, connected, inferenceAt, KEY } from './scripted-inference.ts';

const PONG = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'pong', reasoning_content: 'hm' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  more: { unknown: true },
};

describe('a request', () => {
  test.each([
    ['timeoutMs', Number.NaN],
    ['timeoutMs', Number.POSITIVE_INFINITY],
    ['timeoutMs', -1],
    ['timeoutMs', '500'],
    ['maxRetries', Number.NaN],
    ['maxRetries', -1],
    ['maxRetries', 1.5],
    ['timeouts', { totalMs: Number.NaN }],
    ['timeouts', { headersMs: Number.POSITIVE_INFINITY }],
    ['timeouts', 500],
    ['headers', [['x-team', 'a']]],
    ['headers', { 'x-team': 5 }],
    ['signal', new AbortController()],
    ['deadlineMs', Number.NaN],
    ['deadlineMs', -1],
    ['onTask', 'log'],
  ])('is not sent with the option %s: %o', async (name, value) => {
    const { server, inference } = await connected(respondWith(200, PONG));
    const options = { [name]: value } as never;
    const calls = [
      inference.models(options),
      inference.chat(CHAT, options),
      inference.streamChat(CHAT, options),
      inference.awaitVideo('task', options),
      inference.readUrl(server.url, options),
    ];
    for (const call of calls) {
      expect(await faultOf(call)).toMatchObject({
        code: 'usage.invalid',
        message: expect.stringContaining(`\`${name}\``),
      });
    }
    expect(server.seen).toEqual([]);
  });

  test('carries the API key and not the account’s credentials', async () => {
    const { server, inference } = await connected(respondWith(200, PONG));
    await inference.chat(CHAT);
    const { headers, method, url } = server.seen[0] ?? {};
    expect([method, url, headers?.authorization]).toEqual(['POST', '/v1/chat/completions', `Bearer ${KEY}`]);
    expect(JSON.stringify(headers)).not.toContain(TOKEN);
    expect(headers?.['new-api-user']).toBeUndefined();
  });

  test('accepts a key with or without its prefix', async () => {
    const server = await serve(respondWith(200, { data: [] }));
    await open(server.url)
      .inference(new Secret(KEY.slice(3)))
      .models();
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test.each(['', 'sk-', 'a b', 'a\n', 'ключ'])('with the key %j is usage.invalid, and nothing is sent', (key) => {
    const gateway = open('http://127.0.0.1:1');
    expect(() => gateway.inference(new Secret(key))).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
  });

  test('that breaks limits is request.invalid with all issues, and is not sent', async () => {
    const { server, inference } = await connected(respondWith(200, PONG));
    const fault = await faultOf(inference.chat({ ...CHAT, temperature: 3, top_p: -1 }));
    expect(fault.code).toBe('request.invalid');
    expect(fault.message).toContain('temperature');
    expect(fault.message).toContain('top_p');
    expect(fault.detail.issues).toHaveLength(2);
    expect(server.seen).toHaveLength(0);
  });

  test('encodes a model in the path as one segment', async () => {
    const { server, inference } = await connected(respondWith(200, { embedding: { values: [1] } }));
    const ask = { content: { parts: [{ text: 'a' }] } };
    for (const model of ['eta-embedding-001', 'a/b?c#d', '..', 'ä', '$&']) await inference.embedNative(model, ask);
    expect(server.seen.map(({ url }) => url)).toEqual(
      ['eta-embedding-001', 'a%2Fb%3Fc%23d', '..', '%C3%A4', '%24%26'].map((it) => `/v1/models/${it}:embedContent`),
    );
    expect((await faultOf(inference.embedNative(' ', ask))).code).toBe('request.invalid');
  });

  test('is cancelled by its signal', async () => {
    const { server, inference } = await connected(respondWith(200, PONG));
    const fault = await faultOf(inference.chat(CHAT, { signal: AbortSignal.abort() }));
    expect([fault.code, fault.detail.sent]).toEqual(['gateway.interrupted', 'no']);
    expect(server.seen).toHaveLength(0);
  });
});

describe('a result', () => {
  test('has the parsed and the raw response, with its timing and its id', async () => {
    const { inference } = await connected(respondWith(200, PONG, { 'x-request-id': 'req-1' }));
    const got = await inference.chat(CHAT);
    expect(got.value.choices[0]?.message).toMatchObject({ content: 'pong', reasoning_content: 'hm' });
    expect(got).toMatchObject({ raw: PONG, status: 200, requestId: 'req-1', timing: { firstByteMs: 0, totalMs: 0 } });
  });

  test('is requested without a stream, whatever the request sets', async () => {
    const { server, inference } = await connected(respondWith(200, PONG));
    await inference.chat({ ...CHAT, stream: true });
    expect(bodyOf(server.seen[0])).toEqual(CHAT);
  });

  test('of a responses-style request has the whole text', async () => {
    const output = [
      { type: 'reasoning', summary: [] },
      {
        type: 'message',
        content: [
          { type: 'output_text', text: 'po' },
          { type: 'output_text', text: 'ng' },
        ],
      },
    ];
    const { server, inference } = await connected(
      respondWith(200, { id: 'r', status: 'completed', error: null, output }),
    );
    const got = await inference.respond({ model: 'm', input: 'ping', reasoning: { effort: 'none' } });
    expect(got.value.outputText).toBe('pong');
    expect(server.seen[0]?.url).toBe('/v1/responses');
  });

  test('of the model listing has each model once', async () => {
    const { inference } = await connected(
      respondWith(200, { object: 'list', data: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] }),
    );
    expect((await inference.models()).value).toEqual(['a', 'b']);
  });

  test('of token counting is a number', async () => {
    const { server, inference } = await connected(respondWith(200, { input_tokens: 42 }));
    const got = await inference.countTokens({ model: 'm', messages: [{ role: 'user', content: 'a' }] });
    expect(got.value.input_tokens).toBe(42);
    expect(server.seen[0]?.url).toBe('/v1/messages/count_tokens');
  });
});

describe('vectors', () => {
  const ask = { model: 'text-embedding-3-small', input: ['a', 'b'] };
  const listed = (...embeddings: readonly unknown[]) => ({
    object: 'list',
    data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: 'text-embedding-3-small',
  });

  test('are numbers in both encodings', async () => {
    const bytes = Buffer.alloc(8);
    bytes.writeFloatLE(0.5, 0);
    bytes.writeFloatLE(-2, 4);
    const { inference } = await connected(respondWith(200, listed([0.5, -2], bytes.toString('base64'))));
    const { data } = (await inference.embed(ask)).value;
    expect(data.map(({ embedding }) => Array.from(embedding))).toEqual([
      [0.5, -2],
      [0.5, -2],
    ]);
    expect(data[1]?.embedding).toBeInstanceOf(Float32Array);
  });

  test.each(['AAA', '***', 'AAAAAAA='])('in invalid Base64, %s, are gateway.unexpected-shape', async (text) => {
    const { inference } = await connected(respondWith(200, listed(text)));
    expect((await faultOf(inference.embed(ask))).code).toBe('gateway.unexpected-shape');
  });

  test('of the native format are available singly and in a batch, without a model in the body', async () => {
    const part = { content: { parts: [{ text: 'a' }] } };
    const { server, inference } = await connected(
      inSequence(
        respondWith(200, { embedding: { values: [1, 0] }, metadata: { usage: { prompt_tokens: 1, total_tokens: 1 } } }),
        respondWith(200, { embeddings: [{ values: [1, 0] }, { embedding: { values: [0, 1] } }] }),
      ),
    );
    const one = await inference.embedNative('text-embedding-004', part);
    const many = await inference.embedNativeBatch('text-embedding-004', [part, part]);
    expect(one.value.embedding.values).toEqual([1, 0]);
    expect(many.value.embeddings.map(({ values }) => values)).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/v1/models/text-embedding-004:embedContent',
      '/v1/models/text-embedding-004:batchEmbedContents',
    ]);
    expect(server.seen.map(bodyOf)).toEqual([part, { requests: [part, part] }]);
  });
});

test('all requests share the gateway’s rate limit and the concurrency limit', async () => {
  const { server } = await connected(respondWith(200, PONG));
  const inference = inferenceAt(server.url, { concurrency: 1 });
  const got = await Promise.all([inference.chat(CHAT), inference.chat(CHAT)]);
  expect(got.map(({ status }) => status)).toEqual([200, 200]);
});
