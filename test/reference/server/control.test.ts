import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startReferenceGateway } from '../../../src/reference/index.ts';
import { type Body, SEED, SETTINGS, START, send, startBench } from '../harness.ts';

/** `fetch` sets the Host header itself; this does not. */
async function statusWithHost(url: string, host: string): Promise<number | undefined> {
  const asking = request(url, { headers: { host } });
  asking.end();
  const [response] = (await once(asking, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe('the control endpoints', () => {
  it('are not there unless asked for', async () => {
    const gateway = await startReferenceGateway({ seed: SEED });
    expect((await send(`${gateway.url}/_reference/state`, 'GET')).status).toBe(404);
    await gateway.close();
  });

  it('answer only to a name of this machine', async () => {
    const bench = await startBench();
    const url = `${bench.url}/_reference/requests`;
    expect(await statusWithHost(url, 'localhost')).toBe(200);
    expect(await statusWithHost(url, '127.0.0.1:8080')).toBe(200);
    expect(await statusWithHost(url, '[::1]:8080')).toBe(200);
    expect(await statusWithHost(url, 'rebound.example')).toBe(403);
    expect(await statusWithHost(url, '127.0.0.1.example')).toBe(403);
    await bench.close();
  });

  it('count requests by method and route, and not their own', async () => {
    const bench = await startBench();
    const id = await bench.created({ name: 'counted' });
    await bench.call('GET', `/api/token/${id}`);
    await bench.call('GET', '/api/token/999', undefined, {});
    await bench.call('PUT', '/api/token/?status_only=true', { id, status: 2 });
    await bench.call('PUT', '/api/token/', { ...SETTINGS, id });
    await bench.call('GET', '/v1/models');
    await bench.call('GET', '/v1/unheard-of');
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
    expect(await bench.control('GET', '/requests')).toEqual(counted);
    expect(await bench.control('DELETE', '/requests')).toEqual(counted);
    expect(await bench.control('GET', '/requests')).toEqual({ requests: {}, total: 0 });
    await bench.close();
  });

  it('move the clock and set it', async () => {
    const bench = await startBench();
    expect(await bench.control('GET', '/clock')).toEqual({ now: START });
    expect(await bench.control('POST', '/clock', { advance: 90.5 })).toEqual({ now: START + 90 });
    expect(await bench.control('POST', '/clock', { at: 2_000_000_000 })).toEqual({ now: 2_000_000_000 });
    expect(await bench.control('POST', '/clock', { by: 1 })).toHaveProperty('error');
    const { headers } = await fetch(`${bench.url}/api/status`);
    expect(headers.get('date')).toBe(new Date(2_000_000_000_000).toUTCString());
    await bench.close();
  });

  it('show all that is stored, secrets too', async () => {
    const bench = await startBench({
      seed: { ...SEED, keys: [{ name: 'k', key: 'sk-known', used_quota: 5, fork: 1 }] },
    });
    const state = await bench.control('GET', '/state');
    expect(state.profile).toBe('contract');
    expect(state.accounts).toMatchObject([
      { user_id: 42, access_token: 'token-of-anna', quota: 1_000_000, used_quota: 5 },
      { user_id: 43 },
    ]);
    expect(state.keys).toMatchObject([{ id: 1, user_id: 42, name: 'k', key: 'known', used_quota: 5, fork: 1 }]);
    // What a seeded key has used is in the log as well: the two agree from the beginning.
    expect(state.log).toMatchObject([{ token_id: 1, type: 2, quota: 5 }]);
    await bench.close();
  });

  it('change a stored key without asking any rule', async () => {
    const bench = await startBench();
    const id = await bench.created({ name: 'k' });
    await bench.control('PATCH', `/keys/${id}`, { status: 4, remain_quota: -9, group: 'gold', allow_ips: null });
    const changed = { name: 'k', status: 4, remain_quota: -9, group: 'gold', allow_ips: null };
    expect((await bench.storedKeys())[0]).toMatchObject(changed);
    expect(await bench.control('PATCH', `/keys/${id}`, { unheard_of: 1 })).toHaveProperty('error');
    expect(await bench.control('PATCH', '/keys/99', { status: 1 })).toHaveProperty('error');
    await bench.close();
  });

  it.each([
    ['POST', '/spend', { keyId: 1, quota: -1 }],
    ['POST', '/spend', {}],
    ['POST', '/spend', '{broken'],
    ['POST', '/release', { count: 0 }],
  ])('refuse %s %s with %j', async (method, path, body) => {
    const bench = await startBench();
    const answer = await send(`${bench.url}/_reference${path}`, method, body);
    expect(answer.status).toBe(400);
    expect((answer.json as { error: Body }).error.message).not.toBe('');
    await bench.close();
  });
});

describe('a reference gateway', () => {
  it.each(['0.0.0.0', '192.0.2.1', 'example.com', '::'])('does not serve %s', async (host) => {
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

  it.each(['::1', '[::1]'])('serves %s and says so in its address', async (host) => {
    const gateway = await startReferenceGateway({ host });
    expect(gateway.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await send(`${gateway.url}/api/status`, 'GET')).status).toBe(200);
    await gateway.close();
  });

  it('begins without a seed with one account that has a token and money', async () => {
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

  it('answers at its end what is held and what is delayed, and may be closed twice', async () => {
    const bench = await startBench();
    await bench.control('POST', '/faults', [
      { kind: 'hold', path: '/api/token/' },
      { kind: 'delay', ms: 600_000, path: '/api/user/self' },
      { kind: 'hold', path: '/api/status' },
    ]);
    const waiting = [
      bench.call('POST', '/api/token/', { ...SETTINGS, name: 'last' }),
      bench.call('GET', '/api/user/self'),
      bench.call('GET', '/api/status'),
    ];
    await bench.control('GET', '/held?wait=2');
    // The delayed one is on its way when its script is used up.
    while (((await bench.control('GET', '/faults')).faults as unknown[]).length > 0);
    await Promise.all([bench.close(), bench.close()]);
    expect((await Promise.all(waiting)).map(({ success }) => success)).toEqual([true, true, true]);
    await expect(fetch(bench.url)).rejects.toThrow();
  });

  it('takes bodies of 64 MB and refuses larger ones in the envelope', async () => {
    const bench = await startBench();
    const tiers = JSON.stringify('x'.repeat(63 * 1024 * 1024));
    await bench.created({ name: 'large', smart_route_tiers: tiers });
    const body = JSON.stringify({ ...SETTINGS, name: 'larger', padding: 'x'.repeat(65 * 1024 * 1024) });
    const answer = await bench.call('POST', '/api/token/', body);
    expect([answer.status, answer.success]).toEqual([413, false]);
    expect(await bench.storedKeys()).toHaveLength(1);
    await bench.close();
  });
});
