import { describe, expect, test } from 'vitest';
import type { TraceEvent } from '../../src/http/index.ts';
import { client, faultOf, get, post } from './client.ts';
import { answer, cut, inTurn, serve } from './loopback.ts';
import { virtualClock } from './virtual-clock.ts';

describe('a 5xx', () => {
  test('that passes is asked again for a read, with growing waits', async () => {
    const server = await serve(inTurn(answer(502), answer(503), answer(504), answer(200, 'back')));
    const clock = virtualClock();
    expect((await client({ clock }).send(get(server.url))).text).toBe('back');
    expect(clock.waits).toEqual([300, 600, 1200]);
  });

  test.each([502, 503, 504, 520, 521, 522, 523, 524])('of %i, a gateway’s or its proxy’s, passes', async (status) => {
    const server = await serve(inTurn(answer(status), answer(200, 'back')));
    expect((await client().send(get(server.url))).text).toBe('back');
  });

  test('that stays is gateway.unavailable, with the title of the page and not its text', async () => {
    const page = '<html><head><title>502\n Bad\u001b[31m Gateway</title></head><body>canary-body</body></html>';
    const server = await serve(answer(502, page, { 'content-type': 'text/html' }));
    const fault = await faultOf(client().send(get(`${server.url}/r?token=canary`)));
    expect(fault.code).toBe('gateway.unavailable');
    expect(fault.message).toBe(
      'GET /r: the gateway responded with status 502 and a page titled “502 Bad [31m Gateway”.',
    );
    expect(fault.detail).toEqual({ method: 'GET', path: '/r', status: 502, sent: 'yes' });
    expect(server.seen).toHaveLength(4);
  });

  test('of 500 is not asked again', async () => {
    const server = await serve(answer(500));
    expect((await faultOf(client().send(get(server.url)))).code).toBe('gateway.unavailable');
    expect(server.seen).toHaveLength(1);
  });

  test('to a create is not asked again, whichever it is', async () => {
    const server = await serve(answer(503));
    expect((await faultOf(client().send(post(server.url)))).code).toBe('gateway.unavailable');
    expect(server.seen).toHaveLength(1);
  });

  test('with Retry-After is waited out for a read', async () => {
    const server = await serve(inTurn(answer(503, '', { 'retry-after': '7' }), answer(200, 'back')));
    const clock = virtualClock();
    await client({ clock }).send(get(server.url));
    expect(clock.waits).toEqual([7000]);
  });
});

test('a read whose answer was lost is as good as new when it is answered later', async () => {
  const server = await serve(inTurn(cut, answer(200, 'read')));
  expect(await client().send(get(server.url))).not.toHaveProperty('afterLoss');
});

describe('a write that may be repeated', () => {
  const repeatable = { retry: 'yes' as const };

  test('is repeated after its answer was lost', async () => {
    const server = await serve(inTurn(cut, answer(200, 'done')));
    expect((await client().send(post(server.url, repeatable))).text).toBe('done');
  });

  test('stays uncertain when the later attempts are refused for sure', async () => {
    const server = await serve(inTurn(cut, answer(429, '', { 'retry-after': '9999' })));
    const fault = await faultOf(client().send(post(server.url, repeatable)));
    expect(fault.code).toBe('gateway.connection-lost');
    expect(fault.detail.sent).toBe('maybe');
    expect(server.seen).toHaveLength(2);
  });
});

test('the wait before a write is repeated ends with the run: it is not sent again', async () => {
  const server = await serve(answer(503, '', { 'retry-after': '20' }));
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
  const to = (location: string, status = 307) => answer(status, '', { location });

  test('of a read to the same path with the slash is followed, with the credentials', async () => {
    const server = await serve((request, response) => {
      if (request.url.startsWith('/api/token/?')) return answer(200, 'list')(request, response);
      return to(request.url.replace('/api/token', '/api/token/'), 301)(request, response);
    });
    expect((await client().send(get(`${server.url}/api/token?p=2`))).text).toBe('list');
    expect(server.seen.map(({ url }) => url)).toEqual(['/api/token?p=2', '/api/token/?p=2']);
    expect(server.seen[1]?.headers.authorization).toBe('Bearer canary-access-token');
  });

  test('to another origin is gateway.redirected, and nothing is sent there', async () => {
    const other = await serve(answer(200));
    const server = await serve(to(`${other.url}/r?state=canary-state`));
    const fault = await faultOf(client().send(get(`${server.url}/r`)));
    expect(fault.code).toBe('gateway.redirected');
    expect(fault.message).toContain(other.url);
    expect(JSON.stringify([fault.message, fault.detail])).not.toContain('canary');
    expect(other.seen).toHaveLength(0);
    expect(server.seen).toHaveLength(1);
  });

  test.each(['', '?p=1', '?p=2&size=10'])('that changes the query of a read into %j is refused', async (query) => {
    const server = await serve((request, response) =>
      request.url.startsWith('/api/token/')
        ? answer(200)(request, response)
        : to(`/api/token/${query}`)(request, response),
    );
    const fault = await faultOf(client().send(get(`${server.url}/api/token?p=2`)));
    expect(fault.code).toBe('gateway.redirected');
    expect(fault.hint).toContain('changes the query');
    expect(server.seen).toHaveLength(1);
  });

  test('of a write is never followed, not even for a slash', async () => {
    for (const status of [300, 301, 302, 303, 307, 308]) {
      const server = await serve(to('/api/token/', status));
      const fault = await faultOf(client().send(post(`${server.url}/api/token`)));
      expect(fault.code).toBe('gateway.redirected');
      expect(server.seen).toHaveLength(1);
    }
  });

  test('of a read that is sent as POST is not followed either', async () => {
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
  ])('to the token rotation as %s is refused', async (location) => {
    const server = await serve(to(location));
    const fault = await faultOf(client().send(get(`${server.url}/api/user/self`)));
    expect(fault.code).toBe('gateway.redirected');
    expect(server.seen.map(({ url }) => url)).toEqual(['/api/user/self']);
  });

  test('in a circle ends with gateway.redirected', async () => {
    const server = await serve((request, response) =>
      to(request.url.endsWith('/') ? request.url.slice(0, -1) : `${request.url}/`)(request, response),
    );
    expect((await faultOf(client().send(get(`${server.url}/r`)))).code).toBe('gateway.redirected');
    expect(server.seen).toHaveLength(3);
  });

  test('to nowhere is gateway.redirected', async () => {
    const server = await serve(answer(302));
    expect((await faultOf(client().send(get(server.url)))).message).toContain('nowhere');
  });

  test('from http to https suggests the https URL', async () => {
    const server = await serve(to('https://127.0.0.1:9/r'));
    expect((await faultOf(client().send(get(`${server.url}/r`)))).hint).toContain('https://127.0.0.1:9');
  });

  test('to the same path below another base suggests that base', async () => {
    const server = await serve(to('https://gw.example/base/api/status'));
    const fault = await faultOf(client().send(get(`${server.url}/api/status`)));
    expect(fault.hint).toContain('https://gw.example/base ');
  });
});

describe('a request that may be sent once only', () => {
  const once = { retry: 'never' as const, effect: 'writes' as const };

  test.each([
    ['429', answer(429)],
    ['503', answer(503)],
    ['a redirect', answer(301, '', { location: '/api/user/token/' })],
    ['a lost answer', cut],
  ])('is sent once when the answer is %s', async (_name, play) => {
    const server = await serve(play);
    await faultOf(client().send(get(`${server.url}/api/user/token`, once)));
    expect(server.seen).toHaveLength(1);
  });

  test('says of a 429 that nothing was done: gateway.rate-limited', async () => {
    const server = await serve(answer(429));
    expect((await faultOf(client().send(get(server.url, once)))).code).toBe('gateway.rate-limited');
  });
});

describe('the trace', () => {
  test('tells every attempt and wait, with only numbers and flags of the query', async () => {
    const server = await serve(inTurn(cut, answer(429), answer(200)));
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
