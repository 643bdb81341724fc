import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANNA, BERT, type Bench, headersOf, namesOf, startBench } from '../harness.ts';

describe.each(['contract', 'deployed'] as const)('an account, profile %s', (profile) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await startBench({ profile });
  });
  afterAll(() => bench.close());

  it('tells the rate to everybody', async () => {
    const answer = await bench.call('GET', '/api/status', undefined, {});
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ success: true, message: '', data: { quota_per_unit: 500_000 } });
  });

  it('reads its own id and wallet', async () => {
    const answer = await bench.call('GET', '/api/user/self');
    expect(answer.data).toMatchObject({ id: 42, quota: 1_000_000 });
  });

  it.each([
    ['no headers at all', {}, 401],
    ['no access token', { 'new-api-user': '42' }, 401],
    ['no user id', { authorization: 'Bearer token-of-anna' }, 401],
    ['a user id that is no number', { authorization: 'Bearer token-of-anna', 'new-api-user': 'anna' }, 401],
    ["somebody else's user id", { authorization: 'Bearer token-of-anna', 'new-api-user': '43' }, 401],
    ['an unknown access token', { authorization: 'Bearer nobody', 'new-api-user': '42' }, 200],
  ])('is refused with %s', async (_case, headers, status) => {
    const answer = await bench.call('GET', '/api/user/self', undefined, headers as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.success).toBe(false);
    expect(answer.json?.message).not.toBe('');
    expect(answer.json).not.toHaveProperty('data');
  });

  it('is asked for credentials before its body is read', async () => {
    expect((await bench.call('POST', '/api/token/', '{broken', {})).status).toBe(401);
  });

  it('does not see, read, reveal, change or delete the keys of another', async () => {
    const theirs = await bench.created({ name: 'theirs' }, headersOf(BERT));
    const mine = await bench.created({ name: 'mine' });
    expect(namesOf(await bench.call('GET', '/api/token/'))).toEqual(['mine']);
    expect(namesOf(await bench.call('GET', '/api/token/search?keyword=theirs'))).toEqual([]);
    const attempts = [
      await bench.call('GET', `/api/token/${theirs}`),
      await bench.call('POST', `/api/token/${theirs}/key`),
      await bench.call('PUT', '/api/token/', { id: theirs, name: 'taken' }),
      await bench.call('PUT', '/api/token/?status_only=true', { id: theirs, status: 2 }),
      await bench.call('DELETE', `/api/token/${theirs}`),
    ];
    for (const answer of attempts) expect([answer.status, answer.success]).toEqual([200, false]);
    const revealed = await bench.call('POST', '/api/token/batch/keys', { ids: [theirs, mine] });
    const stored = await bench.storedKeys();
    expect(revealed.text).not.toContain(String(stored.find(({ id }) => id === theirs)?.key));
    expect(revealed.text).toContain(String(stored.find(({ id }) => id === mine)?.key));
    expect((await bench.call('POST', '/api/token/batch', { ids: [theirs, mine, 9999] })).data).toBe(1);
    expect((await bench.storedKeys()).map(({ name, status }) => [name, status])).toEqual([['theirs', 1]]);
  });

  it('voids its access token at once when it rotates it', async () => {
    const answer = await bench.call('GET', '/api/user/token');
    const accessToken = String(answer.data);
    expect(accessToken).toMatch(/^[A-Za-z0-9]{32}$/);
    expect((await bench.call('GET', '/api/user/self')).success).toBe(false);
    const renewed = headersOf({ ...ANNA, accessToken });
    expect((await bench.call('GET', '/api/user/self', undefined, renewed)).success).toBe(true);
    expect((await bench.call('GET', '/api/user/self', undefined, headersOf(BERT))).success).toBe(true);
  });
});

describe('what accounts see by profile', () => {
  it('is no more than the contract says', async () => {
    const bench = await startBench();
    expect((await bench.call('GET', '/api/status')).data).toEqual({ quota_per_unit: 500_000 });
    expect((await bench.call('GET', '/api/user/self')).data).toEqual({ id: 42, quota: 1_000_000 });
    expect((await bench.call('GET', '/api/user/self/groups')).data).toEqual(['default', 'vip']);
    expect((await bench.call('GET', '/api/user/self/groups', undefined, headersOf(BERT))).data).toEqual(['default']);
    const bare = { authorization: 'token-of-anna', 'new-api-user': '42' };
    expect((await bench.call('GET', '/api/user/self', undefined, bare)).status).toBe(401);
    await bench.close();
  });

  it('is more on deployed gateways, and a token needs no scheme there', async () => {
    const bench = await startBench({ profile: 'deployed' });
    expect((await bench.call('GET', '/api/user/self/groups')).data).toEqual({
      default: { ratio: 1, desc: 'Default' },
      vip: { ratio: 0.5, desc: 'Very important' },
    });
    const bare = { authorization: 'token-of-anna', 'new-api-user': '42' };
    const self = await bench.call('GET', '/api/user/self', undefined, bare);
    expect(self.data).toMatchObject({ username: 'anna', group: 'default', used_quota: 0 });
    await bench.close();
  });
});
