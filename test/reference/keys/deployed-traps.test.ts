import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, itemsOf, namesOf, SEED, SETTINGS, START, startBench, UNLIMITED } from '../harness.ts';

describe('a gateway as deployed', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await startBench({ profile: 'deployed' });
  });
  afterEach(() => bench.close());

  it('has more fields on a record, with its own spelling of one', async () => {
    const id = await bench.created({ name: 'more' });
    const record = (await bench.call('GET', `/api/token/${id}`)).data;
    expect(record).toMatchObject({
      user_id: 42,
      used_quota: 0,
      created_time: START,
      accessed_time: START,
      DeletedAt: null,
    });
  });

  it('masks a key with its first and last four characters around ten asterisks', async () => {
    const id = await bench.created({ name: 'mask' });
    const secret = String((await bench.storedKeys())[0]?.key);
    const record = (await bench.call('GET', `/api/token/${id}`)).data as { key: string };
    expect(record.key).toBe(`${secret.slice(0, 4)}**********${secret.slice(-4)}`);
  });

  it('lists the newest first, and counts', async () => {
    for (const name of ['a', 'b', 'c']) await bench.created({ name });
    const answer = await bench.call('GET', '/api/token/?p=2&size=2');
    expect(answer.data).toMatchObject({ page: 2, page_size: 2, total: 3 });
    expect(namesOf(answer)).toEqual(['a']);
    expect((await bench.call('GET', '/api/token/?p=0&size=-3')).data).toMatchObject({ page: 1, page_size: 10 });
  });

  it('answers a full update with the masked record', async () => {
    const id = await bench.created({ name: 'before' });
    const answer = await bench.call('PUT', '/api/token/', { ...SETTINGS, id, name: 'after' });
    expect(answer.data).toMatchObject({ id, name: 'after', used_quota: 0 });
    expect(answer.text).not.toContain(String((await bench.storedKeys())[0]?.key));
  });

  it('counts the bytes of a name', async () => {
    await bench.created({ name: 'ü'.repeat(25) });
    expect((await bench.call('POST', '/api/token/', { ...SETTINGS, name: 'ü'.repeat(26) })).success).toBe(false);
  });

  it('validates nothing else: names repeat or are empty, groups and addresses are anything', async () => {
    const wild = { group: 'gold', allow_ips: 'office', model_limits: 'x,,y', smart_route_tiers: '{', expired_time: 1 };
    for (const name of ['', 'twin', 'twin']) await bench.created({ ...wild, name });
    expect(await bench.storedKeys()).toHaveLength(3);
  });

  it('refuses a negative quota on a limited key only, also when it echoes what is stored', async () => {
    const id = await bench.created({ name: 'unlimited', remain_quota: -5 });
    const limited = { ...SETTINGS, id, name: 'unlimited', unlimited_quota: false, remain_quota: -5 };
    const answer = await bench.call('PUT', '/api/token/', limited);
    expect([answer.status, answer.success]).toEqual([200, false]);
  });

  it('lets a key die at its next use whose expiry was left out', async () => {
    await bench.call('POST', '/api/token/', { name: 'doomed', unlimited_quota: true });
    const [stored] = await bench.storedKeys();
    expect(stored).toMatchObject({ expired_time: 0, remain_quota: 0, status: 1 });
    const used = await bench.call('GET', '/v1/models', undefined, { authorization: `Bearer sk-${stored?.key}` });
    expect(used.status).toBe(401);
    expect((await bench.storedKeys())[0]?.status).toBe(3);
  });

  it('checks an unapplied status of 1 in a full update against what is stored', async () => {
    const id = await bench.created({ name: 'expired' });
    await bench.control('PATCH', `/keys/${id}`, { expired_time: START - 1, status: 3 });
    const corrected = { ...SETTINGS, id, name: 'expired', expired_time: -1 };
    expect((await bench.call('PUT', '/api/token/', { ...corrected, status: 1 })).success).toBe(false);
    expect((await bench.call('PUT', '/api/token/', corrected)).success).toBe(true);
    expect((await bench.storedKeys())[0]).toMatchObject({ status: 3, expired_time: -1 });
    await bench.call('PUT', '/api/token/', { ...corrected, status: 1 });
    expect((await bench.storedKeys())[0]?.status).toBe(3);
  });

  it('takes any status_only that is not empty', async () => {
    const id = await bench.created({ name: 'still' });
    await bench.call('PUT', '/api/token/?status_only=false', { id, status: 2, name: 'ignored' });
    expect((await bench.storedKeys())[0]).toMatchObject({ name: 'still', status: 2 });
    await bench.call('PUT', '/api/token/?status_only=', { ...SETTINGS, id, name: 'renamed' });
    expect((await bench.storedKeys())[0]).toMatchObject({ name: 'renamed', status: 2 });
  });

  it('searches exactly unless % is given, and ignores ASCII case', async () => {
    for (const name of ['Prod-a_1', 'prod-ab1', 'other']) await bench.created({ name });
    const found = async (keyword: string) =>
      namesOf(await bench.call('GET', `/api/token/search?keyword=${encodeURIComponent(keyword)}`));
    expect(await found('prod-a_1')).toEqual(['Prod-a_1']);
    expect(await found('prod')).toEqual([]);
    expect(await found('PROD%')).toEqual(['prod-ab1', 'Prod-a_1']);
    expect(await found('%A\\_1')).toEqual([]);
    expect(await found('%!%')).toEqual([]);
  });

  it('redirects the key collection without its slash', async () => {
    const get = await bench.call('GET', '/api/token?p=2');
    expect([get.status, get.headers.get('location')]).toEqual([301, '/api/token/?p=2']);
    for (const method of ['POST', 'PUT']) {
      const answer = await bench.call(method, '/api/token', {});
      expect([answer.status, answer.headers.get('location')]).toEqual([307, '/api/token/']);
    }
    expect(await bench.storedKeys()).toEqual([]);
  });

  it('has a most of keys for one account', async () => {
    const small = await startBench({
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

  it('speaks its own language', async () => {
    expect((await bench.call('GET', '/api/token/77')).json?.message).toBe('record not found');
    expect((await bench.call('GET', '/api/user/self', undefined, {})).json?.message).toMatch(/\p{Script=Han}/u);
  });
});

describe.each(['contract', 'deployed'] as const)('a path that is no endpoint, profile %s', (profile) => {
  it.each([
    ['GET', '/api/nothing'],
    ['GET', '/v1/nothing'],
    ['POST', '/v1/completions'],
    ['DELETE', '/api/status'],
    ['GET', '/'],
    ['GET', '/api/token/%ZZ'],
    ['GET', '/v1/%'],
  ])('%s %s is answered with 404', async (method, path) => {
    const bench = await startBench({ profile });
    const answer = await bench.call(method, path);
    expect(answer.status).toBe(404);
    const envelope = profile === 'contract' && path.startsWith('/api');
    if (envelope) expect(answer.json).toMatchObject({ success: false });
    else expect(answer.json).toMatchObject({ error: { type: 'invalid_request_error' } });
    await bench.close();
  });
});
