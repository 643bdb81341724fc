import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANNA, headersOf, rawAnswer, SETTINGS, startTestGateway, type TestGateway } from '../harness.ts';

describe.each(['contract', 'deployed'] as const)('an injected failure, profile %s', (profile) => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway({ profile });
  });
  afterEach(() => gateway.close());

  const script = (fault: unknown) => gateway.control('POST', '/faults', fault);
  const create = (name: string) => gateway.call('POST', '/api/token/', { ...SETTINGS, name });
  const names = async () => (await gateway.storedKeys()).map(({ name }) => name);
  const rawCreate = (name: string) => {
    const body = JSON.stringify({ ...SETTINGS, name });
    const headers = Object.entries({
      host: 'gateway',
      'content-type': 'application/json',
      'content-length': String(body.length),
      ...headersOf(ANNA),
    });
    const head = headers.map(([header, value]) => `${header}: ${value}\r\n`).join('');
    return rawAnswer(gateway.url, `POST /api/token/ HTTP/1.1\r\n${head}\r\n${body}`);
  };

  it('answers with a status, and carries nothing out', async () => {
    await script({ kind: 'status', code: 503, method: 'POST', path: '/api/token/' });
    const answer = await create('a');
    expect([answer.status, answer.success]).toEqual([503, false]);
    expect(await names()).toEqual([]);
  });

  it('answers 429 with an empty body, with Retry-After only on request', async () => {
    await script([{ kind: 'empty-429' }, { kind: 'empty-429', retryAfter: 7 }]);
    const bare = await create('a');
    expect([bare.status, bare.text, bare.headers.get('retry-after')]).toEqual([429, '', null]);
    expect((await create('a')).headers.get('retry-after')).toBe('7');
    expect(await names()).toEqual([]);
  });

  it('rejects with HTTP 200', async () => {
    await script({ kind: 'refuse', message: 'not today' });
    const answer = await create('a');
    expect([answer.status, answer.json]).toEqual([200, { success: false, message: 'not today' }]);
    expect(await names()).toEqual([]);
  });

  it('answers HTML, as a proxy in front would', async () => {
    await script([{ kind: 'html' }, { kind: 'html', status: 200 }]);
    const answer = await gateway.call('GET', '/api/status');
    expect([answer.status, answer.json]).toEqual([502, undefined]);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.text).toMatch(/^<!DOCTYPE html>/);
    expect((await gateway.call('GET', '/api/status')).status).toBe(200);
  });

  it('closes the connection before anything is done', async () => {
    await script({ kind: 'cut-before' });
    expect(await rawCreate('lost')).toBe('');
    expect(await names()).toEqual([]);
  });

  it('closes the connection after everything is done', async () => {
    await script({ kind: 'cut-after' });
    expect(await rawCreate('kept')).toBe('');
    expect(await names()).toEqual(['kept']);
  });

  it.each(['length', 'chunks'])('truncates an answer whose %s announce all of it', async (by) => {
    await script({ kind: 'truncated', by });
    const raw = await rawCreate('kept');
    const [head = '', rest = ''] = raw.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
    if (by === 'length') {
      expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBeGreaterThan(rest.length);
      expect(rest).toBe('{"success":true,'.slice(0, rest.length));
    } else {
      expect(head).toMatch(/transfer-encoding: chunked/i);
      expect(rest).not.toContain('\r\n0\r\n');
    }
    expect(rest).toContain('{"suc');
    expect(await names()).toEqual(['kept']);
  });

  it('delays an answer', async () => {
    await script({ kind: 'delay', ms: 30 });
    const begin = performance.now();
    expect((await create('late')).success).toBe(true);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(29);
  });

  it('holds a request before it is carried out, until it is released', async () => {
    await script({ kind: 'hold', path: '/api/token/' });
    const request = create('held');
    expect(await gateway.control('GET', '/held?wait=1')).toEqual({ held: 1 });
    expect(await names()).toEqual([]);
    expect((await create('passing')).success).toBe(true);
    expect(await gateway.control('POST', '/release', {})).toEqual({ released: 1 });
    expect((await request).success).toBe(true);
    expect(await names()).toEqual(['passing', 'held']);
  });

  it('holds an answer after the request was carried out', async () => {
    await script({ kind: 'hold-after', times: 2 });
    const held = [create('one'), create('two')];
    await gateway.control('GET', '/held?wait=2');
    expect((await names()).sort()).toEqual(['one', 'two']);
    expect(await gateway.control('POST', '/release', { count: 1 })).toEqual({ released: 1 });
    expect(await gateway.control('GET', '/held')).toEqual({ held: 1 });
    await gateway.control('POST', '/release');
    expect((await Promise.all(held)).map(({ success }) => success)).toEqual([true, true]);
  });

  it('affects `times` matching requests after skipping `skip`', async () => {
    await script({ kind: 'status', code: 500, method: 'post', path: '/api/token/', skip: 1, times: 2 });
    const seen: number[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      await gateway.call('GET', '/api/token/');
      seen.push((await create(name)).status);
    }
    expect(seen).toEqual([200, 500, 500, 200]);
    expect(await names()).toEqual(['a', 'd']);
  });

  it('selects a route by its pattern, or paths by their beginning', async () => {
    const id = await gateway.createKey({ name: 'a' });
    const hit = async (path: string) => {
      await gateway.control('DELETE', '/faults');
      await script({ kind: 'status', code: 500, path, times: 99 });
      return {
        list: (await gateway.call('GET', '/api/token/?size=5')).status,
        read: (await gateway.call('GET', `/api/token/${id}`)).status,
        update: (await gateway.call('PUT', '/api/token/', { ...SETTINGS, id, name: 'a' })).status,
        status: (await gateway.call('PUT', '/api/token/?status_only=true', { id, status: 1 })).status,
        self: (await gateway.call('GET', '/api/user/self')).status,
      };
    };
    const [fine, struck] = [200, 500];
    expect(await hit('/api/token/')).toEqual({ list: struck, read: fine, update: struck, status: struck, self: fine });
    expect(await hit('/api/token/{id}')).toEqual({ list: fine, read: struck, update: fine, status: fine, self: fine });
    const onlyStatus = { list: fine, read: fine, update: fine, status: struck, self: fine };
    expect(await hit('/api/token/?status_only=true')).toEqual(onlyStatus);
    expect(await hit('/api/token/*')).toEqual({
      list: struck,
      read: struck,
      update: struck,
      status: struck,
      self: fine,
    });
    expect(await hit('/api')).toEqual({ list: struck, read: struck, update: struck, status: struck, self: struck });
  });

  it('acts in the order in which it was scripted', async () => {
    await script({ kind: 'status', code: 501 });
    await script([
      { kind: 'status', code: 502 },
      { kind: 'status', code: 503 },
    ]);
    const seen: number[] = [];
    for (let sent = 0; sent < 4; sent += 1) seen.push((await gateway.call('GET', '/api/status')).status);
    expect(seen).toEqual([501, 502, 503, 200]);
  });

  it('affects /v1, unknown paths and unreadable bodies too', async () => {
    await script([
      { kind: 'status', code: 418, path: '/v1/models' },
      { kind: 'cut-after', path: '/api/token/' },
    ]);
    expect((await gateway.call('GET', '/v1/models')).status).toBe(418);
    await expect(gateway.call('POST', '/api/token/', '{broken')).rejects.toThrow();
    await script({ kind: 'status', code: 418, path: '/nowhere' });
    expect((await gateway.call('GET', '/nowhere/at/all')).status).toBe(418);
  });

  it('can be listed and removed', async () => {
    await script({ kind: 'delay', ms: 5, times: 3 });
    await gateway.call('GET', '/api/status');
    expect(await gateway.control('GET', '/faults')).toEqual({
      faults: [{ times: 2, skip: 0, fault: { kind: 'delay', ms: 5 } }],
    });
    await gateway.control('DELETE', '/faults');
    expect(await gateway.control('GET', '/faults')).toEqual({ faults: [] });
  });

  it.each([
    [{ kind: 'explode' }],
    [{ kind: 'delay' }],
    [{ kind: 'refuse', message: 'm', times: 0 }],
    [{ kind: 'cut-after', pathh: '/api' }],
    [{ kind: 'status', code: 99 }],
    ['text'],
  ])('is rejected when it is %j', async (wrong) => {
    expect(await script(wrong)).toHaveProperty('error');
    expect(await gateway.control('GET', '/faults')).toEqual({ faults: [] });
  });
});
