import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { keyId, quota, type UsageEntry } from '../../../src/domain/index.ts';
import { faultOf } from '../../http/client.ts';
import { disconnect, inSequence, respondWith } from '../../http/loopback.ts';
import { bodyOf, gatewayOf, id, nameOf, ok, open, record, refused, requestsTo } from './scripted.ts';

const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => keyId(from + n));

describe('delete', () => {
  test('sends a DELETE for one key, and batches of at most 100 for more', async () => {
    const server = await gatewayOf({ 'DELETE /api/token/7': ok(null), 'POST /api/token/batch': ok(1) });
    const { store } = open(server.url);
    await store.delete([id(7), id(7)]);
    await store.delete(ids(1, 201));
    await store.delete([]);
    expect(requestsTo(server).map(nameOf)).toEqual(['DELETE /api/token/7', ...Array(3).fill('POST /api/token/batch')]);
    expect(
      requestsTo(server)
        .slice(1)
        .map((seen) => (bodyOf(seen) as { ids: number[] }).ids.length),
    ).toEqual([100, 100, 1]);
  });

  test('accepts a key that does not exist', async () => {
    for (const handler of [refused('record not found'), respondWith(404, { success: false, message: '' })]) {
      const server = await gatewayOf({ 'DELETE /api/token/7': handler, 'GET /api/token/7': handler });
      expect(await open(server.url).store.delete([id(7)])).toBe(false);
    }
  });

  test('throws gateway.refused when the key exists', async () => {
    const server = await gatewayOf({ 'DELETE /api/token/7': refused(), 'GET /api/token/7': ok(record(7)) });
    expect((await faultOf(open(server.url).store.delete([id(7)]))).code).toBe('gateway.refused');
  });

  test('does not retry the deletion of one key after a lost response', async () => {
    const server = await gatewayOf({ 'DELETE /api/token/7': disconnect });
    expect((await faultOf(open(server.url).store.delete([id(7)]))).code).toBe('gateway.connection-lost');
    expect(requestsTo(server)).toHaveLength(1);
  });

  test('retries the deletion of many keys after a lost response', async () => {
    const server = await gatewayOf({ 'POST /api/token/batch': inSequence(disconnect, ok(0)) });
    expect(await open(server.url).store.delete([id(7), id(8)])).toBe(false);
    expect(requestsTo(server)).toHaveLength(2);
  });
});

describe('a write', () => {
  const lost = 'gateway.connection-lost';

  test('of settings is not retried after a lost response', async () => {
    const server = await gatewayOf({
      'POST /api/token/': disconnect,
      'PUT /api/token/': disconnect,
      'GET /api/token/7': ok(record(7)),
    });
    const { store } = open(server.url);
    const key = await store.tryRead(id(7));
    if (!key) throw new Error('the key is there');
    expect((await faultOf(store.create(key))).code).toBe(lost);
    expect((await faultOf(store.update(key.id, () => ({ remain: quota(1) })))).code).toBe(lost);
    expect(requestsTo(server).map(nameOf)).toEqual([
      'GET /api/token/7',
      'POST /api/token/',
      'GET /api/token/7',
      'PUT /api/token/',
    ]);
  });

  test('of a status is retried after a lost response', async () => {
    const server = await gatewayOf({ 'PUT /api/token/': inSequence(disconnect, ok(null)) });
    await open(server.url).store.setEnabled(id(7), true);
    expect(requestsTo(server)).toHaveLength(2);
  });
});

describe('a repeated write', () => {
  test('that is rejected the second time remains uncertain', async () => {
    const server = await gatewayOf({ 'PUT /api/token/': inSequence(disconnect, refused()) });
    const fault = await faultOf(open(server.url).store.setEnabled(id(7), true));
    expect(fault).toMatchObject({ code: 'gateway.connection-lost', detail: { sent: 'maybe' } });
    expect(requestsTo(server)).toHaveLength(2);
  });
});

describe('reveal', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['bare values', ['canary-of-7', 'canary-of-8']],
    ['another wrapping', { tokens: { 7: 'canary-of-7' } }],
  ])('reveals key by key when a batch returns %s', async (_shape, data) => {
    const server = await gatewayOf({
      'POST /api/token/batch/keys': ok(data),
      'POST /api/token/7/key': ok({ key: 'canary-of-7' }),
      'POST /api/token/8/key': refused('record not found'),
      'GET /api/token/8': refused('record not found'),
    });
    const secrets = await open(server.url).store.reveal([id(7), id(8)]);
    expect([...secrets].map(([key, secret]) => [key, secret.reveal()])).toEqual([[7, 'sk-canary-of-7']]);
  });

  test.each([
    ['does not fit its mask', { 7: 'Ab12canary-of-7yZ89', 8: 'Xx12canary-of-8yZ89' }],
    ['is that of another key as well', { 7: 'Ab12canary-of-7yZ89', 8: 'Ab12canary-of-7yZ89' }],
  ])('is gateway.unexpected-shape, without the secret, when one %s', async (_case, keys) => {
    const items = [7, 8].map((number) => ({ ...record(number), key: 'Ab12**********yZ89' }));
    const server = await gatewayOf({ 'GET /api/token/': ok({ items }), 'POST /api/token/batch/keys': ok({ keys }) });
    const { store } = open(server.url);
    await store.walk();
    expect((await store.reveal([id(7)])).get(id(7))?.reveal()).toBe('sk-Ab12canary-of-7yZ89');
    const fault = await faultOf(store.reveal([id(7), id(8)]));
    expect(fault.code).toBe('gateway.unexpected-shape');
    expect(inspect(fault, { depth: 9 })).not.toContain('canary');
  });

  test('does not reveal key by key when a batch is rejected', async () => {
    const server = await gatewayOf({ 'POST /api/token/batch/keys': refused('no') });
    expect((await faultOf(open(server.url).store.reveal([id(7)]))).code).toBe('gateway.refused');
    expect(requestsTo(server).map(nameOf)).not.toContain('POST /api/token/7/key');
  });

  test('throws gateway.refused for an existing key', async () => {
    const server = await gatewayOf({
      'POST /api/token/batch/keys': ok(null),
      'POST /api/token/7/key': refused('no'),
      'GET /api/token/7': ok(record(7)),
    });
    expect((await faultOf(open(server.url).store.reveal([id(7)]))).code).toBe('gateway.refused');
  });

  test('requests batches of at most 100, and omits missing keys', async () => {
    const server = await gatewayOf({
      'POST /api/token/batch/keys': (request, response) => {
        const asked = (bodyOf(request) as { ids: number[] }).ids.filter((n) => n !== 5);
        return ok({ keys: Object.fromEntries(asked.map((n) => [n, `canary${n}`])) })(request, response);
      },
    });
    const secrets = await open(server.url).store.reveal(ids(1, 150));
    expect(requestsTo(server).map((seen) => (bodyOf(seen) as { ids: number[] }).ids.length)).toEqual([100, 50]);
    expect(secrets.size).toBe(149);
    expect(secrets.get(id(150))?.reveal()).toBe('sk-canary150');
    expect(secrets.has(id(5))).toBe(false);
  });
});

describe('usage', () => {
  const entry = (n: number, more: object = {}) => ({
    id: 1,
    created_at: n,
    type: 2,
    token_id: 3,
    token_name: 'prod',
    quota: n,
    request_id: `r${n}`,
    ...more,
  });
  const newestFirst = (count: number) => Array.from({ length: count }, (_, n) => entry(count - n));

  async function logOf(
    entries: (request: number) => readonly object[],
    extent = (total: number): object => ({ total }),
    size = 100,
  ) {
    let requests = 0;
    return gatewayOf({
      'GET /api/log/self': (request, response) => {
        requests += 1;
        const page = Number(new URL(request.url, 'http://x').searchParams.get('p'));
        const all = entries(requests);
        return ok({ items: all.slice((page - 1) * size, page * size), ...extent(all.length) })(request, response);
      },
    });
  }

  async function readAll(pages: AsyncIterable<readonly UsageEntry[]>): Promise<UsageEntry[]> {
    const all: UsageEntry[] = [];
    for await (const page of pages) all.push(...page);
    return all;
  }

  test.each([
    [0, 1],
    [99, 1],
    [100, 1],
    [250, 3],
  ])('reads %i entries with a total in %i requests, newest first', async (count, requests) => {
    const server = await logOf(() => newestFirst(count));
    const entries = await readAll(open(server.url).store.usage());
    expect(entries.map(({ at }) => at)).toEqual(newestFirst(count).map(({ created_at }) => created_at));
    expect(requestsTo(server)).toHaveLength(requests);
  });

  test('ends at a page that is not full where there is no total', async () => {
    const server = await logOf(
      () => newestFirst(200),
      () => ({}),
    );
    const pages: number[] = [];
    for await (const page of open(server.url).store.usage()) pages.push(page.length);
    expect(pages).toEqual([100, 100]);
    expect(requestsTo(server)).toHaveLength(3);
  });

  test.each([
    ['a total, and reports the size that was requested', (total: number) => ({ total, page_size: 100 }), 3],
    ['a total', (total: number) => ({ total }), 3],
    ['neither a total nor a size', () => ({}), 4],
  ])('reads pages that are smaller than requested where the gateway has %s', async (_case, extent, requests) => {
    const server = await logOf(() => newestFirst(120), extent, 50);
    expect(await readAll(open(server.url).store.usage())).toHaveLength(120);
    expect(requestsTo(server)).toHaveLength(requests);
  });

  test('is gateway.unexpected-shape, not short, where each page number has the same entries', async () => {
    const server = await gatewayOf({
      'GET /api/log/self': ok({ items: newestFirst(100), total: 120, page_size: 100 }),
    });
    const { store } = open(server.url);
    expect((await faultOf(readAll(store.usage()))).code).toBe('gateway.unexpected-shape');
    expect(requestsTo(server)).toHaveLength(2);
  });

  test('stops requesting pages when the reader stops', async () => {
    const server = await logOf(() => newestFirst(500));
    for await (const page of open(server.url).store.usage()) {
      expect(page).toHaveLength(100);
      break;
    }
    expect(requestsTo(server)).toHaveLength(1);
  });

  test('counts entries once that moved to the next page', async () => {
    const server = await logOf((request) => newestFirst(149 + request));
    const entries = await readAll(open(server.url).store.usage());
    expect(entries).toHaveLength(150);
    expect(new Set(entries.map(({ identity }) => identity)).size).toBe(150);
  });

  test('counts identical entries of one page separately', async () => {
    const twin = entry(5, { id: undefined, request_id: '' });
    const server = await logOf(() => [twin, twin]);
    expect(await readAll(open(server.url).store.usage())).toHaveLength(2);
  });

  test('reports spending and refunds', async () => {
    const server = await logOf(() => [
      entry(5),
      entry(4, { type: 6 }),
      entry(3, { type: 1 }),
      entry(2, { token_id: 0 }),
    ]);
    const entries = await readAll(open(server.url).store.usage());
    expect(entries.map(({ spent, keyId: key }) => [spent, key])).toEqual([
      [5, 3],
      [-4, 3],
      [0, 3],
      [2, undefined],
    ]);
  });
});
