import { readFileSync } from 'node:fs';
import { MockAgent } from 'undici';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/domain/index.ts';
import { client, faultOf, get, post } from './client.ts';
import { serve, serveTls } from './loopback.ts';

const pem = (name: string): string => readFileSync(new URL(`certificates/${name}`, import.meta.url), 'utf8');

const OK = '{"success":true}';
const answer = (_: unknown, response: { end(text: string): void }): void => response.end(OK);

describe('extra headers', () => {
  it('go with every request to the origin, and replace no header of the client', async () => {
    const { url, seen } = await serve(answer);
    const http = client({
      origin: url,
      headers: { 'X-Team': 'payments', Authorization: 'Bearer intruder' },
      userAgent: 'bot/1',
    });
    await http.send(get(`${url}/a`, { headers: { authorization: 'Bearer own', 'user-agent': 'keyplane' } }));
    expect(seen[0]?.headers).toMatchObject({
      'x-team': 'payments',
      authorization: 'Bearer own',
      'user-agent': 'bot/1',
    });
  });

  it('do not go to another origin, neither directly nor by a redirect', async () => {
    const other = await serve(answer);
    const own = await serve((_, response) => {
      response.writeHead(302, { location: `${other.url}/file` });
      response.end();
    });
    const http = client({ origin: own.url, headers: { 'cf-access-client-secret': 'canary-header' } });
    await http.send(get(`${own.url}/link`, { redirects: 'anywhere' }));
    await http.send(get(`${other.url}/file`, { headers: {} }));
    expect(own.seen[0]?.headers['cf-access-client-secret']).toBe('canary-header');
    expect(JSON.stringify(other.seen.map(({ headers }) => headers))).not.toContain('canary');
  });

  it.each([
    ['a line break', { 'x-a': 'b\r\nx-c: d' }],
    ['a name with a blank', { 'x a': 'b' }],
    ['a length', { 'Content-Length': '1' }],
  ])('with %s are rejected before a connection, without the value', (_, headers) => {
    expect(() => client({ headers })).toThrowError(expect.objectContaining({ code: 'usage.invalid' }));
    expect(() => client({ headers: { 'x-a': 'canary\n' } })).not.toThrowError(/canary/);
  });
});

describe('a client certificate', () => {
  const certificate = { cert: pem('good.pem'), key: new Secret(pem('good.key')) };
  const server = { key: pem('good.key'), cert: pem('good.pem'), ca: pem('ca.pem'), requestCert: true };
  const subjects: unknown[] = [];
  const recordPeer = (_: unknown, response: import('node:http').ServerResponse): void => {
    const socket = response.socket as import('node:tls').TLSSocket;
    subjects.push(socket.getPeerCertificate()?.subject?.CN);
    response.end(OK);
  };

  it('is shown to the origin that it is for, and to no other', async () => {
    subjects.length = 0;
    const own = await serveTls({ ...server, rejectUnauthorized: true } as never, recordPeer);
    const other = await serveTls({ ...server, rejectUnauthorized: false } as never, recordPeer);
    const http = client({ ca: pem('ca.pem'), clientCertificate: certificate, origin: own.url });
    await http.send(get(`${own.url}/a`));
    await http.send(get(`${other.url}/a`, { headers: {} }));
    expect(subjects).toEqual([expect.any(String), undefined]);
  });

  it('is required by a server that then rejects a client without one', async () => {
    const { url } = await serveTls({ ...server, rejectUnauthorized: true } as never, answer);
    const fault = await faultOf(client({ ca: pem('ca.pem') }).send(get(`${url}/a`, { maxRetries: 0 })));
    expect(fault.code).toMatch(/^gateway\.(connection-lost|unreachable)$/);
  });

  it('that does not belong to its key is rejected, without the key', () => {
    const clientCertificate = { cert: pem('good.pem'), key: new Secret(pem('elsewhere.key')) };
    const open = () => client({ clientCertificate });
    expect(open).toThrowError(expect.objectContaining({ code: 'usage.invalid' }));
    expect(open).not.toThrowError(/PRIVATE|BEGIN/);
  });
});

describe('a fetch of the caller', () => {
  it('sends the same requests, and its coded answers are read', async () => {
    const { gzipSync } = await import('node:zlib');
    const { url, seen } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(OK));
    });
    const http = client({ fetch });
    const { status, text, mediaType } = await http.send(post(`${url}/a?p=1`));
    expect({ status, text, mediaType }).toEqual({ status: 200, text: OK, mediaType: 'application/json' });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/a?p=1', body: '{"name":"a"}' });
  });

  it('does not follow a redirect with credentials', async () => {
    const other = await serve(answer);
    const own = await serve((_, response) => {
      response.writeHead(307, { location: `${other.url}/a` });
      response.end();
    });
    const fault = await faultOf(client({ fetch }).send(get(`${own.url}/a`)));
    expect(fault.code).toBe('gateway.redirected');
    expect(other.seen).toEqual([]);
  });

  it('is cancelled with the request, and the body it read is dropped', async () => {
    const stop = new AbortController();
    const { url } = await serve((_, response) => {
      response.writeHead(200);
      response.write('{');
      stop.abort('enough');
    });
    const fault = await faultOf(client({ fetch }).send(get(`${url}/a`, { signal: stop.signal })));
    expect(fault).toMatchObject({ code: 'gateway.interrupted', cause: 'enough' });
  });

  it('that fails leaves a write as one that may have been sent', async () => {
    const broken = async (): Promise<never> => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) });
    };
    const fault = await faultOf(client({ fetch: broken }).send(post('http://gateway.test/a')));
    expect(fault).toMatchObject({ code: 'gateway.connection-lost', detail: { sent: 'maybe', error: 'ECONNREFUSED' } });
  });

  it('pauses while its reader is slow, and loses nothing', async () => {
    const { url } = await serve((_, response) => {
      response.end(Buffer.alloc(3 * 1024 * 1024, 1));
    });
    const open = await client({ fetch }).open(get(`${url}/a`));
    let bytes = 0;
    for await (const chunk of open.body) bytes += chunk.length;
    expect(bytes).toBe(3 * 1024 * 1024);
  });
});

describe('a dispatcher of the caller', () => {
  it('answers in place of a connection, and stays open', async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent.get('http://gateway.test').intercept({ path: '/a' }).reply(200, OK).times(2);
    const http = client({ dispatcher: agent });
    expect((await http.send(get('http://gateway.test/a'))).text).toBe(OK);
    await http.close();
    const next = client({ dispatcher: agent });
    expect((await next.send(get('http://gateway.test/a'))).text).toBe(OK);
    await agent.close();
  });
});
