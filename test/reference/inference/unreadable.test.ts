import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, rawAnswer, SEED, send, startTestGateway, type TestGateway } from '../harness.ts';

let gateway: TestGateway;
beforeAll(async () => {
  const keys = [{ id: 1, name: 'plain', key: 'plain', unlimited_quota: true }];
  const models = { ...SEED.models, 'alpha-image-1': { price: 0.01 } };
  gateway = await startTestGateway({ seed: { ...SEED, models, keys } });
});
afterAll(() => gateway.close());

const post = (path: string, body: string | FormData, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, { method: 'POST', body, headers: { authorization: 'Bearer sk-plain', ...headers } });
const errorOf = async (answer: Response): Promise<unknown> => {
  const { error } = (await answer.json()) as { error: Body };
  return [answer.status, error.code];
};
const JSON_TYPE = { 'content-type': 'application/json' };

describe('an unreadable request', () => {
  it.each(['{bad', '[1,', '"'])('is rejected when its body is %s', async (body) => {
    expect(await errorOf(await post('/v1/chat/completions', body, JSON_TYPE))).toEqual([400, 'unreadable_body']);
  });

  it.each(['', '{}', 'null', '[]', '7'])('is rejected when its body %s names no model', async (body) => {
    expect(await errorOf(await post('/v1/chat/completions', body, JSON_TYPE))).toEqual([400, 'invalid_request']);
  });

  it('is rejected for its key before its body is read', async () => {
    const foreign = { ...JSON_TYPE, authorization: 'Bearer sk-unknown' };
    expect((await post('/v1/chat/completions', '{bad', foreign)).status).toBe(401);
  });

  it('is rejected when no family accepts its media type', async () => {
    const xml = { 'content-type': 'application/xml' };
    expect((await post('/v1/chat/completions', '<a/>', xml)).status).toBe(400);
  });

  it('is rejected when it is a form instead of JSON, or JSON instead of a form', async () => {
    const form = new FormData();
    form.set('model', 'chat-a');
    expect(await errorOf(await post('/v1/chat/completions', form))).toEqual([400, 'invalid_request']);
    const body = JSON.stringify({ model: 'alpha-image-1', prompt: 'x' });
    expect(await errorOf(await post('/v1/images/edits', body, JSON_TYPE))).toEqual([400, 'invalid_request']);
  });

  it('is rejected when its form breaks off', async () => {
    const broken = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await post(
      '/v1/images/edits',
      '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nalp',
      broken,
    );
    expect(answer.status).toBe(400);
  });

  it.each([
    ['headers', 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n'],
    [
      'body',
      'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk-plain\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('ends with its connection when its %s never arrive', async (_part, bytes) => {
    const keys = [{ id: 1, name: 'plain', key: 'plain', unlimited_quota: true }];
    const impatient = await startTestGateway({ receiveMs: 100, seed: { ...SEED, keys } });
    expect(await rawAnswer(impatient.url, bytes)).toMatch(/^HTTP\/1\.1 408/);
    await impatient.close();
  });

  it.each([
    ['/v1/embeddings', { model: 'chat-a', input: Array.from({ length: 2049 }, () => 'a') }],
    [
      '/v1/models/eta-embedding-001:batchEmbedContents',
      { requests: Array.from({ length: 2049 }, () => ({ content: { parts: [{ text: 'a' }] } })) },
    ],
  ])('is rejected when %s gets more texts than it embeds at once', async (path, body) => {
    const models = { ...SEED.models, 'eta-embedding-001': { ratio: 1 } };
    const keys = [{ id: 1, name: 'plain', key: 'plain', unlimited_quota: true }];
    const other = await startTestGateway({ seed: { ...SEED, models, keys } });
    const answer = await send(other.url + path, 'POST', body, { authorization: 'Bearer sk-plain' });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('At most 2048 texts')]);
    expect((await other.control('GET', '/state')).accounts).toMatchObject([{ quota: 1_000_000 }, {}]);
    await other.close();
  });

  it('is rejected when its texts have more tokens than one request embeds, and when it wants too many answers', async () => {
    const models = { ...SEED.models, 'text-embedding-3-small': { ratio: 1 }, 'eta-embedding-001': { ratio: 1 } };
    const keys = [{ id: 1, name: 'plain', key: 'plain', unlimited_quota: true }];
    const other = await startTestGateway({ seed: { ...SEED, models, keys } });
    const text = 'ab '.repeat(300_001);
    const content = { parts: [{ text }] };
    const messages = [{ role: 'user', content: 'x' }];
    for (const [path, body, words] of [
      ['/v1/embeddings', { model: 'text-embedding-3-small', input: text }, 'At most 300000 tokens'],
      ['/v1/models/eta-embedding-001:embedContent', { content }, 'At most 300000 tokens'],
      ['/v1/models/eta-embedding-001:batchEmbedContents', { requests: [{ content }] }, 'At most 300000 tokens'],
      ['/v1/chat/completions', { model: 'chat-a', messages, n: 129 }, 'n must be at most 128'],
    ] as const) {
      const answer = await send(other.url + path, 'POST', body, { authorization: 'Bearer sk-plain' });
      expect([path, answer.status, answer.text]).toEqual([path, 400, expect.stringContaining(words)]);
    }
    expect((await other.control('GET', '/state')).accounts).toMatchObject([{ quota: 1_000_000 }, {}]);
    await other.close();
  });

  it.each([
    ['values', `[${'[],'.repeat(200_000)}1]`],
    ['levels', `${'['.repeat(501)}${']'.repeat(501)}`],
  ])('is rejected before it is parsed when it has too many %s', async (_what, messages) => {
    const body = `{"model":"chat-a","messages":${messages}}`;
    expect(await errorOf(await post('/v1/chat/completions', body, JSON_TYPE))).toEqual([413, 'body_too_large']);
  });

  it('counts no values inside of strings', async () => {
    const content = '\\"[{,'.repeat(200_000);
    const body = JSON.stringify({ model: 'chat-a', messages: [{ role: 'user', content }], max_tokens: -1 });
    expect(await errorOf(await post('/v1/chat/completions', body, JSON_TYPE))).toEqual([400, 'invalid_request']);
  });

  it.each(['contract', 'deployed'] as const)(
    'has an error of /v1 in profile %s when the gateway fails',
    async (profile) => {
      const keys = [{ id: 1, name: 'plain', key: 'plain', unlimited_quota: true }];
      const ticks = () => {
        throw new Error('no clock');
      };
      const broken = await startTestGateway({ seed: { ...SEED, keys }, profile, ticks });
      const body = { model: 'chat-a', messages: [{ role: 'user', content: 'hello' }] };
      const answer = await send(`${broken.url}/v1/chat/completions`, 'POST', body, {
        authorization: 'Bearer sk-plain',
      });
      expect([answer.status, answer.json]).toMatchObject([500, { error: { code: 'defect' } }]);
      await broken.close();
    },
  );

  it('costs nothing and does not disturb the gateway', async () => {
    const answer = await send(`${gateway.url}/_reference/state`, 'GET');
    expect(answer.json?.log).toEqual([]);
    expect(answer.json?.holds).toEqual([]);
  });
});
