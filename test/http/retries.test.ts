import { describe, expect, test } from 'vitest';
import type { TraceEvent } from '../../src/http/index.ts';
import { client, faultOf, get, post } from './client.ts';
import { disconnect, inSequence, respondWith, serve } from './loopback.ts';
import { virtualClock } from './virtual-clock.ts';

describe('a 5xx', () => {
  test('to a read is retried with growing waits', async () => {
    const server = await serve(
      inSequence(respondWith(502), respondWith(503), respondWith(504), respondWith(200, 'back')),
    );
    const clock = virtualClock();
    expect((await client({ clock }).send(get(server.url))).text).toBe('back');
    expect(clock.waits).toEqual([300, 600, 1200]);
  });

  test.each([502, 503, 504, 520, 521, 522, 523, 524])('with status %i is treated as transient', async (status) => {
    const server = await serve(inSequence(respondWith(status), respondWith(200, 'back')));
    expect((await client().send(get(server.url))).text).toBe('back');
  });

  test('that persists is gateway.unavailable, with the title of the page but not its text', async () => {
    const page = '<html><head><title>502\n Bad\u001b[31m Gateway</title></head><body>canary-body</body></html>';
    const server = await serve(respondWith(502, page, { 'content-type': 'text/html' }));
    const fault = await faultOf(client().send(get(`${server.url}/r?token=canary`)));
    expect(fault.code).toBe('gateway.unavailable');
    expect(fault.message).toBe(
      'GET /r: the gateway responded with status 502 and a page titled “502 Bad [31m Gateway”.',
    );
    expect(fault.detail).toEqual({ method: 'GET', path: '/r', status: 502, sent: 'yes' });
    expect(server.seen).toHaveLength(4);
  });

  test('with status 500 is not retried', async () => {
    const server = await serve(respondWith(500));
    expect((await faultOf(client().send(get(server.url)))).code).toBe('gateway.unavailable');
    expect(server.seen).toHaveLength(1);
  });

  test('to a create is not retried', async () => {
    const server = await serve(respondWith(503));
    expect((await faultOf(client().send(post(server.url)))).code).toBe('gateway.unavailable');
    expect(server.seen).toHaveLength(1);
  });

  test('with Retry-After delays the retry of a read', async () => {
    const server = await serve(inSequence(respondWith(503, '', { 'retry-after': '7' }), respondWith(200, 'back')));
    const clock = virtualClock();
    await client({ clock }).send(get(server.url));
    expect(clock.waits).toEqual([7000]);
  });
});

test('a read has no trace of a lost attempt once a later attempt succeeds', async () => {
  const server = await serve(inSequence(disconnect, respondWith(200, 'read')));
  expect(await client().send(get(server.url))).not.toHaveProperty('afterLoss');
});

describe('a write that may be repeated', () => {
  const repeatable = { retry: 'yes' as const };

  test('is retried after its response was lost', async () => {
    const server = await serve(inSequence(disconnect, respondWith(200, 'done')));
    expect((await client().send(post(server.url, repeatable))).text).toBe('done');
  });

  test('remains uncertain when later attempts are definitely rejected', async () => {
    const server = await serve(inSequence(disconnect, respondWith(429, '', { 'retry-after': '9999' })));
    const fault = await faultOf(client().send(post(server.url, repeatable)));
    expect(fault.code).toBe('gateway.connection-lost');
    expect(fault.detail.sent).toBe('maybe');
    expect(server.seen).toHaveLength(2);
  });
});

test('an interruption ends the wait before a write is retried, and the write is not sent again', async () => {
  const server = await serve(respondWith(503, '', { 'retry-after': '20' }));
  const stop = new AbortController();
  // A wait that only the signal ends.
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((done) => {
      signal?.addEventListener('abort', () => done());
      setImmediate(() => stop.abort());
    });
  const interruptible = client({ clock: { now: () => 0, sleep }, signal: stop.signal });
  const fault = await faultOf(interruptible.send(post(server.url, { retry: 'yes' })));
  expect(fault.code).toBe('gateway.unavailable');
  expect(server.seen).toHaveLength(1);
});

describe('a redirect', () => {
  const to = (location: string, status = 307) => respondWith(status, '', { location });

  test('of a read to the same path with a trailing slash is followed with the credentials', async () => {
    const server = await serve((request, response) => {
      if (request.url.startsWith('/api/token/?')) return respondWith(200, 'list')(request, response);
      return to(request.url.replace('/api/token', '/api/token/'), 301)(request, response);
    });
    expect((await client().send(get(`${server.url}/api/token?p=2`))).text).toBe('list');
    expect(server.seen.map(({ url }) => url)).toEqual(['/api/token?p=2', '/api/token/?p=2']);
    expect(server.seen[1]?.headers.authorization).toBe('Bearer canary-access-token');
  });

  test('to another origin is gateway.redirected, and no request goes there', async () => {
    const other = await serve(respondWith(200));
    const server = await serve(to(`${other.url}/r?state=canary-state`));
    const fault = await faultOf(client().send(get(`${server.url}/r`)));
    expect(fault.code).toBe('gateway.redirected');
    expect(fault.message).toContain(other.url);
    expect(JSON.stringify([fault.message, fault.detail])).not.toContain('canary');
    expect(other.seen).toHaveLength(0);
    expect(server.seen).toHaveLength(1);
  });

  test.each(['', '?p=1', '?p=2&size=10'])('that changes the query of a read to %j is rejected', async (query) => {
    const server = await serve((request, response) =>
      request.url.startsWith('/api/token/')
        ? respondWith(200)(request, response)
        : to(`/api/token/${query}`)(request, response),
    );
    const fault = await faultOf(client().send(get(`${server.url}/api/token?p=2`)));
    expect(fault.code).toBe('gateway.redirected');
    expect(fault.hint).toContain('changes the query');
    expect(server.seen).toHaveLength(1);
  });

  test('of a write is never followed, not even for a trailing slash', async () => {
    for (const status of [300, 301, 302, 303, 307, 308]) {
      const server = await serve(to('/api/token/', status));
      const fault = await faultOf(client().send(post(`${server.url}/api/token`)));
      expect(fault.code).toBe('gateway.redirected');
      expect(server.seen).toHaveLength(1);
    }
  });

  test('of a read sent as POST is not followed', async () => {
    const server = await serve(to('/api/token/1/key/'));
    const request = post(`${server.url}/api/token/1/key`, { effect: 'reads', retry: 'yes' });
    expect((await faultOf(client().send(request))).code).toBe('gateway.redirected');
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    '/api/user/token',
    '/api/user/token/',
    '/api/user/%74oken',
    '/api//user/token',
    '/api/user/self/../token',
    '/api/user/self/%2e%2e/token',
    '//user:pass@127.0.0.1/api/user/token',
  ])('to the token rotation as %s is rejected', async (location) => {
    const server = await serve(to(location));
    const fault = await faultOf(client().send(get(`${server.url}/api/user/self`)));
    expect(fault.code).toBe('gateway.redirected');
    expect(server.seen.map(({ url }) => url)).toEqual(['/api/user/self']);
  });

  test('loop ends with gateway.redirected', async () => {
    const server = await serve((request, response) =>
      to(request.url.endsWith('/') ? request.url.slice(0, -1) : `${request.url}/`)(request, response),
    );
    expect((await faultOf(client().send(get(`${server.url}/r`)))).code).toBe('gateway.redirected');
    expect(server.seen).toHaveLength(3);
  });

  test('without a location is gateway.redirected', async () => {
    const server = await serve(respondWith(302));
    expect((await faultOf(client().send(get(server.url)))).message).toContain('nowhere');
  });

  test('from http to https suggests the https URL', async () => {
    const server = await serve(to('https://127.0.0.1:9/r'));
    expect((await faultOf(client().send(get(`${server.url}/r`)))).hint).toContain('https://127.0.0.1:9');
  });

  test('to the same path under another base suggests that base', async () => {
    const server = await serve(to('https://gw.example/base/api/status'));
    const fault = await faultOf(client().send(get(`${server.url}/api/status`)));
    expect(fault.hint).toContain('https://gw.example/base ');
  });

  test.each(['javascript:alert(1)', 'file:///tmp', 'ftp://gw.example'])(
    'to %s is not an address to use',
    async (base) => {
      const server = await serve(to(`${base}/api/status`));
      const fault = await faultOf(client().send(get(`${server.url}/api/status`)));
      expect(fault.hint).toContain('No credentials were sent');
    },
  );
});

describe('a request that may be sent only once', () => {
  const once = { retry: 'never' as const, effect: 'writes' as const };

  test.each([
    ['429', respondWith(429)],
    ['503', respondWith(503)],
    ['a redirect', respondWith(301, '', { location: '/api/user/token/' })],
    ['a lost response', disconnect],
  ])('is sent once when the response is %s', async (_name, handler) => {
    const server = await serve(handler);
    await faultOf(client().send(get(`${server.url}/api/user/token`, once)));
    expect(server.seen).toHaveLength(1);
  });

  test('throws gateway.rate-limited on a 429', async () => {
    const server = await serve(respondWith(429));
    expect((await faultOf(client().send(get(server.url, once)))).code).toBe('gateway.rate-limited');
  });
});

describe('the trace', () => {
  test('reports every attempt and wait, with only the numbers and flags of the query', async () => {
    const server = await serve(inSequence(disconnect, respondWith(429), respondWith(200)));
    const events: TraceEvent[] = [];
    const http = client({ onTrace: (event) => events.push(event) });
    await http.send(get(`${server.url}/r?p=1&exact=true&token=canary-token`, { headers: { authorization: 'canary' } }));
    const path = '/r?p=1&exact=true&token=…';
    expect(events.map(({ ms: _ms, ...event }) => event)).toEqual([
      { kind: 'failure', method: 'GET', path, attempt: 1, code: 'gateway.connection-lost' },
      { kind: 'wait', reason: 'retry', method: 'GET', path, attempt: 1 },
      { kind: 'answer', method: 'GET', path, attempt: 2, status: 429, date: expect.any(String) },
      { kind: 'wait', reason: 'rate-limited', method: 'GET', path, attempt: 3 },
      { kind: 'answer', method: 'GET', path, attempt: 3, status: 200, date: expect.any(String) },
    ]);
    expect(JSON.stringify(events)).not.toContain('canary');
  });
});
