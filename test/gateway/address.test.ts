import { describe, expect, test } from 'vitest';
import { faultOf } from '../http/client.ts';
import { type Handler, inSequence, respondWith, serve } from '../http/loopback.ts';
import { open, refused, SELF } from './system/scripted.ts';

describe('a base URL that ends in a path of the API', () => {
  const elsewhere: Readonly<Record<string, Handler>> = {
    'a status of 404': respondWith(404, { error: { message: 'Invalid URL', type: 'x' } }),
    'a page': respondWith(200, '<!doctype html><title>Dashboard</title>', { 'content-type': 'text/html' }),
    'a redirect': respondWith(302, '', { location: '/login' }),
    'a refused token': respondWith(401, { error: { message: 'no', type: 'x' } }),
    'other JSON': respondWith(200, []),
  };

  describe.each(Object.entries(elsewhere))('and gets %s', (_case, handler) => {
    test.each(['/api', '/v1', '/v1/', '/api/v1', '/under/v1'])('is named as the cause: %s', async (path) => {
      const server = await serve(handler);
      const { system } = open(server.url + path);
      for (const call of [system.self, system.groups, system.status]) {
        const fault = await faultOf(call());
        const base = path === '/under/v1' ? `${server.url}/under` : server.url;
        expect(fault.hint).toContain(`Use the base URL, without /api or /v1: ${base}`);
        expect(fault.detail.path).toContain(path.replace(/\/$/, ''));
      }
    });
  });

  test('is not named when the request was understood, or when the address ends otherwise', async () => {
    const understood = await serve(inSequence(refused(), SELF));
    expect((await faultOf(open(`${understood.url}/api`).system.groups())).hint ?? '').not.toContain('base URL');
    const other = await serve(respondWith(404, {}));
    expect((await faultOf(open(`${other.url}/apiary`).system.groups())).hint).not.toContain('/v1');
  });

  test('is not reported as rejected credentials when the endpoint is missing', async () => {
    const server = await serve(respondWith(404, { error: { message: 'Invalid URL', type: 'x' } }));
    expect((await faultOf(open(server.url).system.self())).code).toBe('gateway.refused');
  });
});

describe('the address', () => {
  test.each(['', 'gateway.example', 'ftp://gateway.example', 'http://'])('%j throws usage.invalid', (url) => {
    expect(() => open(url)).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
  });

  test('with a password throws usage.invalid without repeating the password', () => {
    const openIt = () => open('https://user:canary@gw.example');
    expect(openIt).toThrow(
      expect.objectContaining({ code: 'usage.invalid', message: expect.not.stringContaining('canary') }),
    );
  });
});
