import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startReferenceGateway } from '../../../src/reference/index.ts';
import { type Body, SEED, SETTINGS, START, send, startTestGateway } from '../harness.ts';

/** `fetch` sets the Host header itself; this does not. */
async function statusWith(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const asking = request(url, { headers });
  asking.end();
  const [response] = (await once(asking, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe('the control endpoints', () => {
  it('do not exist unless they are enabled', async () => {
    const gateway = await startReferenceGateway({ seed: SEED });
    expect((await send(`${gateway.url}/_reference/state`, 'GET')).status).toBe(404);
    await gateway.close();
  });

  it.each([
    [200, { host: 'localhost' }],
    [200, { host: '127.0.0.1:8080' }],
    [200, { host: '[::1]:8080' }],
    [200, { host: 'localhost', origin: 'http://localhost:3000' }],
    [200, { host: 'localhost', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-for': '127.0.0.1' }],
    [403, { host: 'rebound.example' }],
    [403, { host: '127.0.0.1.example' }],
    [403, { host: 'rebound.example', 'x-forwarded-host': 'localhost' }],
    [403, { host: 'rebound.example', 'x-forwarded-host': 'localhost, 127.0.0.1' }],
    [403, { host: 'localhost', 'x-forwarded-host': 'rebound.example' }],
    [403, { host: 'localhost', 'x-forwarded-for': '192.0.2.1' }],
    [403, { host: 'localhost', origin: 'http://rebound.example' }],
    [403, { host: 'localhost', origin: 'null' }],
  ])(
    'answer %i to a request with %j, for only this machine may use them under its own name',
    async (status, headers) => {
      const gateway = await startTestGateway();
      expect(await statusWith(`${gateway.url}/_reference/requests`, headers)).toBe(status);
      await gateway.close();
    },
  );

  it('count requests by method and route, but not their own', async () => {
    const gateway = await startTestGateway();
    const id = await gateway.createKey({ name: 'counted' });
    await gateway.call('GET', `/api/token/${id}`);
    await gateway.call('GET', '/api/token/999', undefined, {});
    await gateway.call('PUT', '/api/token/?status_only=true', { id, status: 2 });
    await gateway.call('PUT', '/api/token/', { ...SETTINGS, id });
    await gateway.call('GET', '/v1/models');
    await gateway.call('GET', '/v1/unheard-of');
    const counted = {
      requests: {
        'GET (unknown)': 1,
        'GET /api/token/{id}': 2,
        'GET /v1/models': 1,
        'POST /api/token/': 1,
        'PUT /api/token/': 1,
        'PUT /api/token/?status_only=true': 1,
      },
      total: 7,
    };
    expect(await gateway.control('GET', '/requests')).toEqual(counted);
    expect(await gateway.control('DELETE', '/requests')).toEqual(counted);
    expect(await gateway.control('GET', '/requests')).toEqual({ requests: {}, total: 0 });
    await gateway.close();
  });

  it('move the clock and set it', async () => {
    const gateway = await startTestGateway();
    expect(await gateway.control('GET', '/clock')).toEqual({ now: START });
    expect(await gateway.control('POST', '/clock', { advance: 90.5 })).toEqual({ now: START + 90 });
    expect(await gateway.control('POST', '/clock', { at: 2_000_000_000 })).toEqual({ now: 2_000_000_000 });
    expect(await gateway.control('POST', '/clock', { by: 1 })).toHaveProperty('error');
    const { headers } = await fetch(`${gateway.url}/api/status`);
    expect(headers.get('date')).toBe(new Date(2_000_000_000_000).toUTCString());
    await gateway.close();
  });

  it('show everything that is stored, including secrets', async () => {
    const gateway = await startTestGateway({
      seed: { ...SEED, keys: [{ name: 'k', key: 'sk-known', used_quota: 5, fork: 1 }] },
    });
    const state = await gateway.control('GET', '/state');
    expect(state.profile).toBe('contract');
    expect(state.accounts).toMatchObject([
      { user_id: 42, access_token: 'token-of-anna', quota: 1_000_000, used_quota: 5 },
      { user_id: 43 },
    ]);
    expect(state.keys).toMatchObject([{ id: 1, user_id: 42, name: 'k', key: 'known', used_quota: 5, fork: 1 }]);
    // What a seeded key has used is in the log as well: the two agree from the beginning.
    expect(state.log).toMatchObject([{ token_id: 1, type: 2, quota: 5 }]);
    await gateway.close();
  });

  it('change a stored key without applying any rule', async () => {
    const gateway = await startTestGateway();
    const id = await gateway.createKey({ name: 'k' });
    await gateway.control('PATCH', `/keys/${id}`, { status: 4, remain_quota: -9, group: 'gold', allow_ips: null });
    const changed = { name: 'k', status: 4, remain_quota: -9, group: 'gold', allow_ips: null };
    expect((await gateway.storedKeys())[0]).toMatchObject(changed);
    expect(await gateway.control('PATCH', `/keys/${id}`, { unheard_of: 1 })).toHaveProperty('error');
    expect(await gateway.control('PATCH', '/keys/99', { status: 1 })).toHaveProperty('error');
    await gateway.close();
  });

  it.each([
    ['POST', '/spend', { keyId: 1, quota: -1 }],
    ['POST', '/spend', {}],
    ['POST', '/spend', '{broken'],
    ['POST', '/release', { count: 0 }],
  ])('reject %s %s with %j', async (method, path, body) => {
    const gateway = await startTestGateway();
    const answer = await send(`${gateway.url}/_reference${path}`, method, body);
    expect(answer.status).toBe(400);
    expect((answer.json as { error: Body }).error.message).not.toBe('');
    await gateway.close();
  });
});

describe('a reference gateway', () => {
  it.each(['0.0.0.0', '192.0.2.1', 'example.com', '::'])('does not listen on %s', async (host) => {
    await expect(startReferenceGateway({ host })).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it('reports a port in use and suggests another', async () => {
    const first = await startReferenceGateway({ seed: SEED });
    const port = Number(new URL(first.url).port);
    await expect(startReferenceGateway({ port })).rejects.toMatchObject({
      message: `Port ${port} of 127.0.0.1 is already in use.`,
      hint: expect.stringContaining('another port'),
    });
    await first.close();
  });

  it.each(['::1', '[::1]'])('listens on %s and reports it in its URL', async (host) => {
    const gateway = await startReferenceGateway({ host });
    expect(gateway.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await send(`${gateway.url}/api/status`, 'GET')).status).toBe(200);
    await gateway.close();
  });

  it('starts without a seed with one account that has a token and a balance', async () => {
    const gateway = await startReferenceGateway();
    const [account, ...others] = gateway.accounts;
    expect(others).toEqual([]);
    const headers = {
      authorization: `Bearer ${account?.accessToken}`,
      'new-api-user': String(account?.userId),
    };
    const self = await send(`${gateway.url}/api/user/self`, 'GET', undefined, headers);
    expect((self.data as { quota: number }).quota).toBeGreaterThan(0);
    const groups = await send(`${gateway.url}/api/user/self/groups`, 'GET', undefined, headers);
    expect(groups.data).toEqual(['default', 'vip']);
    await gateway.close();
  });

  it('answers held and delayed requests when it closes, and may be closed twice', async () => {
    const gateway = await startTestGateway();
    await gateway.control('POST', '/faults', [
      { kind: 'hold', path: '/api/token/' },
      { kind: 'delay', ms: 600_000, path: '/api/user/self' },
      { kind: 'hold', path: '/api/status' },
    ]);
    const waiting = [
      gateway.call('POST', '/api/token/', { ...SETTINGS, name: 'last' }),
      gateway.call('GET', '/api/user/self'),
      gateway.call('GET', '/api/status'),
    ];
    await gateway.control('GET', '/held?wait=2');
    // The delayed one is on its way when its script is used up.
    while (((await gateway.control('GET', '/faults')).faults as unknown[]).length > 0);
    await Promise.all([gateway.close(), gateway.close()]);
    expect((await Promise.all(waiting)).map(({ success }) => success)).toEqual([true, true, true]);
    await expect(fetch(gateway.url)).rejects.toThrow();
  });

  it('accepts bodies of 64 MB and rejects larger ones in the envelope', async () => {
    const gateway = await startTestGateway();
    const tiers = JSON.stringify('x'.repeat(63 * 1024 * 1024));
    await gateway.createKey({ name: 'large', smart_route_tiers: tiers });
    const body = JSON.stringify({ ...SETTINGS, name: 'larger', padding: 'x'.repeat(65 * 1024 * 1024) });
    const answer = await gateway.call('POST', '/api/token/', body);
    expect([answer.status, answer.success]).toEqual([413, false]);
    expect(await gateway.storedKeys()).toHaveLength(1);
    await gateway.close();
  });
});
