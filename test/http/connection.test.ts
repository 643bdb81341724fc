import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { client, faultOf, get, post } from './client.ts';
import { answer, cut, deadPort, inTurn, type Loopback, serve, serveRaw, serveTls, silence } from './loopback.ts';

const pem = (file: string) => readFileSync(new URL(`certificates/${file}`, import.meta.url), 'utf8');
const pair = (name: string) => ({ key: pem(`${name}.key`), cert: pem(`${name}.pem`) });

describe('an answer', () => {
  test('is read whole, with its status and media type', async () => {
    const server = await serve(answer(404, { ok: false }));
    expect(await client().send(get(`${server.url}/x`))).toEqual({
      status: 404,
      mediaType: 'application/json',
      text: '{"ok":false}',
      timing: { firstByteMs: 0, totalMs: 0 },
    });
  });

  test('loses its byte order mark', async () => {
    const server = await serve(answer(200, '\uFEFF{}'));
    expect((await client().send(get(server.url))).text).toBe('{}');
  });

  test('is decoded when a proxy compressed it unasked', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
    });
    expect((await client().send(get(server.url))).text).toBe('{"a":1}');
  });

  test('in an unknown coding is gateway.not-json', async () => {
    const server = await serve(answer(200, 'xx', { 'content-encoding': 'zstd-42' }));
    expect((await faultOf(client().send(get(server.url)))).code).toBe('gateway.not-json');
  });

  test('beyond the limit is gateway.unexpected-shape and is not read on', async () => {
    const server = await serve(answer(200, 'x'.repeat(2000)));
    const fault = await faultOf(client({ maxBytes: 1000 }).send(get(server.url)));
    expect(fault.code).toBe('gateway.unexpected-shape');
    expect(fault.message).toContain('larger');
    expect(server.seen).toHaveLength(1);
  });

  test('that unpacks beyond the limit is not unpacked', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_000)));
    });
    expect((await faultOf(client({ maxBytes: 10_000 }).send(get(server.url)))).code).toBe('gateway.not-json');
  });
});

describe('no connection', () => {
  test('to a port where nothing listens is gateway.unreachable, tried four times', async () => {
    const port = await deadPort();
    const failures: string[] = [];
    const http = client({ onTrace: (event) => event.kind === 'failure' && failures.push(event.code) });
    const fault = await faultOf(http.send(post(`http://127.0.0.1:${port}/api/token/`)));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.message).toContain(`127.0.0.1:${port}`);
    expect(fault.hint).toContain('port');
    expect(fault.detail).toEqual({ method: 'POST', path: '/api/token/', sent: 'no', error: 'ECONNREFUSED' });
    expect(failures).toHaveLength(4);
  });

  test('to a host that does not exist is gateway.unreachable and names DNS', async () => {
    const fault = await faultOf(client().send(get('http://no-such-host.invalid/x')));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.message).toContain('no-such-host.invalid');
    expect(fault.hint).toContain('DNS');
  });

  test('a write that was never sent is sent again, and arrives once the gateway is up', async () => {
    const port = await deadPort();
    let up: Loopback | undefined;
    const sleep = async () => {
      up ??= await serve(answer(200, 'made'), port);
    };
    const http = client({ clock: { now: () => 0, sleep } });
    expect((await http.send(post(`http://127.0.0.1:${port}/`))).text).toBe('made');
    expect(up?.seen).toHaveLength(1);
  });

  test('a request that may be sent once only is not even tried again when it was never sent', async () => {
    const port = await deadPort();
    const tried: string[] = [];
    const http = client({ onTrace: (event) => tried.push(event.kind) });
    await faultOf(http.send(get(`http://127.0.0.1:${port}/x`, { retry: 'never', effect: 'writes' })));
    expect(tried).toEqual(['failure']);
  });
});

describe('TLS', () => {
  test('with a certificate of an unknown authority is refused at once, and the remedy is to trust that authority', async () => {
    const server = await serveTls(pair('good'), answer(200));
    const events: string[] = [];
    const fault = await faultOf(client({ onTrace: (event) => events.push(event.kind) }).send(get(server.url)));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.remedy).toBe('trust-authority');
    expect(fault.detail.sent).toBe('no');
    expect(events).toEqual(['failure']);
  });

  test('works with the extra authority', async () => {
    const server = await serveTls(pair('good'), answer(200, 'fine'));
    expect((await client({ ca: pem('ca.pem') }).send(get(server.url))).text).toBe('fine');
  });

  test('with an expired certificate names the clock', async () => {
    const server = await serveTls(pair('expired'), answer(200));
    const fault = await faultOf(client({ ca: pem('ca.pem') }).send(get(server.url)));
    expect(fault.message).toContain('expired');
    expect(fault.hint).toContain('clock');
    expect(server.seen).toHaveLength(0);
  });

  test('with the certificate of another host says so', async () => {
    const server = await serveTls(pair('elsewhere'), answer(200));
    const fault = await faultOf(client({ ca: pem('ca.pem') }).send(get(server.url)));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.message).toContain('another host name');
  });

  test('at a port without it suggests http', async () => {
    const server = await serve(answer(200));
    const fault = await faultOf(client().send(get(server.url.replace('http:', 'https:'))));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.hint).toContain('http://');
  });

  test('an extra authority that is no certificate is usage.invalid', () => {
    expect(() => client({ ca: 'not a certificate' })).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
  });

  test('plain HTTP at a TLS port is told apart from a gateway', async () => {
    const server = await serveTls(pair('good'), answer(200));
    const fault = await faultOf(client().send(get(server.url.replace('https:', 'http:'))));
    expect(['gateway.not-json', 'gateway.connection-lost']).toContain(fault.code);
    expect(fault.hint).toContain('https://');
  });
});

describe('time', () => {
  const timeouts = { connectMs: 5000, headersMs: 40, bodyMs: 40, totalMs: 5000 };

  test('runs out before the head of an answer: gateway.timeout, and a write is not repeated', async () => {
    const server = await serve(silence);
    const fault = await faultOf(client({ timeouts }).send(post(`${server.url}/w`)));
    expect(fault.code).toBe('gateway.timeout');
    expect(fault.detail).toEqual({ method: 'POST', path: '/w', sent: 'maybe' });
    expect(server.seen).toHaveLength(1);
  });

  test('runs out in the middle of a body: gateway.timeout', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
    });
    const fault = await faultOf(client({ timeouts }).send(post(server.url)));
    expect(fault.code).toBe('gateway.timeout');
    expect(fault.detail.sent).toBe('yes');
  });

  test('runs out as a whole although the body keeps dripping', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    });
    const fault = await faultOf(client({ timeouts: { ...timeouts, totalMs: 100 } }).send(post(server.url)));
    expect(fault.code).toBe('gateway.timeout');
  });

  test('a read that timed out is sent again', async () => {
    const server = await serve(inTurn(silence, answer(200, 'late')));
    expect((await client({ timeouts }).send(get(server.url))).text).toBe('late');
  });
});

describe('an answer that is lost', () => {
  test('to a write is gateway.connection-lost, and the write is not repeated', async () => {
    const server = await serve(cut);
    const fault = await faultOf(client().send(post(`${server.url}/w`)));
    expect(fault.code).toBe('gateway.connection-lost');
    expect(fault.detail.sent).toBe('maybe');
    expect(server.seen).toHaveLength(1);
  });

  test('halfway through the body is gateway.connection-lost, certainly sent', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"success":', () => response.socket?.destroy());
    });
    const fault = await faultOf(client().send(post(server.url)));
    expect(fault.code).toBe('gateway.connection-lost');
    expect(fault.detail.sent).toBe('yes');
    expect(server.seen).toHaveLength(1);
  });

  test('to a read is asked for again, four times in all', async () => {
    const server = await serve(cut);
    expect((await faultOf(client().send(get(server.url)))).code).toBe('gateway.connection-lost');
    expect(server.seen).toHaveLength(4);
  });

  test('because the other side does not speak HTTP is gateway.not-json', async () => {
    const { url } = await serveRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    const fault = await faultOf(client().send(get(url)));
    expect(fault.code).toBe('gateway.not-json');
    expect(fault.message).toContain('not HTTP');
    expect(inspect(fault, { depth: 9 })).not.toContain('SSH');
  });
});
