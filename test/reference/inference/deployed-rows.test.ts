import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SEED, startTestGateway, type TestGateway } from '../harness.ts';

const VIDEO = 'delta-H3';
const seed = { ...SEED, models: { ...SEED.models, [VIDEO]: { price: 0.01 } } };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ profile: 'deployed', seed });
});
afterEach(() => gateway.close());

/** The status and the code of an answer to a new key. */
async function asked(
  settings: object,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; text: string; json: unknown; code: unknown }> {
  await gateway.createKey({ name: 'caller', ...settings });
  const secret = String((await gateway.storedKeys()).at(-1)?.key);
  const { status, text, json } = await gateway.call(method, path, body, { authorization: `Bearer sk-${secret}` });
  return { status, text, json, code: (json as { error?: { code?: unknown } } | undefined)?.error?.code };
}

const ALLOWLIST = { model_limits_enabled: true, model_limits: `chat-a,${VIDEO}` };
const COMPLETE = {
  prompt: 'a harbour',
  metadata: { content: [{ type: 'text', text: 'a harbour' }], resolution: '768P', duration: 4, ratio: '16:9' },
};
const CHAT = '/v1/chat/completions';
const VIDEOS = '/v1/video/generations';

describe('a deployed gateway', () => {
  it.each([
    ['without messages', {}],
    ['with an empty list of messages', { messages: [] }],
    ['with a text as messages', { messages: 'hello' }],
  ])('answers a chat %s with 500', async (_, body) => {
    expect(await asked({}, 'POST', CHAT, { model: 'chat-a', ...body })).toMatchObject({
      status: 500,
      code: 'invalid_request',
    });
  });

  it.each([undefined, { include_usage: true }])(
    'ends a stream of a chat with its usage, asked with %j',
    async (stream_options) => {
      const messages = [{ role: 'user', content: 'hello' }];
      const { text } = await asked({}, 'POST', CHAT, { model: 'chat-a', messages, stream: true, stream_options });
      const [last] = text
        .split('\n\n')
        .filter((event) => event.startsWith('data: {'))
        .slice(-1);
      expect(JSON.parse(String(last).slice('data: '.length))).toMatchObject({
        choices: [],
        usage: { total_tokens: expect.any(Number) },
      });
    },
  );

  it('has no token counting, with or without a key', async () => {
    const path = '/v1/messages/count_tokens';
    expect(await asked({}, 'POST', path, { model: 'chat-a', messages: [] })).toMatchObject({ status: 404 });
    expect((await gateway.call('POST', path, {}, {})).status).toBe(404);
  });

  it('refuses an incomplete video in a shape of its own, and a bad key as ever', async () => {
    const { status, json } = await asked({}, 'POST', VIDEOS, { model: VIDEO });
    expect([status, json]).toEqual([400, { code: 'invalid_request', message: expect.any(String), data: null }]);
    const refused = await gateway.call('POST', VIDEOS, { model: VIDEO }, { authorization: 'Bearer sk-none' });
    expect([refused.status, refused.json]).toMatchObject([401, { error: { type: 'new_api_error' } }]);
  });

  it('refuses a request without a model to a key with an allowlist', async () => {
    expect(await asked(ALLOWLIST, 'POST', CHAT, { messages: [] })).toMatchObject({ status: 403, code: '' });
    expect(await asked({}, 'POST', CHAT, { messages: [] })).toMatchObject({ status: 400 });
  });

  it('refuses the query of a video task to a key with an allowlist', async () => {
    const submitted = await asked({}, 'POST', VIDEOS, { model: VIDEO, ...COMPLETE });
    const { task_id: id } = submitted.json as { task_id: string };
    expect(await asked({}, 'GET', `${VIDEOS}/${id}`)).toMatchObject({ status: 200 });
    expect(await asked(ALLOWLIST, 'GET', `${VIDEOS}/${id}`)).toMatchObject({ status: 403, code: '' });
  });
});
