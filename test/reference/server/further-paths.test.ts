import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ANNA,
  BERT,
  headersOf,
  SEED,
  startTestGateway,
  type TestAnswer,
  type TestGateway,
  UNLIMITED,
} from '../harness.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ profile: 'deployed' });
});
afterEach(() => gateway.close());

/** Makes a key, and returns the header with its credential. */
async function newKey(at: TestGateway, settings: object = {}): Promise<{ authorization: string }> {
  await at.createKey({ name: 'used', ...settings });
  return { authorization: `Bearer sk-${(await at.storedKeys()).at(-1)?.key}` };
}

const errorOf = ({ status, json }: TestAnswer): unknown => [
  status,
  (json?.error as { code?: unknown } | undefined)?.code,
];

describe('a path of /v1 that the contract does not have', () => {
  const NAMED = { model: 'chat-a' };

  it.each([
    ['a model that it has', 'GET', '/v1/models/chat-a', undefined, [200, undefined]],
    ['a model that it does not have', 'GET', '/v1/models/chat-z', undefined, [200, 'model_not_found']],
    ['the removal of a model', 'DELETE', '/v1/models/chat-a', undefined, [501, 'api_not_implemented']],
    ['the removal of an unknown model', 'DELETE', '/v1/models/chat-z', undefined, [503, 'model_not_found']],
    ['files, with a model', 'POST', '/v1/files', NAMED, [501, 'api_not_implemented']],
    ['files, without a model', 'GET', '/v1/files', undefined, [400, '']],
    ['one file', 'DELETE', '/v1/files/1', NAMED, [501, 'api_not_implemented']],
    ['the training of models', 'POST', '/v1/fine-tunes/1/cancel', NAMED, [501, 'api_not_implemented']],
    ['variations of images', 'POST', '/v1/images/variations', NAMED, [501, 'api_not_implemented']],
    ['files, with an unknown model', 'POST', '/v1/files', { model: 'chat-z' }, [503, 'model_not_found']],
    ['a kind of request that nothing serves', 'POST', '/v1/rerank', NAMED, [404, '']],
    ['the same without a model', 'POST', '/v1/rerank', {}, [400, '']],
    ['a kind of request with a usual model', 'POST', '/v1/audio/speech', {}, [503, 'model_not_found']],
    ['a body that is not JSON', 'POST', '/v1/rerank', '{', [400, '']],
    ['anything else', 'GET', '/v1/none', undefined, [404, '']],
  ])('answers for %s', async (_, method, path, body, expected) => {
    expect(errorOf(await gateway.call(method, path, body, await newKey(gateway)))).toEqual(expected);
  });

  it('is refused to a key with an allowlist that lacks the model', async () => {
    const headers = await newKey(gateway, { model_limits_enabled: true, model_limits: 'chat-b' });
    for (const body of [NAMED, {}])
      expect(errorOf(await gateway.call('POST', '/v1/files', body, headers))).toEqual([403, '']);
  });

  it.each([
    ['GET', '/v1/models/chat-a', 401],
    ['DELETE', '/v1/models/chat-a', 401],
    ['POST', '/v1/models/chat-a:generate', 401],
    ['GET', '/v1/files', 401],
    ['POST', '/v1/completions', 401],
    ['POST', '/v1/moderations', 401],
    ['PUT', '/v1/completions', 404],
    ['GET', '/v1/none', 404],
    ['GET', '/v1/models/%E0%A4%A', 401],
    ['POST', '/v1/engines/%ff/embeddings', 401],
    ['GET', '/v1/videos/%ff/content?key=sk-x', 404],
  ])('answers %s %s without a key with %i', async (method, path, status) => {
    expect((await gateway.call(method, path, undefined, {})).status).toBe(status);
  });
});

describe('a path of /api that the contract does not have', () => {
  it('lists the models of the account', async () => {
    const { json } = await gateway.call('GET', '/api/user/models', undefined, headersOf(BERT));
    expect(json).toEqual({ success: true, message: '', data: ['chat-a'] });
    expect((await gateway.call('GET', '/api/user/models')).data).toEqual(['chat-a', 'chat-b', 'image-a']);
    expect((await gateway.call('GET', '/api/user/models', undefined, {})).status).toBe(401);
  });

  it('answers null for the models of an account without any', async () => {
    const accounts = [{ ...ANNA, quota: 1, models: [] }];
    const poor = await startTestGateway({ profile: 'deployed', seed: { ...SEED, accounts } });
    expect((await poor.call('GET', '/api/user/models')).json).toEqual({ success: true, message: '', data: null });
    await poor.close();
  });

  it('shows the groups to anybody', async () => {
    expect((await gateway.call('GET', '/api/user/groups', undefined, {})).data).toEqual({
      default: { ratio: 1, desc: 'Default' },
      vip: { ratio: 0.5, desc: 'Very important' },
    });
  });

  it.each([
    ['/api/usage/token', '/api/usage/token/'],
    ['/api/user/models/', '/api/user/models'],
  ])('redirects %s', async (path, location) => {
    const { status, headers } = await gateway.call('GET', path);
    expect([status, headers.get('location')]).toEqual([301, location]);
  });

  it.each(['/api/user/models', '/api/user/groups', '/api/usage/token/', '/v1/files'])(
    'is unknown to the contract: %s',
    async (path) => {
      const contract = await startTestGateway();
      expect((await contract.call('GET', path)).status).toBe(404);
      await contract.close();
    },
  );
});

describe('the usage of a key', () => {
  const read = (at: TestGateway, headers: Record<string, string>) =>
    at.call('GET', '/api/usage/token/', undefined, headers);

  it('has its quota, its models and its expiry', async () => {
    const headers = await newKey(gateway, {
      unlimited_quota: false,
      remain_quota: 1000,
      model_limits_enabled: true,
      model_limits: 'chat-a,chat-b',
    });
    await gateway.control('POST', '/spend', { keyId: 1, quota: 300, model: 'chat-a' });
    expect((await read(gateway, headers)).json).toEqual({
      code: true,
      message: 'ok',
      data: {
        object: 'token_usage',
        name: 'used',
        total_granted: 1000,
        total_used: 300,
        total_available: 700,
        unlimited_quota: false,
        model_limits: { 'chat-a': true, 'chat-b': true },
        model_limits_enabled: true,
        expires_at: 0,
      },
    });
  });

  it('is exact, and as negative as on 64 bits beyond them', async () => {
    const headers = await newKey(gateway);
    await gateway.control('PATCH', '/keys/1', '{"remain_quota":9223372036854775807,"used_quota":1}');
    const { text } = await read(gateway, headers);
    expect(text).toContain('"total_granted":-9223372036854775808');
    expect(text).toContain('"total_available":9223372036854775807');
  });

  it.each([
    ['deployed', 2, 200],
    ['deployed', 3, 200],
    ['deployed', 4, 200],
    ['deployed@1.0', 2, 401],
    ['deployed@1.0', 3, 200],
  ] as const)('is shown by %s to a key in status %i with %i', async (profile, status, expected) => {
    const at = await startTestGateway({ profile });
    const headers = await newKey(at);
    await at.control('PATCH', '/keys/1', { status });
    expect((await read(at, headers)).status).toBe(expected);
    await at.close();
  });

  it.each([
    ['no credential', () => '', 401],
    ['an unknown key', () => 'Bearer sk-none', 401],
    ['a key without the word before it', (secret: string) => secret, 401],
    ['a key with a channel', (secret: string) => `Bearer ${secret}-1`, 200],
  ])('is refused for %s', async (_, credential, status) => {
    const secret = (await newKey(gateway)).authorization.replace('Bearer ', '');
    const answer = await read(gateway, { authorization: credential(secret) });
    expect([answer.status, answer.success]).toEqual([status, false]);
  });

  it('counts against the limit of reveals', async () => {
    const limits = { ...UNLIMITED, reveal: { requests: 2, seconds: 60 } };
    const limited = await startTestGateway({ profile: 'deployed', seed: { ...SEED, limits } });
    const headers = await newKey(limited);
    await limited.call('POST', '/api/token/1/key');
    const statuses = [];
    for (let n = 0; n < 2; n += 1) statuses.push((await read(limited, headers)).status);
    expect(statuses).toEqual([200, 429]);
    await limited.close();
  });

  it('is refused to the key of a banned user', async () => {
    const accounts = [...(SEED.accounts ?? []), { userId: 44, accessToken: 'token-of-carl', quota: 1, banned: true }];
    const keys = [{ name: 'theirs', user_id: 44, key: 'keyofcarl', unlimited_quota: true }];
    const at = await startTestGateway({ profile: 'deployed', seed: { ...SEED, accounts, keys } });
    expect((await read(at, { authorization: 'Bearer sk-keyofcarl' })).status).toBe(403);
    await at.close();
  });
});
