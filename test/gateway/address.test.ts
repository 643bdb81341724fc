import { describe, expect, test } from 'vitest';
import { faultOf } from '../http/client.ts';
import { answer, inTurn, type Play, serve } from '../http/loopback.ts';
import { open, refused, SELF } from './system/scripted.ts';

describe('a base address that ends in a path of the API', () => {
  const elsewhere: Readonly<Record<string, Play>> = {
    'a status of 404': answer(404, { error: { message: 'Invalid URL', type: 'x' } }),
    'a page': answer(200, '<!doctype html><title>Dashboard</title>', { 'content-type': 'text/html' }),
    'a redirect': answer(302, '', { location: '/login' }),
    'a refused token': answer(401, { error: { message: 'no', type: 'x' } }),
    'other JSON': answer(200, []),
  };

  describe.each(Object.entries(elsewhere))('and gets %s', (_case, play) => {
    test.each(['/api', '/v1', '/v1/', '/api/v1', '/under/v1'])('is named as the reason: %s', async (path) => {
      const server = await serve(play);
      const { system } = open(server.url + path);
      for (const call of [system.self, system.groups, system.status]) {
        const fault = await faultOf(call());
        const base = path === '/under/v1' ? `${server.url}/under` : server.url;
        expect(fault.hint).toContain(`Use the base address, without /api or /v1: ${base}`);
        expect(fault.detail.path).toContain(path.replace(/\/$/, ''));
      }
    });
  });

  test('is not named where the request was understood, nor where the address ends otherwise', async () => {
    const understood = await serve(inTurn(refused(), SELF));
    expect((await faultOf(open(`${understood.url}/api`).system.groups())).hint ?? '').not.toContain('base address');
    const other = await serve(answer(404, {}));
    expect((await faultOf(open(`${other.url}/apiary`).system.groups())).hint).not.toContain('/v1');
  });

  test('is not told as refused credentials when there is no such endpoint', async () => {
    const server = await serve(answer(404, { error: { message: 'Invalid URL', type: 'x' } }));
    expect((await faultOf(open(server.url).system.self())).code).toBe('gateway.refused');
  });
});

describe('the address', () => {
  test.each(['', 'gateway.example', 'ftp://gateway.example', 'http://'])('%j is usage.invalid', (url) => {
    expect(() => open(url)).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
  });

  test('with a password is usage.invalid, and the password is not repeated', () => {
    const openIt = () => open('https://user:canary@gw.example');
    expect(openIt).toThrow(
      expect.objectContaining({ code: 'usage.invalid', message: expect.not.stringContaining('canary') }),
    );
  });
});
