import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { client, faultOf, get, post } from './client.ts';
import {
  disconnect,
  inSequence,
  type Loopback,
  noResponse,
  respondWith,
  serve,
  serveRaw,
  serveTls,
  unusedPort,
} from './loopback.ts';

const pem = (file: string) => readFileSync(new URL(`certificates/${file}`, import.meta.url), 'utf8');
const pair = (name: string) => ({ key: pem(`${name}.key`), cert: pem(`${name}.pem`) });

test('a client opens no more connections than it sends requests at the same time', async () => {
  const connections = new Set<unknown>();
  const server = await serve((_request, response) => {
    connections.add(response.socket);
    response.end('{}');
  });
  const http = client({ concurrency: 3 });
  await Promise.all(Array.from({ length: 30 }, () => http.send(get(server.url))));
  expect(server.seen).toHaveLength(30);
  expect(connections.size).toBe(3);
});

test('a request that follows a response is sent before the next response is handled, although both arrived together', async () => {
  const waiting: (() => void)[] = [];
  const server = await serve((_request, response) => {
    waiting.push(() => response.end('{}'));
    if (waiting.length >= 4) for (const answer of waiting.splice(0)) answer();
  });
  const events: string[] = [];
  const onSent = (message: unknown): void => {
    const { request } = message as { request: { origin: string; path: string } };
    if (request.origin === server.url) events.push(`sent ${request.path}`);
  };
  subscribe('undici:client:sendHeaders', onSent);
  onTestFinished(() => void unsubscribe('undici:client:sendHeaders', onSent));
  const http = client({ concurrency: 4 });
  const follow = async (i: number): Promise<void> => {
    await http.send(get(`${server.url}/first/${i}`));
    events.push(`handled ${i}`);
    await http.send(get(`${server.url}/next/${i}`));
  };
  await Promise.all([1, 2, 3, 4].map(follow));
  expect(events.slice(4)).toEqual([1, 2, 3, 4].flatMap((i) => [`handled ${i}`, `sent /next/${i}`]));
});

describe('a response', () => {
  test('is read completely, with its status and media type', async () => {
    const server = await serve(respondWith(404, { ok: false }));
    expect(await client().send(get(`${server.url}/x`))).toEqual({
      status: 404,
      mediaType: 'application/json',
      text: '{"ok":false}',
      timing: { firstByteMs: 0, totalMs: 0 },
    });
  });

  test('is read without its byte order mark', async () => {
    const server = await serve(respondWith(200, '\uFEFF{}'));
    expect((await client().send(get(server.url))).text).toBe('{}');
  });

  test('is decoded when a proxy compressed it without being asked', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
    });
    expect((await client().send(get(server.url))).text).toBe('{"a":1}');
  });

  test('throws gateway.not-json for an unknown content coding', async () => {
    const server = await serve(respondWith(200, 'xx', { 'content-encoding': 'zstd-42' }));
    expect((await faultOf(client().send(get(server.url)))).code).toBe('gateway.not-json');
  });

  test('throws gateway.unexpected-shape beyond the size limit, and is not read further', async () => {
    const server = await serve(respondWith(200, 'x'.repeat(2000)));
    const fault = await faultOf(client({ maxBytes: 1000 }).send(get(server.url)));
    expect(fault.code).toBe('gateway.unexpected-shape');
    expect(fault.message).toContain('larger');
    expect(server.seen).toHaveLength(1);
  });

  test('throws gateway.unexpected-shape when its announced length is beyond the size limit, before any of it arrives', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '2000' });
      response.flushHeaders();
    });
    const fault = await faultOf(client({ maxBytes: 1000 }).send(get(server.url)));
    expect([fault.code, server.seen.length]).toEqual(['gateway.unexpected-shape', 1]);
  });

  test('throws gateway.not-json when its decoded size exceeds the limit', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_000)));
    });
    expect((await faultOf(client({ maxBytes: 10_000 }).send(get(server.url)))).code).toBe('gateway.not-json');
  });
});

describe('a failed connection', () => {
  test('throws gateway.unreachable after four attempts when nothing listens at the port', async () => {
    const port = await unusedPort();
    const failures: string[] = [];
    const http = client({ onTrace: (event) => event.kind === 'failure' && failures.push(event.code) });
    const fault = await faultOf(http.send(post(`http://127.0.0.1:${port}/api/token/`)));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.message).toContain(`127.0.0.1:${port}`);
    expect(fault.hint).toContain('port');
    expect(fault.detail).toEqual({ method: 'POST', path: '/api/token/', sent: 'no', error: 'ECONNREFUSED' });
    expect(failures).toHaveLength(4);
  });

  test('throws gateway.unreachable with a hint about DNS when the host does not exist', async () => {
    const fault = await faultOf(client().send(get('http://no-such-host.invalid/x')));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.message).toContain('no-such-host.invalid');
    expect(fault.hint).toContain('DNS');
  });

  test('retries a write that was never sent until the gateway is up', async () => {
    const port = await unusedPort();
    let up: Loopback | undefined;
    const sleep = async () => {
      up ??= await serve(respondWith(200, 'made'), port);
    };
    const http = client({ clock: { now: () => 0, sleep } });
    expect((await http.send(post(`http://127.0.0.1:${port}/`))).text).toBe('made');
    expect(up?.seen).toHaveLength(1);
  });

  test('does not retry a request with `retry: never`, even if it was never sent', async () => {
    const port = await unusedPort();
    const tried: string[] = [];
    const http = client({ onTrace: (event) => tried.push(event.kind) });
    await faultOf(http.send(get(`http://127.0.0.1:${port}/x`, { retry: 'never', effect: 'writes' })));
    expect(tried).toEqual(['failure']);
  });
});

describe('TLS', () => {
  test('fails without a retry for a certificate of an unknown authority, and suggests trusting that authority', async () => {
    const server = await serveTls(pair('good'), respondWith(200));
    const events: string[] = [];
    const fault = await faultOf(client({ onTrace: (event) => events.push(event.kind) }).send(get(server.url)));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.remedy).toBe('trust-authority');
    expect(fault.detail.sent).toBe('no');
    expect(events).toEqual(['failure']);
  });

  test('accepts a certificate of the extra authority', async () => {
    const server = await serveTls(pair('good'), respondWith(200, 'fine'));
    expect((await client({ ca: pem('ca.pem') }).send(get(server.url))).text).toBe('fine');
  });

  test('mentions the clock for an expired certificate', async () => {
    const server = await serveTls(pair('expired'), respondWith(200));
    const fault = await faultOf(client({ ca: pem('ca.pem') }).send(get(server.url)));
    expect(fault.message).toContain('expired');
    expect(fault.hint).toContain('clock');
    expect(server.seen).toHaveLength(0);
  });

  test('reports a certificate of another host', async () => {
    const server = await serveTls(pair('elsewhere'), respondWith(200));
    const fault = await faultOf(client({ ca: pem('ca.pem') }).send(get(server.url)));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.message).toContain('another host name');
  });

  test('suggests http at a port without TLS', async () => {
    const server = await serve(respondWith(200));
    const fault = await faultOf(client().send(get(server.url.replace('http:', 'https:'))));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.hint).toContain('http://');
  });

  test('throws usage.invalid for an extra authority that is not a certificate', () => {
    expect(() => client({ ca: 'not a certificate' })).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
  });

  test('suggests https when a TLS port receives plain HTTP', async () => {
    const server = await serveTls(pair('good'), respondWith(200));
    const fault = await faultOf(client().send(get(server.url.replace('https:', 'http:'))));
    expect(['gateway.not-json', 'gateway.connection-lost']).toContain(fault.code);
    expect(fault.hint).toContain('https://');
  });
});

describe('a timeout', () => {
  const timeouts = { connectMs: 5000, headersMs: 40, bodyMs: 40, totalMs: 5000 };

  test('before the head of a response is gateway.timeout, and a write is not retried', async () => {
    const server = await serve(noResponse);
    const fault = await faultOf(client({ timeouts }).send(post(`${server.url}/w`)));
    expect(fault.code).toBe('gateway.timeout');
    expect(fault.message).toContain('there was no response within the time limit of 0.04 s');
    expect(fault.detail).toEqual({ method: 'POST', path: '/w', sent: 'maybe' });
    expect(server.seen).toHaveLength(1);
  });

  test('in the middle of a body is gateway.timeout', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
    });
    const fault = await faultOf(client({ timeouts: { ...timeouts, headersMs: 5000 } }).send(post(server.url)));
    expect(fault.code).toBe('gateway.timeout');
    expect(fault.message).toContain('the response started, but then nothing arrived within the time limit of 0.04 s');
    expect(fault.detail.sent).toBe('yes');
  });

  test('of the whole attempt applies even while the body keeps arriving', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    });
    const patient = { ...timeouts, headersMs: 5000, bodyMs: 5000, totalMs: 100 };
    const fault = await faultOf(client({ timeouts: patient }).send(post(server.url)));
    expect(fault.code).toBe('gateway.timeout');
    expect(fault.message).toContain('the response was not complete within the time limit of 0.1 s');
  });

  test('of a read leads to a retry', async () => {
    const server = await serve(inSequence(noResponse, respondWith(200, 'late')));
    expect((await client({ timeouts }).send(get(server.url))).text).toBe('late');
  });
});

describe('a lost response', () => {
  test('to a write is gateway.connection-lost, and the write is not retried', async () => {
    const server = await serve(disconnect);
    const fault = await faultOf(client().send(post(`${server.url}/w`)));
    expect(fault.code).toBe('gateway.connection-lost');
    expect(fault.detail.sent).toBe('maybe');
    expect(server.seen).toHaveLength(1);
  });

  test('in the middle of the body is gateway.connection-lost with `sent: yes`', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"success":', () => response.socket?.destroy());
    });
    const fault = await faultOf(client().send(post(server.url)));
    expect(fault.code).toBe('gateway.connection-lost');
    expect(fault.detail.sent).toBe('yes');
    expect(server.seen).toHaveLength(1);
  });

  test('to a read is requested again, four times in total', async () => {
    const server = await serve(disconnect);
    expect((await faultOf(client().send(get(server.url)))).code).toBe('gateway.connection-lost');
    expect(server.seen).toHaveLength(4);
  });

  test('from a server that does not use HTTP is gateway.not-json', async () => {
    const { url } = await serveRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const fault = await faultOf(client().send(get(url)));
    expect(fault.code).toBe('gateway.not-json');
    expect(fault.message).toContain('not HTTP');
    expect(inspect(fault, { depth: 9 })).not.toContain('SSH');
  });
});
