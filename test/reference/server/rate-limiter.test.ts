import { describe, expect, it } from 'vitest';
import type { Seed } from '../../../src/reference/index.ts';
import { SEED, startTestGateway, type TestGateway } from '../harness.ts';

const limited = (limits: Seed['limits'], profile: 'contract' | 'deployed' = 'deployed') =>
  startTestGateway({ profile, seed: { ...SEED, limits, keys: [{ name: 'k' }] } });

async function statuses(gateway: TestGateway, count: number, [method, path, body]: [string, string, unknown?]) {
  const seen: number[] = [];
  for (let sent = 0; sent < count; sent += 1) seen.push((await gateway.call(method, path, body)).status);
  return seen;
}

describe('the rate limits of a deployed gateway', () => {
  it('allow 180 requests in 180 seconds for all of /api', async () => {
    const gateway = await limited({});
    const seen = await statuses(gateway, 181, ['GET', '/api/status']);
    expect(seen.slice(0, 180).every((status) => status === 200)).toBe(true);
    expect(seen[180]).toBe(429);
    await gateway.control('POST', '/clock', { advance: 179 });
    expect(await statuses(gateway, 1, ['GET', '/api/user/self'])).toEqual([429]);
    await gateway.control('POST', '/clock', { advance: 1 });
    expect(await statuses(gateway, 1, ['GET', '/api/user/self'])).toEqual([200]);
    await gateway.close();
  });

  it('answer with an empty body and no Retry-After', async () => {
    const gateway = await limited({ api: { requests: 1, seconds: 60 } });
    await gateway.call('GET', '/api/status');
    const answer = await gateway.call('GET', '/api/status');
    expect([answer.status, answer.text, answer.headers.get('retry-after')]).toEqual([429, '', null]);
    await gateway.close();
  });

  it('allow 20 reveals in 20 minutes, and count a batch reveal once', async () => {
    const gateway = await limited({});
    const single = await statuses(gateway, 10, ['POST', '/api/token/1/key']);
    const batch = await statuses(gateway, 10, ['POST', '/api/token/batch/keys', { ids: [1] }]);
    expect([...single, ...batch].every((status) => status === 200)).toBe(true);
    expect(await statuses(gateway, 1, ['POST', '/api/token/1/key'])).toEqual([429]);
    expect(await statuses(gateway, 1, ['GET', '/api/token/1'])).toEqual([200]);
    await gateway.control('POST', '/clock', { advance: 20 * 60 });
    expect(await statuses(gateway, 1, ['POST', '/api/token/batch/keys', { ids: [1] }])).toEqual([200]);
    await gateway.close();
  });

  it('allow 10 searches in 60 seconds', async () => {
    const gateway = await limited({});
    expect(await statuses(gateway, 11, ['GET', '/api/token/search?keyword=k'])).toEqual([...Array(10).fill(200), 429]);
    expect(await statuses(gateway, 1, ['GET', '/api/token/'])).toEqual([200]);
    await gateway.close();
  });

  it('count by address, including requests that change nothing', async () => {
    const gateway = await limited({ api: { requests: 1, seconds: 60 } });
    const from = (address: string) => gateway.call('GET', '/api/user/self', undefined, { 'x-forwarded-for': address });
    expect((await from('192.0.2.1')).status).toBe(401);
    expect((await from('192.0.2.1')).status).toBe(429);
    expect((await from('192.0.2.2')).status).toBe(401);
    await gateway.close();
  });

  it('have no effect on the request when they reject it', async () => {
    const gateway = await limited({ api: { requests: 1, seconds: 60 } });
    await gateway.call('GET', '/api/status');
    expect((await gateway.call('DELETE', '/api/token/1')).status).toBe(429);
    expect(await gateway.storedKeys()).toHaveLength(1);
    await gateway.close();
  });

  it('do not apply to /v1, nor to the contract profile unless the seed sets them', async () => {
    const gateway = await limited({ api: { requests: 1, seconds: 60 } }, 'contract');
    expect(await statuses(gateway, 2, ['GET', '/api/status'])).toEqual([200, 429]);
    expect(await statuses(gateway, 2, ['GET', '/v1/models'])).toEqual([401, 401]);
    await gateway.close();
    const free = await limited({}, 'contract');
    expect(new Set(await statuses(free, 400, ['GET', '/api/status']))).toEqual(new Set([200]));
    await free.close();
  });
});
