import type { ServerResponse } from 'node:http';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { OpenResponse, TraceEvent } from '../../src/http/index.ts';
import { client, faultOf, get, post } from './client.ts';
import { disconnect, type Handler, inSequence, noResponse, respondWith, serve } from './loopback.ts';
import { virtualClock } from './virtual-clock.ts';

const textOf = async ({ body }: OpenResponse): Promise<string> => {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
};

/** Opens a body and leaves the rest to the test. */
function startBody(then: (response: ServerResponse) => void, headers = {}): Handler {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...headers });
    then(response);
  };
}

/** Resolves when the connection of the answer is closed. */
function closing() {
  let closed: () => void = () => undefined;
  const isClosed = new Promise<void>((done) => {
    closed = done;
  });
  return { isClosed, watch: (response: ServerResponse) => response.on('close', closed) };
}

describe('an open response', () => {
  test('is returned with its head, before its body', async () => {
    let response: ServerResponse | undefined;
    const server = await serve(
      startBody(
        (given) => {
          response = given;
          given.flushHeaders();
        },
        { 'x-request-id': 'req-1' },
      ),
    );
    const opened = await client().open(get(server.url));
    expect(opened).toMatchObject({ status: 200, mediaType: 'text/event-stream', requestId: 'req-1' });
    response?.end('late');
    expect(await textOf(opened)).toBe('late');
  });

  test('yields each chunk of the body as it arrives', async () => {
    let response: ServerResponse | undefined;
    const server = await serve(
      startBody((given) => {
        response = given;
        given.write('one');
      }),
    );
    const { body } = await client().open(get(server.url));
    const parts: string[] = [];
    for await (const part of body) {
      parts.push(Buffer.from(part).toString());
      if (parts.length === 1) response?.write('two');
      if (parts.length === 2) response?.end();
    }
    expect(parts).toEqual(['one', 'two']);
  });

  test('is preceded by a request body of unchanged bytes', async () => {
    const seen: Buffer[] = [];
    const server = await serve(respondWith(200));
    const bytes = new TextEncoder().encode('--b\r\nä\r\n');
    await textOf(await client().open(post(server.url, { body: bytes })));
    seen.push(Buffer.from(server.seen[0]?.body ?? ''));
    expect(seen[0]).toEqual(Buffer.from(bytes));
    expect(server.seen[0]?.headers['content-length']).toBe(String(bytes.length));
  });

  test.each([
    ['gzip', gzipSync('plain')],
    ['br', brotliCompressSync('plain')],
    ['deflate', deflateSync('plain')],
  ])('is decoded when a proxy compressed it with %s', async (coding, bytes) => {
    const server = await serve(startBody((response) => response.end(bytes), { 'content-encoding': coding }));
    expect(await textOf(await client().open(get(server.url)))).toBe('plain');
  });

  test('is decoded chunk by chunk', async () => {
    const gzip = createGzip();
    const server = await serve(
      startBody(
        (response) => {
          gzip.pipe(response);
          gzip.write('first');
          gzip.flush();
        },
        { 'content-encoding': 'gzip' },
      ),
    );
    const opened = await client().open(get(server.url));
    for await (const part of opened.body) {
      expect(Buffer.from(part).toString()).toBe('first');
      break;
    }
    gzip.end();
  });

  test('throws when its compressed body is truncated', async () => {
    const bytes = gzipSync('x'.repeat(1000));
    const server = await serve(
      startBody((response) => response.end(bytes.subarray(0, -6)), { 'content-encoding': 'gzip' }),
    );
    const opened = await client().open(get(server.url));
    expect((await faultOf(textOf(opened))).code).toBe('gateway.not-json');
  });

  test('throws gateway.unexpected-shape beyond its size limit', async () => {
    const server = await serve(respondWith(200, 'x'.repeat(2000)));
    const opened = await client().open(get(server.url, { maxBytes: 1000 }));
    expect((await faultOf(textOf(opened))).code).toBe('gateway.unexpected-shape');
  });

  test('throws gateway.connection-lost after the last chunk when the connection ends', async () => {
    const server = await serve(startBody((response) => response.write('half', () => response.socket?.destroy())));
    const opened = await client().open(get(server.url));
    const seen: string[] = [];
    const reading = async () => {
      for await (const part of opened.body) seen.push(Buffer.from(part).toString());
    };
    const fault = await faultOf(reading());
    expect([fault.code, fault.detail.sent, seen.join('')]).toEqual(['gateway.connection-lost', 'yes', 'half']);
    expect(server.seen).toHaveLength(1);
  });

  test('measures its time with the clock', async () => {
    const clock = virtualClock(0);
    const server = await serve(async (request, response) => {
      await clock.sleep(700);
      return respondWith(200, 'x')(request, response);
    });
    const opened = await client({ clock }).open(get(server.url));
    expect(opened.firstByteMs).toBe(700);
    await clock.sleep(300);
    expect(opened.elapsedMs()).toBe(1000);
  });
});

describe('the timeout of an open response', () => {
  test('is headersMs before its head', async () => {
    const server = await serve(noResponse);
    const fault = await faultOf(client().open(post(server.url, { timeouts: { headersMs: 30 } })));
    expect([fault.code, fault.detail.sent]).toEqual(['gateway.timeout', 'maybe']);
  });

  test('is bodyMs between two chunks', async () => {
    const server = await serve(startBody((response) => response.write('x')));
    const read = client()
      .open(post(server.url, { timeouts: { bodyMs: 40 } }))
      .then(textOf);
    expect((await faultOf(read)).code).toBe('gateway.timeout');
  });

  test('is totalMs for the whole, even while chunks keep arriving', async () => {
    const server = await serve(
      startBody((response) => {
        const drip = setInterval(() => response.write('x'), 5);
        response.on('close', () => clearInterval(drip));
      }),
    );
    const read = client()
      .open(post(server.url, { timeouts: { totalMs: 100 } }))
      .then(textOf);
    expect((await faultOf(read)).code).toBe('gateway.timeout');
  });
});

describe('a discarded response', () => {
  test('is closed by leaving the loop, which frees its place in the queue', async () => {
    const { isClosed, watch } = closing();
    const server = await serve(
      inSequence(
        (request, response) => {
          watch(response);
          return startBody((given) => given.write('x'))(request, response);
        },
        respondWith(200, 'next'),
      ),
    );
    const http = client({ concurrency: 1 });
    const { body } = await http.open(get(server.url));
    for await (const part of body) if (part.length > 0) break;
    expect((await http.send(get(server.url))).text).toBe('next');
    await isClosed;
  });

  test('is closed by `close`, even if it was never read', async () => {
    const { isClosed, watch } = closing();
    const server = await serve((request, response) => {
      watch(response);
      return startBody((given) => given.write('x'))(request, response);
    });
    const opened = await client().open(get(server.url));
    opened.close();
    await isClosed;
    expect(await textOf(opened)).toBe('');
  });

  test('keeps its place in the queue while it is read', async () => {
    let response: ServerResponse | undefined;
    const server = await serve(
      inSequence(
        startBody((given) => {
          response = given;
          given.write('x');
        }),
        respondWith(200),
      ),
    );
    const http = client({ concurrency: 1 });
    const opened = await http.open(get(`${server.url}/1`));
    const second = http.send(get(`${server.url}/2`));
    await new Promise(setImmediate);
    expect(server.seen).toHaveLength(1);
    response?.end();
    expect(await textOf(opened)).toBe('x');
    await second;
    expect(server.seen).toHaveLength(2);
  });
});

describe('a signal', () => {
  test('ends the reading of a body immediately with gateway.interrupted', async () => {
    const stop = new AbortController();
    const { isClosed, watch } = closing();
    const server = await serve((request, response) => {
      watch(response);
      return startBody((given) => given.write('x'))(request, response);
    });
    const opened = await client().open(post(server.url, { signal: stop.signal }));
    const reading = textOf(opened);
    stop.abort();
    const fault = await faultOf(reading);
    expect([fault.code, fault.detail.sent]).toEqual(['gateway.interrupted', 'yes']);
    await isClosed;
  });

  test('ends the wait for a response without a retry', async () => {
    const stop = new AbortController();
    const server = await serve(() => stop.abort());
    const fault = await faultOf(client().open(get(server.url, { signal: stop.signal })));
    expect([fault.code, fault.detail.sent]).toEqual(['gateway.interrupted', 'maybe']);
    expect(server.seen).toHaveLength(1);
  });

  test('that was aborted before prevents the request', async () => {
    const server = await serve(respondWith(200));
    const fault = await faultOf(client().open(get(`${server.url}/r`, { signal: AbortSignal.abort() })));
    expect([fault.code, fault.detail.sent, fault.detail.path]).toEqual(['gateway.interrupted', 'no', '/r']);
    expect(server.seen).toHaveLength(0);
  });

  test('ends the wait in the queue', async () => {
    const stop = new AbortController();
    const server = await serve(startBody((response) => response.write('x')));
    const http = client({ concurrency: 1 });
    const first = await http.open(get(server.url));
    const queued = http.open(get(server.url, { signal: stop.signal }));
    stop.abort();
    expect((await faultOf(queued)).code).toBe('gateway.interrupted');
    first.close();
    expect(server.seen).toHaveLength(1);
  });

  test('ends the wait before a retry', async () => {
    const stop = new AbortController();
    const server = await serve(respondWith(503, '', { 'retry-after': '20' }));
    const sleep = (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((done) => {
        signal?.addEventListener('abort', () => done());
        setImmediate(() => stop.abort());
      });
    const http = client({ clock: { now: () => 0, sleep } });
    const fault = await faultOf(http.open(get(server.url, { signal: stop.signal })));
    expect(fault.code).toBe('gateway.interrupted');
    expect(server.seen).toHaveLength(1);
  });
});

describe('opening a response', () => {
  test('retries a read until its head arrives, but not after that', async () => {
    const breaking = startBody((response) => response.write('x', () => response.socket?.destroy()));
    const server = await serve(inSequence(disconnect, respondWith(503), breaking));
    const events: string[] = [];
    const onTrace = (event: TraceEvent) => events.push(event.kind);
    const opened = await client({ onTrace }).open(get(server.url));
    expect((await faultOf(textOf(opened))).code).toBe('gateway.connection-lost');
    expect(server.seen).toHaveLength(3);
    expect(events).toEqual(['failure', 'wait', 'answer', 'wait', 'answer']);
  });

  test('does not retry a request that may cost money', async () => {
    const server = await serve(inSequence(disconnect, respondWith(200)));
    expect((await faultOf(client().open(post(server.url)))).code).toBe('gateway.connection-lost');
    expect(server.seen).toHaveLength(1);
  });

  test('waits for a rate limit within its patience', async () => {
    const server = await serve(inSequence(respondWith(429, '', { 'retry-after': '30' }), respondWith(200, 'in')));
    expect(await textOf(await client().open(post(server.url)))).toBe('in');
    const busy = await serve(respondWith(429, '', { 'retry-after': '30' }));
    const fault = await faultOf(client().open(post(busy.url, { patienceMs: 20_000 })));
    expect(fault.code).toBe('gateway.rate-limited');
    expect(busy.seen).toHaveLength(1);
  });

  test('returns a 5xx when requested, and throws it otherwise', async () => {
    const server = await serve(respondWith(503, { error: { code: 'model_not_found' } }));
    const opened = await client().open(post(server.url, { serverErrors: 'answered' }));
    expect([opened.status, await textOf(opened)]).toEqual([503, '{"error":{"code":"model_not_found"}}']);
    expect(server.seen).toHaveLength(1);
    expect((await faultOf(client().open(post(server.url)))).code).toBe('gateway.unavailable');
  });

  test('returns the last of several 5xx', async () => {
    const server = await serve(respondWith(503, 'busy'));
    const sent = await client().send(get(server.url, { serverErrors: 'answered' }));
    expect([sent.status, sent.text, server.seen.length]).toEqual([503, 'busy', 4]);
  });

  test('admits another request when the head of a long response shows that the limit is over', async () => {
    const server = await serve(
      inSequence(
        respondWith(429),
        startBody((response) => response.write('x')),
        respondWith(200, 'meanwhile'),
      ),
    );
    const http = client();
    const long = await http.open(get(server.url));
    expect((await http.send(get(server.url))).text).toBe('meanwhile');
    long.close();
  });
});

describe('a redirect that may lead anywhere', () => {
  const anywhere = { redirects: 'anywhere' } as const;
  const to = (location: string) => respondWith(302, '', { location });

  test('is followed to another origin, without credentials', async () => {
    const other = await serve(respondWith(200, 'file'));
    const server = await serve(to(`${other.url}/f?sign=1`));
    expect(await textOf(await client().open(get(server.url, anywhere)))).toBe('file');
    expect(other.seen[0]?.url).toBe('/f?sign=1');
    expect(other.seen[0]?.headers.authorization).toBeUndefined();
  });

  test('does not add the credentials again on a redirect back', async () => {
    const home = await serve((request, response) =>
      request.url === '/back' ? respondWith(200)(request, response) : to(`${away.url}/away`)(request, response),
    );
    const away = await serve((request, response) => to(`${home.url}/back`)(request, response));
    await textOf(await client().open(get(home.url, anywhere)));
    expect(home.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer canary-access-token', undefined]);
  });

  test('is followed five times at most, and never to another scheme', async () => {
    const loop = await serve(to('/again'));
    expect(await faultOf(client().open(get(loop.url, anywhere)))).toMatchObject({
      code: 'gateway.redirected',
      hint: expect.stringContaining('through five redirects'),
    });
    expect(loop.seen).toHaveLength(6);
    const file = await serve(to('file:///etc/passwd'));
    expect((await faultOf(client().open(get(file.url, anywhere)))).code).toBe('gateway.redirected');
  });
});
