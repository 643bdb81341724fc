import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANNA, BERT, headersOf, namesOf, startTestGateway, type TestGateway } from '../harness.ts';

describe.each(['contract', 'deployed'] as const)('an account, profile %s', (profile) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ profile });
  });
  afterAll(() => gateway.close());

  it('shows the rate to everyone', async () => {
    const answer = await gateway.call('GET', '/api/status', undefined, {});
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ success: true, message: '', data: { quota_per_unit: 500_000 } });
  });

  it('reads its own ID and wallet', async () => {
    const answer = await gateway.call('GET', '/api/user/self');
    expect(answer.data).toMatchObject({ id: 42, quota: 1_000_000 });
  });

  it.each([
    ['no headers at all', {}, 401],
    ['no access token', { 'new-api-user': '42' }, 401],
    ['no user id', { authorization: 'Bearer token-of-anna' }, 401],
    ['a user ID that is not a number', { authorization: 'Bearer token-of-anna', 'new-api-user': 'anna' }, 401],
    ["somebody else's user id", { authorization: 'Bearer token-of-anna', 'new-api-user': '43' }, 401],
    ['an unknown access token', { authorization: 'Bearer nobody', 'new-api-user': '42' }, 200],
  ])('is rejected with %s', async (_case, headers, status) => {
    const answer = await gateway.call('GET', '/api/user/self', undefined, headers as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.success).toBe(false);
    expect(answer.json?.message).not.toBe('');
    expect(answer.json).not.toHaveProperty('data');
  });

  it('must send credentials before its body is read', async () => {
    expect((await gateway.call('POST', '/api/token/', '{broken', {})).status).toBe(401);
  });

  it('cannot list, read, reveal, change or delete the keys of another account', async () => {
    const theirs = await gateway.createKey({ name: 'theirs' }, headersOf(BERT));
    const mine = await gateway.createKey({ name: 'mine' });
    expect(namesOf(await gateway.call('GET', '/api/token/'))).toEqual(['mine']);
    expect(namesOf(await gateway.call('GET', '/api/token/search?keyword=theirs'))).toEqual([]);
    const attempts = [
      await gateway.call('GET', `/api/token/${theirs}`),
      await gateway.call('POST', `/api/token/${theirs}/key`),
      await gateway.call('PUT', '/api/token/', { id: theirs, name: 'taken' }),
      await gateway.call('PUT', '/api/token/?status_only=true', { id: theirs, status: 2 }),
      await gateway.call('DELETE', `/api/token/${theirs}`),
    ];
    for (const answer of attempts) expect([answer.status, answer.success]).toEqual([200, false]);
    const revealed = await gateway.call('POST', '/api/token/batch/keys', { ids: [theirs, mine] });
    const stored = await gateway.storedKeys();
    expect(revealed.text).not.toContain(String(stored.find(({ id }) => id === theirs)?.key));
    expect(revealed.text).toContain(String(stored.find(({ id }) => id === mine)?.key));
    expect((await gateway.call('POST', '/api/token/batch', { ids: [theirs, mine, 9999] })).data).toBe(1);
    expect((await gateway.storedKeys()).map(({ name, status }) => [name, status])).toEqual([['theirs', 1]]);
  });

  it('loses its access token immediately when it rotates it', async () => {
    const answer = await gateway.call('GET', '/api/user/token');
    const accessToken = String(answer.data);
    expect(accessToken).toMatch(/^[A-Za-z0-9]{32}$/);
    expect((await gateway.call('GET', '/api/user/self')).success).toBe(false);
    const renewed = headersOf({ ...ANNA, accessToken });
    expect((await gateway.call('GET', '/api/user/self', undefined, renewed)).success).toBe(true);
    expect((await gateway.call('GET', '/api/user/self', undefined, headersOf(BERT))).success).toBe(true);
  });
});

describe('the data of an account', () => {
  it('is exactly what the contract specifies in the contract profile', async () => {
    const gateway = await startTestGateway();
    expect((await gateway.call('GET', '/api/status')).data).toEqual({ quota_per_unit: 500_000 });
    expect((await gateway.call('GET', '/api/user/self')).data).toEqual({ id: 42, quota: 1_000_000 });
    expect((await gateway.call('GET', '/api/user/self/groups')).data).toEqual(['default', 'vip']);
    expect((await gateway.call('GET', '/api/user/self/groups', undefined, headersOf(BERT))).data).toEqual(['default']);
    const bare = { authorization: 'token-of-anna', 'new-api-user': '42' };
    expect((await gateway.call('GET', '/api/user/self', undefined, bare)).status).toBe(401);
    await gateway.close();
  });

  it('has more fields on deployed gateways, where a token needs no scheme', async () => {
    const gateway = await startTestGateway({ profile: 'deployed' });
    expect((await gateway.call('GET', '/api/user/self/groups')).data).toEqual({
      default: { ratio: 1, desc: 'Default' },
      vip: { ratio: 0.5, desc: 'Very important' },
    });
    const bare = { authorization: 'token-of-anna', 'new-api-user': '42' };
    const self = await gateway.call('GET', '/api/user/self', undefined, bare);
    expect(self.data).toMatchObject({ username: 'anna', group: 'default', used_quota: 0 });
    await gateway.close();
  });
});
