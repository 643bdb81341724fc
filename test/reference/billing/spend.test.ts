import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BERT, type Body, headersOf, itemsOf, SEED, START, startTestGateway, type TestGateway } from '../harness.ts';

const OTHER_KEYS = [
  'billing_source',
  'cache_ratio',
  'cache_tokens',
  'completion_ratio',
  'frt',
  'group_ratio',
  'model_price',
  'model_ratio',
  'reasoning_effort',
  'request_conversion',
  'request_path',
  'user_group_ratio',
];

describe.each(['contract', 'deployed'] as const)('spending, profile %s', (profile) => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway({ profile });
  });
  afterEach(() => gateway.close());

  it('changes key, wallet and log together', async () => {
    const keyId = await gateway.createKey({ name: 'payer', unlimited_quota: false, remain_quota: 100, group: 'vip' });
    const receipt = await gateway.control('POST', '/spend', {
      keyId,
      quota: 30,
      model: 'chat-a',
      promptTokens: 7,
      completionTokens: 5,
    });
    expect(receipt).toMatchObject({ charged: 30, remain: 70, used: 30, wallet: 999_970 });
    expect((await gateway.storedKeys())[0]).toMatchObject({ remain_quota: 70, used_quota: 30, status: 1 });
    expect((await gateway.call('GET', '/api/user/self')).data).toMatchObject({ quota: 999_970 });
    const [entry] = itemsOf(await gateway.call('GET', '/api/log/self?p=1&page_size=10'));
    expect(entry).toMatchObject({
      id: 1,
      user_id: 42,
      created_at: START,
      type: 2,
      username: 'anna',
      token_name: 'payer',
      token_id: keyId,
      model_name: 'chat-a',
      quota: 30,
      prompt_tokens: 7,
      completion_tokens: 5,
      is_stream: false,
      group: 'vip',
      ip: profile === 'contract' ? '127.0.0.1' : '',
      request_id: receipt.requestId,
    });
    const other = JSON.parse(String(entry?.other)) as Body;
    const keys = OTHER_KEYS.filter((name) => profile === 'contract' || name !== 'reasoning_effort');
    expect(Object.keys(other).sort()).toEqual(keys);
    expect(other).toMatchObject({ model_ratio: 2, completion_ratio: 3, group_ratio: 0.5, model_price: -1 });
  });

  it.each([
    ['an unknown key', { keyId: 999 }, 401, ''],
    ['a model outside the allowlist', { keyId: 1, model: 'chat-b' }, 403, ''],
    ['a model that the account does not have', { keyId: 2, model: 'chat-z' }, 503, 'model_not_found'],
    ['an address that is not allowed', { keyId: 3, address: '192.0.2.1' }, 403, 'access_denied'],
    ['a group that the account does not have', { keyId: 4 }, 403, ''],
    ['a wallet that is too small', { keyId: 5 }, 403, 'insufficient_user_quota'],
    ['a key with too little left', { keyId: 6 }, 403, 'pre_consume_token_quota_failed'],
    ['a key without a model in its allowlist', { keyId: 7, model: 'chat-a' }, 403, ''],
  ])('is rejected for %s, and costs nothing', async (_case, expense, status, code) => {
    const free = { unlimited_quota: true };
    const keys = [
      { ...free, name: 'listed', model_limits_enabled: true, model_limits: 'chat-a, chat-b' },
      { ...free, name: 'plain' },
      { ...free, name: 'fenced', allow_ips: '10.0.0.0/8' },
      { ...free, name: 'closed', group: 'gold' },
      { ...free, name: 'poor', user_id: 43 },
      { name: 'short', remain_quota: 9_999 },
      { ...free, name: 'none', model_limits_enabled: true, model_limits: '' },
    ];
    const seeded = await startTestGateway({ profile, seed: { ...SEED, keys } });
    const before = await seeded.control('GET', '/state');
    const response = await fetch(`${seeded.url}/_reference/spend`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ quota: 10_000, ...expense }),
    });
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: Body };
    expect(error.code ?? '').toBe(code);
    expect(/request id: \w+/.test(String(error.message))).toBe(profile === 'deployed');
    expect(await seeded.control('GET', '/state')).toEqual(before);
    await seeded.close();
  });

  it('leaves key and wallet as they were when the log entry cannot be written', async () => {
    // A text with a NUL cannot be stored, and the log entry comes last.
    const models = { 'chat-\0': {} };
    const broken = await startTestGateway({
      profile,
      seed: { ...SEED, models, keys: [{ name: 'k', remain_quota: 50 }] },
    });
    const before = await broken.control('GET', '/state');
    const spent = await broken.control('POST', '/spend', { keyId: 1, quota: 20, model: 'chat-\0' });
    expect(spent).toEqual({ error: { message: 'a text with a NUL cannot be stored' } });
    expect(await broken.control('GET', '/state')).toEqual(before);
    await broken.close();
  });

  it('can overdraw a key when the precharge is below the cost', async () => {
    const keyId = await gateway.createKey({ name: 'over', unlimited_quota: false, remain_quota: 10 });
    await gateway.control('POST', '/spend', { keyId, quota: 25, precharge: 5 });
    expect((await gateway.storedKeys())[0]).toMatchObject({ remain_quota: -15, used_quota: 25, status: 1 });
    await gateway.control('POST', '/spend', { keyId, quota: 1 });
    expect((await gateway.storedKeys())[0]).toMatchObject({ remain_quota: -15, used_quota: 25, status: 4 });
  });

  it('is logged newest first, in pages, for its own account only', async () => {
    const mine = await gateway.createKey({ name: 'mine' });
    const theirs = await gateway.createKey({ name: 'theirs' }, headersOf(BERT));
    for (const quota of [1, 2, 3]) {
      await gateway.control('POST', '/clock', { advance: 100 });
      await gateway.control('POST', '/spend', { keyId: mine, quota });
      await gateway.control('POST', '/spend', { keyId: theirs, quota: quota * 10 });
    }
    const first = await gateway.call('GET', '/api/log/self?p=1&page_size=2');
    expect(first.data).toMatchObject({ page: 1, page_size: 2, total: 3 });
    expect(itemsOf(first).map(({ quota }) => quota)).toEqual([3, 2]);
    const second = await gateway.call('GET', '/api/log/self?p=2&page_size=2');
    expect(itemsOf(second).map(({ quota }) => quota)).toEqual([1]);
    // A number in the listing where gateways are deployed, the entry's own by the contract.
    expect(itemsOf(second)[0]?.id).toBe(profile === 'deployed' ? 3 : 1);
    expect((await gateway.call('GET', '/api/log/self/stat')).data).toEqual({ quota: 6, rpm: 1, tpm: 0 });
    expect((await gateway.call('GET', '/api/log/self?p=9')).data).toMatchObject({ total: 3, items: [] });
    expect((await gateway.call('GET', '/api/log/self?page_size=1000')).data).toMatchObject({ page_size: 100 });
  });
});

describe('the usage log of a deployed gateway', () => {
  it('is filtered by type, time, key, model, group and request', async () => {
    const gateway = await startTestGateway({ profile: 'deployed' });
    const a = await gateway.createKey({ name: 'a' });
    const b = await gateway.createKey({ name: 'b', group: 'vip' });
    const early = await gateway.control('POST', '/spend', { keyId: a, quota: 1, model: 'chat-a' });
    await gateway.control('POST', '/clock', { advance: 50 });
    await gateway.control('POST', '/spend', { keyId: b, quota: 2, model: 'chat-b' });
    const spent = async (query: string) =>
      itemsOf(await gateway.call('GET', `/api/log/self?${query}`)).map(({ quota }) => quota);
    expect(await spent('token_name=a')).toEqual([1]);
    expect(await spent('model_name=chat-b')).toEqual([2]);
    expect(await spent('group=vip')).toEqual([2]);
    expect(await spent(`request_id=${early.requestId}`)).toEqual([1]);
    expect(await spent(`start_timestamp=${START + 50}`)).toEqual([2]);
    expect(await spent(`end_timestamp=${START}`)).toEqual([1]);
    expect(await spent('type=2')).toEqual([2, 1]);
    expect(await spent('type=6')).toEqual([]);
    expect(await spent('type=0')).toEqual([2, 1]);
    await gateway.close();
  });

  it('is not filtered in the contract profile', async () => {
    const gateway = await startTestGateway();
    const a = await gateway.createKey({ name: 'a' });
    await gateway.control('POST', '/spend', { keyId: a, quota: 1 });
    expect((await gateway.call('GET', '/api/log/self?token_name=b')).data).toMatchObject({ total: 1 });
    await gateway.close();
  });
});
