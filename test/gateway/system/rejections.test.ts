import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/index.ts';
import { faultOf } from '../../http/client.ts';
import { disconnect, type Handler, inSequence, respondWith, serve } from '../../http/loopback.ts';
import { calls, gatewayOf, id, ok, open, record, refused, TOKEN } from './scripted.ts';

const GROUPS = 'GET /api/user/self/groups';
const SELF_PATH = 'GET /api/user/self';

describe('credentials.refused', () => {
  test.each([
    ['401 with an envelope', respondWith(401, { success: false, message: 'no' })],
    ['401 with the open error shape', respondWith(401, { error: { message: 'no', type: 'x' } })],
    ['401 with an empty body', respondWith(401)],
    ['403 with a code', respondWith(403, { success: false, code: 'user_mismatch', message: 'no' })],
  ])('is thrown when the response is %s', async (_case, handler) => {
    const server = await gatewayOf({ [GROUPS]: handler });
    const fault = await faultOf(open(server.url).system.groups());
    expect(fault.code).toBe('credentials.refused');
    expect(fault.remedy).toBe('set-credentials');
    expect(server.seen).toHaveLength(1);
  });

  test('is thrown when self is rejected with 200 and success false', async () => {
    const server = await gatewayOf({ [SELF_PATH]: refused() });
    expect((await faultOf(open(server.url).system.self())).code).toBe('credentials.refused');
    // The second request has no user ID: its response would show that the token is known.
    expect(server.seen.map(({ headers }) => headers['new-api-user'])).toEqual(['42', undefined]);
  });

  test('is thrown when another call is rejected with 200, and self is rejected too', async () => {
    const server = await gatewayOf({ [GROUPS]: refused(), [SELF_PATH]: refused() });
    expect((await faultOf(open(server.url).system.groups())).code).toBe('credentials.refused');
    expect(calls(server)).toEqual([GROUPS, SELF_PATH, SELF_PATH]);
  });

  test('is thrown when a write is rejected because the token was revoked meanwhile', async () => {
    const server = await gatewayOf({ 'DELETE /api/token/1': refused(), [SELF_PATH]: respondWith(401) });
    expect((await faultOf(open(server.url).system.deleteKey(id(1)))).code).toBe('credentials.refused');
  });

  test('probes self once for many concurrent rejections', async () => {
    let release: () => void = () => undefined;
    const all = new Promise<void>((done) => {
      release = done;
    });
    let arrived = 0;
    const server = await gatewayOf({
      [GROUPS]: (request, response) => {
        arrived += 1;
        if (arrived === 4) release();
        return all.then(() => refused()(request, response));
      },
      [SELF_PATH]: (request, response) => void setTimeout(() => refused()(request, response), 50),
    });
    const { system } = open(server.url);
    const faults = await Promise.all([1, 2, 3, 4].map(() => faultOf(system.groups())));
    expect(faults.map(({ code }) => code)).toEqual(Array(4).fill('credentials.refused'));
    expect(calls(server).filter((call) => call === SELF_PATH)).toHaveLength(2);
  });
});

describe('credentials.banned', () => {
  const needsUser: Handler = (request, response) =>
    (request.headers['new-api-user'] === undefined ? respondWith(401, { success: false }) : refused())(
      request,
      response,
    );

  test('is thrown when the token is known and its user is rejected', async () => {
    const server = await gatewayOf({ [GROUPS]: refused(), [SELF_PATH]: needsUser });
    for (const ask of ['groups', 'self'] as const) {
      const fault = await faultOf(open(server.url).system[ask]());
      expect([fault.code, fault.remedy]).toEqual(['credentials.banned', undefined]);
      expect(fault.hint).toContain('Ask the administrator');
    }
  });

  test('is thrown for the code of newer builds', async () => {
    const banned = respondWith(401, { success: false, code: 'AUTH_USER_DISABLED', message: 'no' });
    const server = await gatewayOf({ [GROUPS]: banned });
    expect((await faultOf(open(server.url).system.groups())).code).toBe('credentials.banned');
  });
});

describe('credentials.missing', () => {
  test.each([
    ['no user id', { userId: 0 }],
    ['a user id that is not a number', { userId: Number.NaN }],
    ['an empty token', { accessToken: new Secret('') }],
    ['a token that is too long', { accessToken: new Secret('x'.repeat(257)) }],
    ['a token with a line break', { accessToken: new Secret('zanzibar-token\n') }],
  ])('is thrown for %s, before anything is sent', (_case, options) => {
    const openIt = () => open('http://127.0.0.1:1', options);
    expect(openIt).toThrow(expect.objectContaining({ code: 'credentials.missing' }));
    expect(openIt).toThrow(expect.objectContaining({ message: expect.not.stringContaining('zanzibar') }));
  });
});

describe('gateway.refused', () => {
  test('is thrown with the message when self is accepted', async () => {
    const server = await gatewayOf({ 'PUT /api/token/': refused('令牌已过期') });
    const fault = await faultOf(open(server.url).system.setKeyStatus(id(1), true));
    expect(fault.code).toBe('gateway.refused');
    expect(fault.message).toContain('令牌已过期');
    expect(fault.detail).toMatchObject({ method: 'PUT', path: '/api/token/', status: 200, sent: 'yes' });
  });

  test.each([400, 422])('is thrown for status %i in the open error shape', async (status) => {
    const server = await gatewayOf({
      [GROUPS]: respondWith(status, { error: { message: 'no such group', type: 'x' } }),
    });
    const fault = await faultOf(open(server.url).system.groups());
    expect(fault.code).toBe('gateway.refused');
    expect(fault.message).toContain('no such group');
  });

  test('is thrown when self cannot be probed', async () => {
    const server = await gatewayOf({ [GROUPS]: refused('no'), [SELF_PATH]: disconnect });
    expect((await faultOf(open(server.url).system.groups())).code).toBe('gateway.refused');
  });

  test('is thrown for an unknown path, with a hint about the base URL', async () => {
    const server = await gatewayOf({});
    const fault = await faultOf(open(`${server.url}/v1`).system.status());
    expect(fault.code).toBe('gateway.refused');
    expect(fault.hint).toContain('base URL');
  });

  test('never depends on the text of the message', async () => {
    const messages = ['', 'Invalid token', 'unauthorized, access token invalid', 'record not found'];
    const codes = messages.map(async (message) => {
      const server = await gatewayOf({ [GROUPS]: refused(message) });
      return (await faultOf(open(server.url).system.groups())).code;
    });
    expect(await Promise.all(codes)).toEqual(messages.map(() => 'gateway.refused'));
  });

  test('shows a message in one line without control characters and secrets', async () => {
    const message = `a\u001b[2J\r\nb ${TOKEN} sk-${'c'.repeat(8)} ${'d'.repeat(48)} ${'e f '.repeat(500)}`;
    const server = await gatewayOf({ [GROUPS]: refused(message) });
    const fault = await faultOf(open(server.url).system.groups());
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point.
    expect(fault.message).not.toMatch(/[\u0000-\u001f]/);
    expect(fault.message).toContain('b ‹secret› ‹secret› ‹secret› e f');
    expect(fault.message.length).toBeLessThan(420);
    expect(inspect(fault, { depth: 9 })).not.toContain(TOKEN);
  });

  test('does not show the models key', async () => {
    const server = await gatewayOf({
      'GET /v1/models': respondWith(401, { error: { message: 'Invalid token zanzibar12' } }),
    });
    const fault = await faultOf(open(server.url).system.models(new Secret('sk-zanzibar12')));
    expect(fault.code).toBe('gateway.refused');
    expect(fault.message).not.toContain('zanzibar');
  });

  test('is not thrown by the store for a gateway without a model listing', async () => {
    const server = await gatewayOf({});
    expect(await open(server.url, { modelsKey: new Secret('sk-a') }).store.models()).toBeUndefined();
    expect((await faultOf(open(server.url).system.models(new Secret('sk-a')))).code).toBe('gateway.not-found');
    expect(await open(server.url).store.models()).toBeUndefined();
  });
});

describe('gateway.not-found', () => {
  test.each([
    ['404 with an envelope', respondWith(404, { success: false, message: 'x' }), 2],
    ['404 with the open error shape', respondWith(404, { error: { message: 'x' } }), 2],
    ['200 with success false, twice', refused('record not found'), 2],
  ])('is thrown when reading a key returns %s and self is accepted', async (_case, handler, reads) => {
    const server = await gatewayOf({ 'GET /api/token/9': handler });
    const { system, store } = open(server.url);
    expect((await faultOf(system.readKey(id(9)))).code).toBe('gateway.not-found');
    expect(calls(server).filter((call) => call === 'GET /api/token/9')).toHaveLength(reads);
    expect(await store.tryRead(id(9))).toBeUndefined();
  });

  test('is not thrown when the credentials are rejected: the key does not count as gone', async () => {
    const server = await gatewayOf({ 'GET /api/token/9': refused(), [SELF_PATH]: refused() });
    expect((await faultOf(open(server.url).store.tryRead(id(9)))).code).toBe('credentials.refused');
  });

  test('is not thrown when the second read finds the key', async () => {
    const server = await gatewayOf({ 'GET /api/token/9': inSequence(refused('busy'), ok(record(9))) });
    expect((await faultOf(open(server.url).store.tryRead(id(9)))).code).toBe('gateway.refused');
  });

  test('is not thrown for an HTML page with status 404', async () => {
    const server = await gatewayOf({ 'GET /api/token/9': respondWith(404, '<html></html>') });
    expect((await faultOf(open(server.url).store.tryRead(id(9)))).code).toBe('gateway.not-json');
  });
});

describe('gateway.not-json', () => {
  const page = (status: number): Handler =>
    respondWith(status, '<!DOCTYPE html><title>Sign in – zanzibar</title><p>zanzibar-body', {
      'content-type': 'text/html',
    });

  test('shows the status and title of a page, but not its text', async () => {
    const server = await serve(page(200));
    const fault = await faultOf(open(server.url).system.status());
    expect(fault.code).toBe('gateway.not-json');
    expect(fault.message).toContain('status 200');
    expect(fault.message).toContain('“Sign in – zanzibar”');
    expect(inspect(fault, { depth: 9 })).not.toContain('zanzibar-body');
  });

  test('is thrown for a page with status 403, which is from a firewall', async () => {
    const server = await serve(page(403));
    expect((await faultOf(open(server.url).system.self())).code).toBe('gateway.not-json');
  });

  test.each([
    ['truncated JSON', '{"success":true,"data":{"id":4', 'truncated'],
    ['an empty response', '', 'is empty'],
    ['plain text', 'zanzibar', 'is not JSON'],
  ])('is thrown for %s', async (_case, text, problem) => {
    const server = await serve(respondWith(200, text));
    const fault = await faultOf(open(server.url).system.self());
    expect(fault.code).toBe('gateway.not-json');
    expect(fault.message).toContain(problem);
    expect(inspect(fault, { depth: 9 })).not.toContain('zanzibar');
  });

  test('is not thrown for JSON with a byte order mark', async () => {
    const server = await serve(
      respondWith(200, `\uFEFF${JSON.stringify({ success: true, data: { id: 42, quota: 1 } })}`),
    );
    expect((await open(server.url).system.self()).id).toBe(42);
  });

  test('does not show whether a write took effect', async () => {
    const server = await gatewayOf({ 'DELETE /api/token/1': page(200) });
    const fault = await faultOf(open(server.url).system.deleteKey(id(1)));
    expect(fault).toMatchObject({ code: 'gateway.not-json', detail: { sent: 'yes' } });
    expect(calls(server)).toEqual(['DELETE /api/token/1']);
  });
});

describe('gateway.unexpected-shape', () => {
  test.each([
    ['no envelope', { id: 42, quota: 1 }, 'success'],
    ['a success that is not a boolean', { success: 'true' }, 'success'],
    ['a list', [], 'the response itself'],
    ['data without a field', { success: true, data: { id: 42 } }, 'quota'],
    ['data that is missing', { success: true }, 'the response itself'],
    ['a field of another kind', { success: true, data: { id: 'zanzibar', quota: 1 } }, 'id'],
  ])('names the place in %s', async (_case, body, place) => {
    const server = await serve(respondWith(200, body));
    const fault = await faultOf(open(server.url).system.self());
    expect(fault.code).toBe('gateway.unexpected-shape');
    expect(fault.detail.issue).toContain(place);
    expect(inspect(fault, { depth: 9 })).not.toContain('zanzibar');
  });

  test('names the record and field of a list', async () => {
    const server = await gatewayOf({
      'GET /api/token/': ok({ items: [record(1), record(2, { status: 'zanzibar' })] }),
    });
    const fault = await faultOf(open(server.url).store.walk());
    expect(fault.code).toBe('gateway.unexpected-shape');
    expect(fault.message).toContain('items.1.status: Invalid input: expected');
    expect(inspect(fault, { depth: 9 })).not.toContain('zanzibar');
  });

  test('is thrown for the record of another key, and nothing is written to that', async () => {
    const server = await gatewayOf({
      'GET /api/token/9': ok(record(6)),
      'PUT /api/token/': ok(null),
      'POST /api/token/batch': ok(1),
    });
    const { store } = open(server.url);
    const attempts = [
      () => store.tryRead(id(9)),
      () => store.readMany([id(9)]),
      () => store.update(id(9), () => ({ group: 'vip' })),
    ];
    for (const attempt of attempts) {
      const fault = await faultOf(attempt());
      expect([fault.code, fault.detail.issue]).toEqual(['gateway.unexpected-shape', 'id: is that of another key']);
    }
    expect(calls(server).filter((call) => !call.startsWith('GET'))).toEqual([]);
  });

  test('is thrown for a null item', async () => {
    const server = await gatewayOf({ 'GET /api/token/': ok({ items: [record(1), null] }) });
    expect((await faultOf(open(server.url).store.walk())).detail.issue).toContain('items.1');
  });

  test('shows neither values nor member names of a reveal', async () => {
    for (const data of [
      { keys: { 'zanzibar secret': 5 } },
      { 'zanzibar secret': 'zanzibar' },
      [{ id: 1, key: ['zanzibar'] }],
    ]) {
      const server = await gatewayOf({ 'POST /api/token/batch/keys': ok(data) });
      const fault = await faultOf(open(server.url).system.revealKeys([id(1)]));
      expect(fault.code).toBe('gateway.unexpected-shape');
      expect(inspect(fault, { depth: 9 })).not.toContain('zanzibar');
    }
  });

  test('is thrown for an error status with success true', async () => {
    const server = await gatewayOf({ [GROUPS]: respondWith(400, { success: true, data: [] }) });
    expect((await faultOf(open(server.url).system.groups())).code).toBe('gateway.unexpected-shape');
  });
});
