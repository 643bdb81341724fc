import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/index.ts';
import { faultOf } from '../../http/client.ts';
import { disconnect, respondWith, serve } from '../../http/loopback.ts';
import { calls, gatewayOf, id, ok, open, record, refused, SELF } from './scripted.ts';

describe('the token rotation', () => {
  test.each([
    ['refused', refused()],
    ['lost', disconnect],
    ['a 429', respondWith(429)],
    ['a 503', respondWith(503)],
    ['of another shape', ok({ nothing: 1 })],
  ])('is requested once, even when the response is %s', async (_case, handler) => {
    const server = await gatewayOf({ 'GET /api/user/token': handler });
    await faultOf(open(server.url).system.rotateToken());
    expect(calls(server).filter((call) => call.includes('/api/user/token'))).toHaveLength(1);
  });

  test('cannot be reached by another method through redirects', async () => {
    const server = await serve((request, response) => {
      if (request.url.startsWith('/api/user/token')) return SELF(request, response);
      return respondWith(307, '', { location: '/api/user/token' })(request, response);
    });
    const { system, store } = open(server.url, { modelsKey: new Secret('sk-a') });
    const key = (await import('../../../src/wire/index.ts')).keyFromWire(record(1) as never);
    const asks = [
      system.status(),
      system.self(),
      system.groups(),
      system.createKey(key),
      system.listKeys({ page: 1, size: 1, excludeSmartRouting: true }),
      system.searchKeys({ keyword: 'a', page: 1, size: 1 }),
      system.readKey(id(1)),
      system.revealKey(id(1)),
      system.revealKeys([id(1)]),
      system.updateKey(key, {}),
      system.setKeyStatus(id(1), true),
      system.deleteKey(id(1)),
      system.deleteKeys([id(1)]),
      system.usageLog({ page: 1, size: 1 }),
      system.usageStatistics(),
      store.models(),
      store.walk(),
    ];
    const faults = await Promise.all(asks.map(faultOf));
    expect(faults.map(({ code }) => code)).toEqual(asks.map(() => 'gateway.redirected'));
    expect(server.seen.filter(({ url }) => url.startsWith('/api/user/token'))).toEqual([]);
  });
});
