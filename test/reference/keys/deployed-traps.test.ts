import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itemsOf, namesOf, SEED, SETTINGS, START, startTestGateway, type TestGateway, UNLIMITED } from '../harness.ts';

describe('a deployed gateway', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway({ profile: 'deployed' });
  });
  afterEach(() => gateway.close());

  it('has more fields in a record, one with its own spelling', async () => {
    const id = await gateway.createKey({ name: 'more' });
    const record = (await gateway.call('GET', `/api/token/${id}`)).data;
    expect(record).toMatchObject({
      user_id: 42,
      used_quota: 0,
      created_time: START,
      accessed_time: START,
      DeletedAt: null,
    });
  });

  it('masks a key with its first and last four characters around ten asterisks', async () => {
    const id = await gateway.createKey({ name: 'mask' });
    const secret = String((await gateway.storedKeys())[0]?.key);
    const record = (await gateway.call('GET', `/api/token/${id}`)).data as { key: string };
    expect(record.key).toBe(`${secret.slice(0, 4)}**********${secret.slice(-4)}`);
  });

  it('lists the newest first, and counts', async () => {
    for (const name of ['a', 'b', 'c']) await gateway.createKey({ name });
    const answer = await gateway.call('GET', '/api/token/?p=2&size=2');
    expect(answer.data).toMatchObject({ page: 2, page_size: 2, total: 3 });
    expect(namesOf(answer)).toEqual(['a']);
    expect((await gateway.call('GET', '/api/token/?p=0&size=0')).data).toMatchObject({ page: 1, page_size: 10 });
  });

  it('answers a full update with the masked record', async () => {
    const id = await gateway.createKey({ name: 'before' });
    const answer = await gateway.call('PUT', '/api/token/', { ...SETTINGS, id, name: 'after' });
    expect(answer.data).toMatchObject({ id, name: 'after', used_quota: 0 });
    expect(answer.text).not.toContain(String((await gateway.storedKeys())[0]?.key));
  });

  it('counts the bytes of a name', async () => {
    await gateway.createKey({ name: 'ü'.repeat(25) });
    expect((await gateway.call('POST', '/api/token/', { ...SETTINGS, name: 'ü'.repeat(26) })).success).toBe(false);
  });

  it('accepts repeated and empty names, and any groups and addresses', async () => {
    const wild = { group: 'gold', allow_ips: 'office', model_limits: 'x,,y', smart_route_tiers: '{', expired_time: 1 };
    for (const name of ['', 'twin', 'twin']) await gateway.createKey({ ...wild, name });
    expect(await gateway.storedKeys()).toHaveLength(3);
  });

  it('rejects a negative quota on a limited key only, even if it is already stored', async () => {
    const id = await gateway.createKey({ name: 'unlimited', remain_quota: -5 });
    const limited = { ...SETTINGS, id, name: 'unlimited', unlimited_quota: false, remain_quota: -5 };
    const answer = await gateway.call('PUT', '/api/token/', limited);
    expect([answer.status, answer.success]).toEqual([200, false]);
  });

  it('expires a key at its next use if a full update omitted the expiry', async () => {
    const id = await gateway.createKey({ name: 'doomed' });
    await gateway.call('PUT', '/api/token/', { id, name: 'doomed', unlimited_quota: true });
    const [stored] = await gateway.storedKeys();
    expect(stored).toMatchObject({ expired_time: 0, remain_quota: 0, status: 1 });
    const used = await gateway.call('GET', '/v1/models', undefined, { authorization: `Bearer sk-${stored?.key}` });
    expect(used.status).toBe(401);
    expect((await gateway.storedKeys())[0]?.status).toBe(3);
  });

  it('checks status 1 in a full update against the stored key, but does not apply it', async () => {
    const id = await gateway.createKey({ name: 'expired' });
    await gateway.control('PATCH', `/keys/${id}`, { expired_time: START - 1, status: 3 });
    const corrected = { ...SETTINGS, id, name: 'expired', expired_time: -1 };
    expect((await gateway.call('PUT', '/api/token/', { ...corrected, status: 1 })).success).toBe(false);
    expect((await gateway.call('PUT', '/api/token/', corrected)).success).toBe(true);
    expect((await gateway.storedKeys())[0]).toMatchObject({ status: 3, expired_time: -1 });
    await gateway.call('PUT', '/api/token/', { ...corrected, status: 1 });
    expect((await gateway.storedKeys())[0]?.status).toBe(3);
  });

  it('accepts any status_only that is not empty', async () => {
    const id = await gateway.createKey({ name: 'still' });
    await gateway.call('PUT', '/api/token/?status_only=false', { id, status: 2, name: 'ignored' });
    expect((await gateway.storedKeys())[0]).toMatchObject({ name: 'still', status: 2 });
    await gateway.call('PUT', '/api/token/?status_only=', { ...SETTINGS, id, name: 'renamed' });
    expect((await gateway.storedKeys())[0]).toMatchObject({ name: 'renamed', status: 2 });
  });

  it('searches for the whole text unless it contains %, and ignores ASCII case', async () => {
    for (const name of ['Prod-a_1', 'prod-ab1', 'other']) await gateway.createKey({ name });
    const found = async (keyword: string) =>
      namesOf(await gateway.call('GET', `/api/token/search?keyword=${encodeURIComponent(keyword)}`));
    expect(await found('prod-a_1')).toEqual(['Prod-a_1']);
    expect(await found('prod')).toEqual([]);
    expect(await found('PROD%')).toEqual(['prod-ab1', 'Prod-a_1']);
    expect(await found('%A\\_1')).toEqual([]);
    expect(await found('%!%')).toEqual([]);
  });

  it('redirects the key collection without its slash', async () => {
    const get = await gateway.call('GET', '/api/token?p=2');
    expect([get.status, get.headers.get('location')]).toEqual([301, '/api/token/?p=2']);
    for (const method of ['POST', 'PUT']) {
      const answer = await gateway.call(method, '/api/token', {});
      expect([answer.status, answer.headers.get('location')]).toEqual([307, '/api/token/']);
    }
    expect(await gateway.storedKeys()).toEqual([]);
  });

  it('limits the number of keys for one account', async () => {
    const small = await startTestGateway({
      profile: 'deployed',
      seed: { ...SEED, limits: { ...UNLIMITED, keysPerUser: 2 } },
    });
    const answers = [];
    for (const name of ['a', 'b', 'c']) answers.push(await small.call('POST', '/api/token/', { ...SETTINGS, name }));
    expect(answers.map(({ status, success }) => [status, success])).toEqual([
      [200, true],
      [200, true],
      [200, false],
    ]);
    expect(itemsOf(await small.call('GET', '/api/token/'))).toHaveLength(2);
    await small.close();
  });

  it('has Chinese messages', async () => {
    expect((await gateway.call('GET', '/api/token/77')).json?.message).toBe('record not found');
    expect((await gateway.call('GET', '/api/user/self', undefined, {})).json?.message).toMatch(/\p{Script=Han}/u);
  });
});

describe.each(['contract', 'deployed'] as const)('a path that is not an endpoint, profile %s', (profile) => {
  it.each([
    ['GET', '/api/nothing'],
    ['GET', '/v1/nothing'],
    ['POST', '/v1/nothing'],
    ['DELETE', '/api/status'],
    ['GET', '/api/token/%ZZ'],
    ['GET', '/v1/%'],
  ])('answers %s %s with 404', async (method, path) => {
    const gateway = await startTestGateway({ profile });
    const answer = await gateway.call(method, path);
    expect(answer.status).toBe(404);
    const envelope = profile === 'contract' && path.startsWith('/api');
    if (envelope) expect(answer.json).toMatchObject({ success: false });
    else expect(answer.json).toMatchObject({ error: { type: 'invalid_request_error' } });
    await gateway.close();
  });
});
