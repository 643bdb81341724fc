import { describe, expect, it } from 'vitest';
import { type Body, SEED, startTestGateway, type TestAnswer } from '../harness.ts';

const KEYS = [
  { name: 'any', key: 'sk-anyany', unlimited_quota: true },
  { name: 'one', key: 'oneone', unlimited_quota: true, model_limits_enabled: true, model_limits: 'chat-b,unheard' },
  { name: 'none', key: 'none', unlimited_quota: true, model_limits_enabled: true, model_limits: '' },
  { name: 'ignored', key: 'ignored', unlimited_quota: true, model_limits: 'chat-b' },
  { name: 'bert', key: 'bert', unlimited_quota: true, user_id: 43 },
  { name: 'off', key: 'off', unlimited_quota: true, status: 2 },
  { name: 'fenced', key: 'fenced', unlimited_quota: true, allow_ips: '192.0.2.0/24\n2001:db8::/32\nnonsense' },
  { name: 'nobody', key: 'nobody', unlimited_quota: true, allow_ips: 'nonsense' },
];

const idsOf = (answer: TestAnswer): unknown[] => (answer.data as Body[]).map(({ id }) => id);

describe.each(['contract', 'deployed'] as const)('the listing of models, profile %s', (profile) => {
  const ask = async (authorization: string | undefined, more: Record<string, string> = {}) => {
    const gateway = await startTestGateway({ profile, seed: { ...SEED, keys: KEYS } });
    const headers = authorization === undefined ? more : { authorization, ...more };
    const answer = await gateway.call('GET', '/v1/models', undefined, headers);
    await gateway.close();
    return answer;
  };

  it.each([
    ['any', 'Bearer sk-anyany', ['chat-a', 'chat-b', 'image-a']],
    ['one that is listed', 'Bearer sk-oneone', ['chat-b']],
    ['none', 'Bearer sk-none', []],
    ['any, as its list is not enabled', 'Bearer sk-ignored', ['chat-a', 'chat-b', 'image-a']],
    ['that of its account', 'Bearer sk-bert', ['chat-a']],
  ])('holds for a key what it may use: %s', async (_case, credential, ids) => {
    const answer = await ask(credential);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ object: 'list' });
    expect(idsOf(answer)).toEqual(ids);
  });

  it.each([
    ['no credential', undefined],
    ['an unknown key', 'Bearer sk-unknown'],
    // Deployed gateways accept one.
    ...(profile === 'contract' ? [['a stored value without sk-', 'Bearer anyany'] as [string, string]] : []),
    ['an access token', 'Bearer token-of-anna'],
    ['a disabled key', 'Bearer sk-off'],
  ])('is refused to %s', async (_case, credential) => {
    const answer = await ask(credential);
    expect(answer.status).toBe(401);
    const { error } = answer.json as { error: Body };
    expect(error.message).toMatch(profile === 'contract' ? /^Invalid token$/ : /^Invalid token \(request id: \w+\)$/);
    // The contract shows these two fields, and no code.
    if (profile === 'contract') expect(error).toEqual({ message: 'Invalid token', type: 'invalid_request_error' });
  });

  it('requires the scheme of the credential where the contract does', async () => {
    expect((await ask('sk-anyany')).status).toBe(profile === 'contract' ? 401 : 200);
    expect((await ask('bearer sk-anyany')).status).toBe(200);
  });

  it('is rejected for an address that the key does not allow', async () => {
    expect((await ask('Bearer sk-fenced')).status).toBe(403);
    expect((await ask('Bearer sk-fenced', { 'x-forwarded-for': '192.0.2.77' })).status).toBe(200);
    expect((await ask('Bearer sk-fenced', { 'x-forwarded-for': '2001:db8::1' })).status).toBe(200);
    const refused = await ask('Bearer sk-fenced', { 'x-forwarded-for': '192.0.3.1' });
    expect(refused.json).toMatchObject({ error: { code: 'access_denied' } });
    expect((await ask('Bearer sk-nobody')).status).toBe(403);
  });
});

describe('a model of another kind', () => {
  const input = 'a';
  const messages = [{ role: 'user', content: 'a' }];
  const content = { parts: [{ text: 'a' }] };
  const prompt = 'a fox';
  const IMAGE = { price: 0.01 };
  const models = {
    'text-embedding-3-small': {},
    'eta-embedding-001': {},
    'alpha-image-2': IMAGE,
    'eta-3-pro-image': IMAGE,
    'delta-H3': IMAGE,
    talker: { family: 'chat' },
    painter: { family: 'alpha-image' },
  } as const;

  it.each<[string, string, Body]>([
    ['/v1/chat/completions', 'text-embedding-3-small', { messages }],
    ['/v1/chat/completions', 'alpha-image-2', { messages }],
    ['/v1/chat/completions', 'painter', { messages }],
    ['/v1/responses', 'delta-H3', { input }],
    ['/v1/messages/count_tokens', 'eta-embedding-001', { messages }],
    ['/v1/embeddings', 'eta-3-pro-image', { input }],
    ['/v1/embeddings', 'eta-embedding-001', { input }],
    ['/v1/embeddings', 'talker', { input }],
    ['/v1/models/text-embedding-3-small:embedContent', '', { content }],
    ['/v1/models/alpha-image-2:batchEmbedContents', '', { requests: [{ content }] }],
    ['/v1/models/eta-embedding-001:streamGenerateContent?alt=sse', '', { contents: [content] }],
    ['/v1/images/generations', 'talker', { prompt }],
    ['/v1/images/edits', 'eta-3-pro-image', { prompt }],
    ['/v1/video/generations', 'painter', { prompt }],
  ])('is rejected by %s: %s', async (path, model, body) => {
    const gateway = await startTestGateway({ seed: { ...SEED, models, keys: KEYS.slice(0, 1) } });
    const named = model === '' ? body : { model, ...body };
    const answer = await gateway.call('POST', path, named, { authorization: 'Bearer sk-anyany' });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('takes no requests of this kind')]);
    expect((await gateway.control('GET', '/state')).log).toEqual([]);
    await gateway.close();
  });

  it.each<[string, string, Body]>([
    ['/v1/responses', 'talker', { input }],
    ['/v1/messages/count_tokens', 'talker', { messages }],
    ['/v1/images/generations', 'painter', { prompt }],
  ])('is none of those that %s shares with its own endpoint: %s', async (path, model, body) => {
    const gateway = await startTestGateway({ seed: { ...SEED, models, keys: KEYS.slice(0, 1) } });
    const answer = await gateway.call('POST', path, { model, ...body }, { authorization: 'Bearer sk-anyany' });
    expect(answer.status).toBe(200);
    await gateway.close();
  });
});

describe('the listing of models, profile deployed@1.0', () => {
  it('names the kind of upstream that serves each model', async () => {
    const seed = { ...SEED, models: { 'alpha-chat-1': {}, 'delta-H3': { price: 0.1 } }, keys: KEYS.slice(0, 1) };
    const gateway = await startTestGateway({ profile: 'deployed@1.0', seed });
    const { data } = await gateway.call('GET', '/v1/models', undefined, { authorization: 'Bearer sk-anyany' });
    await gateway.close();
    expect((data as Body[]).map(({ id, owned_by }) => [id, owned_by])).toEqual([
      ['alpha-chat-1', 'openai'],
      ['delta-H3', 'sora'],
    ]);
  });
});
