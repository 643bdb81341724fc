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
const RELAY = { type: 'new_api_error', param: '', code: 'invalid_request' };
const DOOR = { type: 'new_api_error', code: '' };
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

  const MESSAGES = [{ role: 'user', content: 'hello' }];

  it.each<[string, object | string, number, object]>([
    ['a negative number of tokens', { model: 'chat-a', messages: MESSAGES, max_tokens: -1 }, 500, RELAY],
    [
      'what only the upstream judges',
      { model: 'chat-a', messages: MESSAGES, temperature: 9 },
      400,
      { code: 'invalid_request', param: '', type: 'invalid_request_error' },
    ],
    ['a missing model', { messages: MESSAGES }, 400, DOOR],
    ['a body that is not JSON', '{', 400, DOOR],
  ])('refuses %s as those gateways do', async (_, body, status, expected) => {
    await gateway.createKey({ name: 'caller' });
    const secret = String((await gateway.storedKeys()).at(-1)?.key);
    const answer = await gateway.call('POST', CHAT, body, { authorization: `Bearer sk-${secret}` });
    const { message: _message, ...error } = (answer.json as { error: Record<string, unknown> }).error;
    expect([answer.status, error]).toEqual([status, expected]);
  });

  it('charges a key in advance as for 500 tokens, and nothing where there is more than 10 dollars', async () => {
    const body = { model: 'chat-a', messages: MESSAGES, max_tokens: 5 };
    // Ratio 2: 505 tokens are 1,010 units.
    const little = { unlimited_quota: false, remain_quota: 1009 };
    expect(await asked(little, 'POST', CHAT, body)).toMatchObject({
      status: 403,
      code: 'pre_consume_token_quota_failed',
      json: { error: { param: '' } },
    });
    expect(await asked({ ...little, remain_quota: 1010 }, 'POST', CHAT, body)).toMatchObject({ status: 200 });
    const rich = { ...seed, accounts: seed.accounts.map((account) => ({ ...account, quota: 5_000_001 })) };
    const trusting = await startTestGateway({ profile: 'deployed', seed: rich });
    const id = await trusting.createKey({ name: 'rich', unlimited_quota: true });
    const secret = String((await trusting.storedKeys()).at(-1)?.key);
    await trusting.control('POST', '/faults', { kind: 'hold', path: CHAT });
    const pending = trusting.call('POST', CHAT, body, { authorization: `Bearer sk-${secret}` });
    await trusting.control('GET', '/held?wait=1');
    expect((await trusting.storedKeys()).find((key) => key.id === id)?.used_quota).toBe(0);
    await trusting.control('POST', '/release');
    expect((await pending).status).toBe(200);
    await trusting.close();
  });

  it('logs no address, no ratios of a model with a price, and no time to a first event without a stream', async () => {
    await asked({}, 'POST', '/v1/chat/completions', { model: VIDEO, messages: MESSAGES });
    await asked({}, 'POST', '/v1/chat/completions', { model: 'chat-a', messages: MESSAGES });
    const { items } = (await gateway.call('GET', '/api/log/self?ps=1')).data as { items: Record<string, unknown>[] };
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ ip: '', model_name: 'chat-a' });
    const other = JSON.parse(String(items[0]?.other));
    expect(other).toMatchObject({ frt: -1000, request_conversion: ['OpenAI Compatible'], model_ratio: 2 });
    expect(other).not.toHaveProperty('reasoning_effort');
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

/** The secret of a new key. */
async function newSecret(at: TestGateway, headers?: Record<string, string>, settings: object = {}): Promise<string> {
  await at.createKey({ name: 'caller', ...settings }, headers);
  return String((await at.storedKeys()).at(-1)?.key);
}

const HELLO = { model: 'chat-a', messages: [{ role: 'user', content: 'hello' }] };

const answerOf = ({ status, json }: { status: number; json: unknown }): unknown[] => [
  status,
  (json as { error?: { code?: unknown } } | undefined)?.error?.code,
];

describe('the list of models of a deployed gateway', () => {
  it('has the type of endpoint of each model', async () => {
    const { json } = await asked({}, 'GET', '/v1/models');
    const { data } = json as { data: { id: string; supported_endpoint_types: string[] }[] };
    const types = new Map(data.map((model) => [model.id, model.supported_endpoint_types]));
    expect(types.get('chat-a')).toEqual(['openai']);
    expect(types.get(VIDEO)).toEqual(['openai-video']);
  });
});

describe('a credential that a deployed gateway reads', () => {
  it.each([
    ['without sk-', '/v1/models', (secret: string) => ({ authorization: `Bearer ${secret}` }), 200],
    ['without Bearer', '/v1/models', (secret: string) => ({ authorization: `sk-${secret}` }), 200],
    ['after bearer in lower case', '/v1/models', (secret: string) => ({ authorization: `bearer sk-${secret}` }), 200],
    [
      'not after BEARER in upper case',
      '/v1/models',
      (secret: string) => ({ authorization: `BEARER sk-${secret}` }),
      401,
    ],
    ['not with SK- in upper case', '/v1/models', (secret: string) => ({ authorization: `Bearer SK-${secret}` }), 401],
    ['from x-api-key at the models', '/v1/models', (secret: string) => ({ 'x-api-key': `sk-${secret}` }), 200],
    [
      'not from x-goog-api-key at the list of models',
      '/v1/models',
      (secret: string) => ({ 'x-goog-api-key': secret }),
      401,
    ],
    ['not from x-api-key at a video task', `${VIDEOS}/none`, (secret: string) => ({ 'x-api-key': secret }), 401],
  ])('%s', async (_, path, headers, status) => {
    expect((await gateway.call('GET', path, undefined, headers(await newSecret(gateway)))).status).toBe(status);
  });

  it('may end with a channel, which only administrators may choose', async () => {
    const authorization = `Bearer sk-${await newSecret(gateway)}-1`;
    expect(answerOf(await gateway.call('POST', CHAT, HELLO, { authorization }))).toEqual([403, '']);
    expect(answerOf(await gateway.call('GET', '/v1/models', undefined, { authorization }))).toEqual([403, '']);
    const unknown = await gateway.call('POST', CHAT, HELLO, { authorization: 'Bearer sk-none-1' });
    expect(unknown.status).toBe(401);
  });
});

describe('an answer of a deployed gateway', () => {
  it.each(['/api/status', '/api/token/', '/api/none', '/v1/none', '/'])(
    'has its own request ID and the version, at %s',
    async (path) => {
      const ids = [];
      for (let n = 0; n < 2; n += 1) {
        const { headers } = await gateway.call('GET', path);
        expect(headers.get('x-new-api-version')).toBe('v0.13.2');
        ids.push(headers.get('x-oneapi-request-id'));
      }
      expect(ids).toEqual([expect.any(String), expect.any(String)]);
      expect(new Set(ids).size).toBe(2);
    },
  );

  it('forbids to store a revealed secret', async () => {
    await newSecret(gateway);
    for (const [path, body] of [['/api/token/1/key'], ['/api/token/batch/keys', { ids: [1] }]] as const)
      expect((await gateway.call('POST', path, body)).headers.get('cache-control')).toContain('no-store');
    expect((await gateway.call('GET', '/api/token/1')).headers.get('cache-control')).toBeNull();
  });
});

describe('an overloaded gateway', () => {
  it('refuses every use before the credentials, at no charge, until its load falls', async () => {
    const authorization = `Bearer sk-${await newSecret(gateway)}`;
    expect(await gateway.control('PATCH', '/load', { overloaded: 'cpu' })).toEqual({ overloaded: 'cpu' });
    for (const headers of [{ authorization }, {}])
      expect(answerOf(await gateway.call('POST', CHAT, HELLO, headers))).toEqual([503, 'system_cpu_overloaded']);
    expect((await gateway.storedKeys()).at(-1)).toMatchObject({ used_quota: 0 });
    expect((await gateway.call('GET', '/v1/models', undefined, { authorization })).status).toBe(200);
    expect((await gateway.call('POST', VIDEOS, { model: VIDEO, ...COMPLETE }, { authorization })).status).toBe(200);
    expect((await gateway.call('GET', '/api/token/')).status).toBe(200);
    await gateway.control('PATCH', '/load', { overloaded: null });
    expect((await gateway.call('POST', CHAT, HELLO, { authorization })).status).toBe(200);
  });

  it('can be seeded', async () => {
    const busy = await startTestGateway({ profile: 'deployed', seed: { ...seed, overloaded: 'disk' } });
    expect(answerOf(await busy.call('POST', CHAT, HELLO, {}))).toEqual([503, 'system_disk_overloaded']);
    await busy.close();
  });
});

describe('a banned user', () => {
  const BANNED = { userId: 44, accessToken: 'token-of-carl' };
  const open = (profile: 'deployed' | 'deployed@1.0') =>
    startTestGateway({
      profile,
      seed: {
        ...seed,
        accounts: [...seed.accounts, { ...BANNED, banned: true, quota: 1000 }],
        keys: [{ name: 'theirs', user_id: 44, key: 'keyofcarl', unlimited_quota: true }],
      },
    });

  it.each([
    ['deployed', 200, undefined],
    ['deployed@1.0', 401, 'AUTH_USER_DISABLED'],
  ] as const)('is refused with all keys, profile %s', async (profile, status, code) => {
    const at = await open(profile);
    const refused = await at.call('GET', '/api/user/self', undefined, at.as(BANNED));
    expect([refused.status, refused.success, refused.json?.code]).toEqual([status, false, code]);
    expect(answerOf(await at.call('POST', CHAT, HELLO, { authorization: 'Bearer sk-keyofcarl' }))).toEqual([403, '']);
    const unknown = await at.call('GET', '/api/user/self', undefined, at.as({ userId: 44, accessToken: 'none' }));
    expect([unknown.status, unknown.json?.code]).toEqual([status, code && 'AUTH_UNAUTHORIZED']);
    await at.close();
  });

  it('is refused for a wrong user ID first', async () => {
    const at = await open('deployed');
    const foreign = await at.call('GET', '/api/user/self', undefined, at.as({ ...BANNED, userId: 42 }));
    expect(foreign.status).toBe(401);
    await at.close();
  });
});
