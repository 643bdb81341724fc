import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itemsOf, namesOf, SEED, SETTINGS, START, startTestGateway, type TestGateway } from '../harness.ts';

/** Any status is stored by a deployed gateway. */
/** Requests that deployed gateways accept. */
const ACCEPTED_ELSEWHERE: readonly [string, string, string][] = [
  ['POST', '/api/token/', '{"name": "cut\\u0000short"}'],
  ['PUT', '/api/token/?status_only=true', '{"id": 1}'],
  ['PUT', '/api/token/?status_only=true', '{"id": 1, "status": 3}'],
];

describe.each(['contract', 'deployed'] as const)('keys, profile %s', (profile) => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway({ profile });
  });
  afterEach(() => gateway.close());

  it('are created enabled, and the answer does not include their ID', async () => {
    const answer = await gateway.call('POST', '/api/token/', { ...SETTINGS, name: 'new', status: 2 });
    expect(answer.json).toEqual({ success: true, message: '' });
    const [stored] = await gateway.storedKeys();
    expect(stored).toMatchObject({ name: 'new', status: 1, used_quota: 0, created_time: START });
    expect(stored?.key).toMatch(/^[A-Za-z0-9]{48}$/);
  });

  it('are stored and read back unchanged', async () => {
    const given = {
      name: 'whole',
      expired_time: START + 100,
      remain_quota: 12_345_678_901,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'chat-a,chat-b',
      allow_ips: '10.0.0.0/8\n203.0.113.7',
      group: 'vip',
      cross_group_retry: true,
    };
    const smart = { smart_routing: true, smart_route_tiers: '{"fast":["chat-a"]}' };
    const id = await gateway.createKey({ ...given, ...smart });
    const answer = await gateway.call('GET', `/api/token/${id}`);
    expect(answer.data).toMatchObject({ ...given, ...(profile === 'contract' ? smart : {}), id, status: 1 });
    if (profile === 'deployed') expect(answer.data).not.toHaveProperty('smart_routing');
  });

  it('do not exist under an invalid ID of any length', async () => {
    for (const id of ['first', '0', '-1', '1.0', '9'.repeat(16), '9'.repeat(1000)]) {
      const answer = await gateway.call('GET', `/api/token/${id}`);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.json ?? {})).toEqual(['success', 'message']);
      expect(answer.success).toBe(false);
    }
  });

  it('never show their secret unless it is revealed', async () => {
    const id = await gateway.createKey({ name: 'masked' });
    const secret = String((await gateway.storedKeys())[0]?.key);
    for (const path of ['/api/token/', '/api/token/search?keyword=masked', `/api/token/${id}`]) {
      const { text } = await gateway.call('GET', path);
      expect(text).toContain('masked');
      expect(text).not.toContain(secret);
      expect(text).toContain('**********');
    }
    expect((await gateway.call('POST', `/api/token/${id}/key`)).data).toEqual({ key: secret });
  });

  it('are revealed in batches of up to 100, without IDs that do not exist', async () => {
    const ids = [await gateway.createKey({ name: 'a' }), await gateway.createKey({ name: 'b' })];
    const answer = await gateway.call('POST', '/api/token/batch/keys', { ids: [...ids, 4711] });
    const [a, b] = (await gateway.storedKeys()).map(({ key }) => key);
    const shapes = {
      contract: [
        { id: ids[0], key: a },
        { id: ids[1], key: b },
      ],
      deployed: { keys: { [String(ids[0])]: a, [String(ids[1])]: b } },
    };
    expect(answer.data).toEqual(shapes[profile]);
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect((await gateway.call('POST', '/api/token/batch/keys', { ids: hundred })).success).toBe(true);
    const more = await gateway.call('POST', '/api/token/batch/keys', { ids: [...hundred, 101] });
    expect([more.status, more.success, more.data]).toEqual([200, false, undefined]);
  });

  it('lose the settings that a full update omits', async () => {
    const id = await gateway.createKey({
      name: 'full',
      remain_quota: 7,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'chat-a',
      allow_ips: '10.0.0.1',
      group: 'vip',
      cross_group_retry: true,
      smart_routing: true,
      smart_route_tiers: '{}',
    });
    expect((await gateway.call('PUT', '/api/token/', { id, name: 'bare' })).success).toBe(true);
    expect((await gateway.storedKeys())[0]).toMatchObject({
      name: 'bare',
      status: 1,
      expired_time: 0,
      remain_quota: 0,
      unlimited_quota: false,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: null,
      group: '',
      cross_group_retry: false,
      smart_routing: false,
      smart_route_tiers: '',
    });
  });

  it('keep the fields that the gateway owns in a full update', async () => {
    const id = await gateway.createKey({ name: 'owned' });
    const [before] = await gateway.storedKeys();
    const intruding = { key: 'mine', status: 2, used_quota: 9, created_time: 1, user_id: 43, accessed_time: 1 };
    await gateway.call('PUT', '/api/token/', { ...SETTINGS, id, name: 'owned', ...intruding });
    expect((await gateway.storedKeys())[0]).toEqual(before);
  });

  it('keep everything else when only the status is set', async () => {
    const id = await gateway.createKey({ name: 'still', group: 'vip', remain_quota: 5 });
    const [before] = await gateway.storedKeys();
    const body = { id, status: 2, name: 'other', group: 'default' };
    expect((await gateway.call('PUT', '/api/token/?status_only=true', body)).success).toBe(true);
    expect((await gateway.storedKeys())[0]).toEqual({ ...before, status: 2 });
  });

  it('can be deleted once', async () => {
    const id = await gateway.createKey({ name: 'gone' });
    expect((await gateway.call('DELETE', `/api/token/${id}`)).json).toEqual({ success: true, message: '' });
    const again = await gateway.call('DELETE', `/api/token/${id}`);
    expect([again.status, again.success]).toEqual([200, false]);
    expect((await gateway.call('GET', `/api/token/${id}`)).success).toBe(false);
  });

  it('never reuse the ID of a deleted key', async () => {
    const first = await gateway.createKey({ name: 'first' });
    await gateway.call('DELETE', `/api/token/${first}`);
    expect(await gateway.createKey({ name: 'second' })).toBe(first + 1);
  });

  it('are deleted in batches, and the answer counts those that existed', async () => {
    const ids = [await gateway.createKey({ name: 'a' }), await gateway.createKey({ name: 'b' })];
    const many = Array.from({ length: 500 }, (_, index) => index + 100);
    expect((await gateway.call('POST', '/api/token/batch', { ids: [...ids, ...ids, ...many] })).data).toBe(2);
    expect(await gateway.storedKeys()).toEqual([]);
  });

  it.each([
    ['POST', '/api/token/', '{"name": '],
    ['POST', '/api/token/', '[]'],
    ['POST', '/api/token/', ''],
    ['POST', '/api/token/', '{"name": "n", "remain_quota": "12"}'],
    ['POST', '/api/token/', '{"name": "n", "remain_quota": 1.5}'],
    ['PUT', '/api/token/', '{"name": "without id"}'],
    ...(profile === 'contract' ? ACCEPTED_ELSEWHERE : []),
    ['POST', '/api/token/batch', '{"ids": ["1"]}'],
    ['POST', '/api/token/batch/keys', '{}'],
    ['GET', '/api/token/search?keyword=untouched%00', undefined],
    ['GET', '/api/token/abc', undefined],
    ['POST', '/api/token/0/key', undefined],
  ])('reject %s %s with the body %s in the envelope, and do not change', async (method, path, body) => {
    await gateway.createKey({ name: 'untouched' });
    const before = await gateway.storedKeys();
    const answer = await gateway.call(method, path, body);
    expect([answer.status, answer.success]).toEqual([200, false]);
    expect(await gateway.storedKeys()).toEqual(before);
  });

  it('accept the content type without a body where none is needed', async () => {
    const id = await gateway.createKey({ name: 'bodyless' });
    expect((await gateway.call('POST', `/api/token/${id}/key`, '')).success).toBe(true);
    expect((await gateway.call('DELETE', `/api/token/${id}`, '')).success).toBe(true);
  });

  it('list Smart Routing keys only on request', async () => {
    await gateway.createKey({ name: 'plain' });
    await gateway.createKey({ name: 'smart', smart_routing: true });
    // Where a gateway does not know them, no key is one.
    const others = profile === 'contract' ? ['plain'] : ['smart', 'plain'];
    expect(namesOf(await gateway.call('GET', '/api/token/'))).toEqual(others);
    expect(namesOf(await gateway.call('GET', '/api/token/?exclude_smart_routing=true'))).toEqual(others);
    const all = namesOf(await gateway.call('GET', '/api/token/?exclude_smart_routing=false'));
    expect(all.sort()).toEqual(['plain', 'smart']);
  });

  it('are listed in pages from 1, with any name of the size parameter', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await gateway.createKey({ name });
    const sorted = profile === 'deployed' ? ['e', 'd', 'c', 'b', 'a'] : ['a', 'b', 'c', 'd', 'e'];
    for (const size of ['size', 'page_size', 'ps']) {
      expect(namesOf(await gateway.call('GET', `/api/token/?p=1&${size}=2`))).toEqual(sorted.slice(0, 2));
      expect(namesOf(await gateway.call('GET', `/api/token/?p=3&${size}=2`))).toEqual(sorted.slice(4));
    }
    expect(itemsOf(await gateway.call('GET', '/api/token/?p=4&size=2'))).toEqual([]);
    expect(namesOf(await gateway.call('GET', '/api/token/search?p=2&ps=2'))).toEqual(sorted.slice(2, 4));
  });

  it('are found by name, by stored value and by credential with or without sk-', async () => {
    await gateway.createKey({ name: 'needle' });
    await gateway.createKey({ name: 'hay', smart_routing: true });
    const [needle, hay] = (await gateway.storedKeys()).map(({ key }) => key);
    const found = async (query: string) => namesOf(await gateway.call('GET', `/api/token/search?${query}`));
    expect(await found('keyword=needle')).toEqual(['needle']);
    expect(await found(`keyword=${needle}`)).toEqual(profile === 'contract' ? ['needle'] : []);
    expect(await found(`token=${hay}`)).toEqual(['hay']);
    expect(await found(`token=sk-${hay}`)).toEqual(['hay']);
    expect(await found(`token=sk-${hay}&keyword=needle`)).toEqual([]);
    expect(await found('keyword=nothing')).toEqual([]);
  });

  it('are listed with at most 100 on a page', async () => {
    const keys = Array.from({ length: 103 }, (_, index) => ({ name: `k${index}` }));
    const full = await startTestGateway({ profile, seed: { ...SEED, keys } });
    expect(itemsOf(await full.call('GET', '/api/token/?size=100'))).toHaveLength(100);
    expect(itemsOf(await full.call('GET', '/api/token/'))).toHaveLength(10);
    const more = await full.call('GET', '/api/token/?size=101');
    if (profile === 'contract') expect([more.status, more.success]).toEqual([200, false]);
    else
      expect([itemsOf(more).length, more.data]).toEqual([100, expect.objectContaining({ total: 103, page_size: 100 })]);
    await full.close();
  });

  it('keep fields beyond the contract only if a full update repeats them', async () => {
    const seeded = { name: 'forked', unlimited_quota: true, rate_limit: 60, tags: ['a', 'b'] };
    const forked = await startTestGateway({ profile, seed: { ...SEED, keys: [seeded] } });
    const record = (await forked.call('GET', '/api/token/1')).data as Record<string, unknown>;
    expect(record).toMatchObject({ rate_limit: 60, tags: ['a', 'b'] });
    const echo = { ...SETTINGS, id: 1, name: 'renamed', rate_limit: 60, tags: ['a', 'b'], unheard_of: 1 };
    await forked.call('PUT', '/api/token/', echo);
    const kept = (await forked.storedKeys())[0];
    expect(kept).toMatchObject({ name: 'renamed', rate_limit: 60, tags: ['a', 'b'] });
    expect(kept).not.toHaveProperty('unheard_of');
    await forked.call('PUT', '/api/token/', { ...SETTINGS, id: 1, name: 'renamed' });
    expect((await forked.storedKeys())[0]).toMatchObject({ rate_limit: 0, tags: null });
    await forked.close();
  });

  it('keep what belongs to the group auto when it is omitted, and clear it in any other group', async () => {
    const auto = { name: 'a', group: 'auto', cross_group_retry: true, auto_groups: ['default'] };
    const newer = await startTestGateway({ profile, seed: { ...SEED, keys: [auto] } });
    const write = { ...SETTINGS, id: 1, name: 'a', group: 'auto', cross_group_retry: true };
    const stored = async () => (await newer.storedKeys())[0];
    expect(await newer.call('PUT', '/api/token/', write)).toMatchObject({ success: true });
    expect(await stored()).toMatchObject({ auto_groups: ['default'], cross_group_retry: true });
    const refused = await newer.call('PUT', '/api/token/', { ...write, auto_groups: ['gone'] });
    expect(refused).toMatchObject({ success: false });
    await newer.call('PUT', '/api/token/', { ...write, group: 'default', auto_groups: ['default'] });
    expect(await stored()).toMatchObject({ auto_groups: null, cross_group_retry: false });
    await newer.close();
  });
});
