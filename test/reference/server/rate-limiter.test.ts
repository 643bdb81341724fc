import { describe, expect, it } from 'vitest';
import type { Seed } from '../../../src/reference/index.ts';
import { type Bench, SEED, startBench } from '../harness.ts';

const limited = (limits: Seed['limits'], profile: 'contract' | 'deployed' = 'deployed') =>
  startBench({ profile, seed: { ...SEED, limits, keys: [{ name: 'k' }] } });

async function statuses(bench: Bench, count: number, [method, path, body]: [string, string, unknown?]) {
  const seen: number[] = [];
  for (let sent = 0; sent < count; sent += 1) seen.push((await bench.call(method, path, body)).status);
  return seen;
}

describe('the rate limits of a gateway as deployed', () => {
  it('are 360 requests in 180 seconds for all of /api', async () => {
    const bench = await limited({});
    const seen = await statuses(bench, 361, ['GET', '/api/status']);
    expect(seen.slice(0, 360).every((status) => status === 200)).toBe(true);
    expect(seen[360]).toBe(429);
    await bench.control('POST', '/clock', { advance: 179 });
    expect(await statuses(bench, 1, ['GET', '/api/user/self'])).toEqual([429]);
    await bench.control('POST', '/clock', { advance: 1 });
    expect(await statuses(bench, 1, ['GET', '/api/user/self'])).toEqual([200]);
    await bench.close();
  });

  it('answer with an empty body and do not say when to come again', async () => {
    const bench = await limited({ api: { requests: 1, seconds: 60 } });
    await bench.call('GET', '/api/status');
    const answer = await bench.call('GET', '/api/status');
    expect([answer.status, answer.text, answer.headers.get('retry-after')]).toEqual([429, '', null]);
    await bench.close();
  });

  it('are 20 in 20 minutes for reveal and batch reveal together, a batch counting once', async () => {
    const bench = await limited({});
    const single = await statuses(bench, 10, ['POST', '/api/token/1/key']);
    const batch = await statuses(bench, 10, ['POST', '/api/token/batch/keys', { ids: [1] }]);
    expect([...single, ...batch].every((status) => status === 200)).toBe(true);
    expect(await statuses(bench, 1, ['POST', '/api/token/1/key'])).toEqual([429]);
    expect(await statuses(bench, 1, ['GET', '/api/token/1'])).toEqual([200]);
    await bench.control('POST', '/clock', { advance: 20 * 60 });
    expect(await statuses(bench, 1, ['POST', '/api/token/batch/keys', { ids: [1] }])).toEqual([200]);
    await bench.close();
  });

  it('are 10 in 60 seconds for search', async () => {
    const bench = await limited({});
    expect(await statuses(bench, 11, ['GET', '/api/token/search?keyword=k'])).toEqual([...Array(10).fill(200), 429]);
    expect(await statuses(bench, 1, ['GET', '/api/token/'])).toEqual([200]);
    await bench.close();
  });

  it('count by address, and a request that does nothing is one too', async () => {
    const bench = await limited({ api: { requests: 1, seconds: 60 } });
    const from = (address: string) => bench.call('GET', '/api/user/self', undefined, { 'x-forwarded-for': address });
    expect((await from('192.0.2.1')).status).toBe(401);
    expect((await from('192.0.2.1')).status).toBe(429);
    expect((await from('192.0.2.2')).status).toBe(401);
    await bench.close();
  });

  it('do nothing when they refuse', async () => {
    const bench = await limited({ api: { requests: 1, seconds: 60 } });
    await bench.call('GET', '/api/status');
    expect((await bench.call('DELETE', '/api/token/1')).status).toBe(429);
    expect(await bench.storedKeys()).toHaveLength(1);
    await bench.close();
  });

  it('spare /v1, and the contract knows none unless the seed sets them', async () => {
    const bench = await limited({ api: { requests: 1, seconds: 60 } }, 'contract');
    expect(await statuses(bench, 2, ['GET', '/api/status'])).toEqual([200, 429]);
    expect(await statuses(bench, 2, ['GET', '/v1/models'])).toEqual([401, 401]);
    await bench.close();
    const free = await limited({}, 'contract');
    expect(new Set(await statuses(free, 400, ['GET', '/api/status']))).toEqual(new Set([200]));
    await free.close();
  });
});
