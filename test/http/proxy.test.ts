import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { client, faultOf, get, post } from './client.ts';
import { respondWith, serve, serveRaw, serveTls, unusedPort } from './loopback.ts';

const pem = (file: string) => readFileSync(new URL(`certificates/${file}`, import.meta.url), 'utf8');
const pair = (name: string) => ({ key: pem(`${name}.key`), cert: pem(`${name}.pem`) });

describe('a proxy', () => {
  const tunnel = async (authorization?: string) => {
    const asked: string[] = [];
    const http = await import('node:http');
    const { port } = await serveRaw((socket, text) => {
      if (!text.startsWith('CONNECT ')) return;
      const [head = ''] = text.split('\r\n');
      asked.push(head);
      if (authorization && !text.toLowerCase().includes(`proxy-authorization: ${authorization}`.toLowerCase())) {
        socket.end(`HTTP/1.1 407 ${http.STATUS_CODES[407]}\r\n\r\n`);
        return;
      }
      const [host = '', target = ''] = (head.split(' ')[1] ?? '').split(':');
      socket.removeAllListeners('data');
      const onward = connect(Number(target), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
    });
    return { port, asked };
  };

  test('receives a CONNECT to the gateway for https and for http', async () => {
    const proxy = await tunnel();
    const secure = await serveTls(pair('good'), respondWith(200, 'secure'));
    const plain = await serve(respondWith(200, 'plain'));
    const url = `http://127.0.0.1:${proxy.port}`;
    const http = client({ ca: pem('ca.pem'), proxy: { https: url, http: url } });
    expect((await http.send(get(secure.url))).text).toBe('secure');
    expect((await http.send(get(plain.url))).text).toBe('plain');
    expect(proxy.asked).toEqual([
      `CONNECT 127.0.0.1:${secure.port} HTTP/1.1`,
      `CONNECT 127.0.0.1:${plain.port} HTTP/1.1`,
    ]);
  });

  test('receives the user and password of its URL', async () => {
    const proxy = await tunnel(`Basic ${Buffer.from('user:pass').toString('base64')}`);
    const server = await serve(respondWith(200, 'in'));
    const http = client({ proxy: { http: `user:pass@127.0.0.1:${proxy.port}` } });
    expect((await http.send(get(server.url))).text).toBe('in');
  });

  test('that requires credentials is gateway.unreachable with status 407, without a retry', async () => {
    const proxy = await tunnel('Basic other');
    const server = await serve(respondWith(200));
    const fault = await faultOf(
      client({ proxy: { http: `http://u:canary-password@127.0.0.1:${proxy.port}` } }).send(get(server.url)),
    );
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.message).toContain('407');
    expect(JSON.stringify([fault.message, fault.hint, fault.detail])).not.toContain('canary');
    expect(proxy.asked).toHaveLength(1);
  });

  test('is bypassed for the hosts of NO_PROXY, by name, port, suffix and wildcard', async () => {
    const proxy = `http://127.0.0.1:${await unusedPort()}`;
    const server = await serve(respondWith(200, 'direct'));
    for (const no of ['127.0.0.1', `127.0.0.1:${server.port}`, 'x.example, .0.0.1', '*']) {
      expect((await client({ proxy: { http: proxy, no } }).send(get(server.url))).text).toBe('direct');
    }
    const fault = await faultOf(client({ proxy: { http: proxy, no: '127.0.0.1:1' } }).send(get(server.url)));
    expect(fault.hint).toContain('proxy');
  });

  test('that is unreachable is distinguished from an unreachable gateway', async () => {
    const proxy = await unusedPort();
    const fault = await faultOf(
      client({ proxy: { http: `http://127.0.0.1:${proxy}` } }).send(get('http://gw.example')),
    );
    expect(fault.message).toBe(`Nothing listens at the proxy in front of gw.example (127.0.0.1:${proxy}).`);
    expect(fault.hint).not.toContain('gateway');
  });

  test('that closes the connection is gateway.unreachable after four attempts, not an endless loop', async () => {
    let asked = 0;
    const proxy = await serveRaw((socket) => {
      asked += 1;
      socket.destroy();
    });
    const server = await serve(respondWith(200));
    const fault = await faultOf(client({ proxy: { http: proxy.url } }).send(post(server.url)));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.detail.sent).toBe('no');
    expect(asked).toBe(4);
  });

  test('that is not a URL is usage.invalid, and the message does not repeat it', () => {
    const open = () => client({ proxy: { https: 'http://user:canary@:::' } });
    expect(open).toThrow(
      expect.objectContaining({ code: 'usage.invalid', message: expect.not.stringContaining('canary') }),
    );
  });

  test.each(['socks5://user:canary@127.0.0.1:1080', 'ftp://user:canary@127.0.0.1:21'])(
    'of another kind than http and https is usage.invalid: %s',
    (http) => {
      expect(() => client({ proxy: { http } })).toThrow(
        expect.objectContaining({
          code: 'usage.invalid',
          message: 'The proxy setting is not an http or https URL.',
          hint: expect.stringContaining('SOCKS'),
        }),
      );
    },
  );

  test('with a path is used without it', async () => {
    const proxy = await tunnel();
    const server = await serve(respondWith(200, 'through'));
    const http = `http://127.0.0.1:${proxy.port}/path?query`;
    expect((await client({ proxy: { http } }).send(get(server.url))).text).toBe('through');
  });

  test('whose password cannot be decoded is usage.invalid, and the message does not repeat it', () => {
    expect(() => client({ proxy: { http: 'http://user:100%canary@127.0.0.1:1' } })).toThrow(
      expect.objectContaining({
        code: 'usage.invalid',
        message: 'The proxy setting is not an http or https URL.',
        hint: expect.stringContaining('%25 for a %'),
      }),
    );
  });

  test('of the environment is not used unless it is passed as an option', async () => {
    const server = await serve(respondWith(200, 'direct'));
    const before = process.env.http_proxy;
    process.env.http_proxy = `http://127.0.0.1:${await unusedPort()}`;
    try {
      expect((await client({ proxy: { https: 'http://127.0.0.1:1' } }).send(get(server.url))).text).toBe('direct');
    } finally {
      if (before === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = before;
    }
  });
});
