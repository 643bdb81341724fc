import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { walkKeys } from '../../../src/gateway/system/listing.ts';
import type { BeforeDecoding } from '../../../src/gateway/system/system-api.ts';
import { faultOf } from '../../http/client.ts';
import { respondWith } from '../../http/loopback.ts';
import { downFrom, idsOf, keysFrom, listingOf } from './listings.ts';
import { gatewayOf, ok, open, record, requestsTo } from './scripted.ts';

/** Long enough for everything that is requested ahead to be answered. */
async function turns(): Promise<void> {
  for (let n = 0; n < 20; n++) await turn();
}

const HALVES = [keysFrom(1, 100), keysFrom(101, 100)] as const;

describe('a listing without a total', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['null instead of keys', { items: null }],
    ['null instead of no keys', { items: null, total: 0 }],
    ['keys under another name', { list: [record(1)] }],
    ['a bare list', [record(1)]],
  ])('with %s is gateway.unexpected-shape, not an empty account', async (_shape, data) => {
    const server = await gatewayOf({ 'GET /api/token/': ok(data) });
    expect((await faultOf(open(server.url).store.walk())).code).toBe('gateway.unexpected-shape');
  });

  test('of no keys is an empty account', async () => {
    const server = await gatewayOf({ 'GET /api/token/': ok({ items: [] }) });
    expect(await open(server.url).store.walk()).toEqual([]);
  });

  const bare = () => ({});

  test.each([
    [0, 1],
    [1, 1],
    [20, 2],
    [64, 2],
    [99, 1],
    [100, 2],
    [101, 2],
    [250, 3],
    [300, 4],
  ])('of %i keys costs %i requests', async (keys, requests) => {
    const server = await listingOf({ ids: () => downFrom(keys), extent: bare });
    expect(idsOf(await open(server.url).store.walk())).toEqual(downFrom(keys));
    expect(requestsTo(server)).toHaveLength(requests);
  });

  test('that reports its page size needs no extra page to find the last one', async () => {
    const server = await listingOf({ ids: () => downFrom(90), extent: (_total, size) => ({ page_size: size }) });
    expect(idsOf(await open(server.url).store.walk())).toEqual(downFrom(90));
    expect(requestsTo(server)).toHaveLength(1);
  });

  test('with smaller pages than requested is read to the end, whether it reports their size or not', async () => {
    for (const extent of [bare, (_total: number, size: number) => ({ page_size: size })]) {
      const server = await listingOf({ ids: () => downFrom(30), size: () => 10, extent });
      expect(idsOf(await open(server.url).store.walk())).toEqual(downFrom(30));
      expect(requestsTo(server)).toHaveLength(4);
    }
  });

  test('counts keys once that are repeated on the next page', async () => {
    const server = await listingOf({ ids: (n) => downFrom(149 + n), extent: bare });
    const keys = await open(server.url).store.walk();
    expect(idsOf(keys)).toEqual(downFrom(150));
  });

  test('whose pages grow is read to the end', async () => {
    const pages = [downFrom(40).slice(0, 10), downFrom(40).slice(10, 21), downFrom(40).slice(21, 32), [8, 7]];
    const server = await gatewayOf({
      'GET /api/token/': (request, response) => {
        const page = Number(new URL(request.url, 'http://x').searchParams.get('p'));
        return ok({ items: (pages[page - 1] ?? []).map((n) => record(n)) })(request, response);
      },
    });
    expect(idsOf(await open(server.url).store.walk())).toEqual(downFrom(40).slice(0, 34));
  });

  test('with smaller pages than requested ends at the first that is not full', async () => {
    const server = await listingOf({ ids: () => downFrom(47), size: () => 20, extent: bare });
    expect(idsOf(await open(server.url).store.walk())).toEqual(downFrom(47));
    expect(requestsTo(server)).toHaveLength(3);
  });

  test('that returns all keys for any page is accepted', async () => {
    for (const count of [10, 250]) {
      const server = await gatewayOf({ 'GET /api/token/': ok({ items: downFrom(count).map((n) => record(n)) }) });
      expect(idsOf(await open(server.url).store.walk())).toEqual(downFrom(count));
      expect(requestsTo(server)).toHaveLength(2);
    }
  });

  test('that repeats a full page is gateway.unexpected-shape, not an endless loop', async () => {
    const server = await gatewayOf({ 'GET /api/token/': ok({ items: downFrom(100).map((n) => record(n)) }) });
    expect((await faultOf(open(server.url).store.walk())).code).toBe('gateway.unexpected-shape');
    expect(requestsTo(server)).toHaveLength(2);
  });

  test('that cycles through pages ends after 21 pages without a new key', async () => {
    const asked: number[] = [];
    const walk = walkKeys(async (page, beforeDecoding) => {
      asked.push(page);
      const half = page % 2 === 0 ? HALVES[0] : HALVES[1];
      await turn();
      beforeDecoding?.({ found: 100 });
      return { keys: half };
    });
    expect((await faultOf(walk)).code).toBe('gateway.unexpected-shape');
    // The last one was requested before the keys of the one before it were known.
    expect(asked).toHaveLength(2 + 21 + 1);
    await turns();
    expect(asked).toHaveLength(2 + 21 + 1);
  });

  test('whose pages never end requests none after a page that cannot be decoded', async () => {
    const asked: number[] = [];
    const walk = walkKeys(async (page, beforeDecoding) => {
      asked.push(page);
      await turn();
      beforeDecoding?.({ found: 100 });
      if (page === 4) throw new Error('page 4');
      return { keys: keysFrom((page - 1) * 100 + 1, 100) };
    });
    await expect(walk).rejects.toThrow('page 4');
    await turns();
    expect(asked).toEqual([1, 2, 3, 4, 5]);
  });

  test('requests a page when the one before has arrived, before its keys are decoded', async () => {
    const order: string[] = [];
    const pages = [100, 100, 100, 100, 30];
    await walkKeys(async (page, beforeDecoding) => {
      order.push(`request ${page}`);
      const found = pages[page - 1] ?? 0;
      await turn();
      beforeDecoding?.({ found });
      await Promise.resolve();
      order.push(`decode ${page}`);
      return { keys: keysFrom((page - 1) * 100 + 1, found) };
    });
    const first = ['request 1', 'decode 1', 'request 2', 'decode 2'];
    expect(order).toEqual([...first, ...['request 3', 'request 4', 'decode 3', 'request 5', 'decode 4', 'decode 5']]);
  });

  test('omits and repeats no page that arrives before the one before it is decoded', async () => {
    const decoded: (() => void)[] = [];
    const asked: number[] = [];
    const walk = walkKeys(async (page, beforeDecoding) => {
      asked.push(page);
      const found = page === 6 ? 30 : 100;
      await turn();
      beforeDecoding?.({ found });
      // Pages 3 to 5 are decoded when the last one has arrived.
      if (page > 2 && page < 6) await new Promise<void>((resolve) => decoded.push(resolve));
      for (const decode of page === 6 ? decoded.splice(0) : []) decode();
      return { keys: keysFrom((page - 1) * 100 + 1, found) };
    });
    expect(await walk).toHaveLength(530);
    expect(asked).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('sends what is requested when a page has arrived before the keys of that page are decoded', async () => {
    const server = await listingOf({ ids: () => downFrom(500), extent: bare });
    const { system } = open(server.url);
    const list = (page: number, beforeDecoding?: BeforeDecoding) =>
      system.listKeys({ page, size: 100, excludeSmartRouting: false }, beforeDecoding);
    const order: string[] = [];
    const onSent = (message: unknown): void => {
      const [, page] = /[?]p=(\d)/.exec((message as { request: { path: string } }).request.path) ?? [];
      if (page !== undefined) order.push(`sent ${page}`);
    };
    subscribe('undici:client:sendHeaders', onSent);
    try {
      await list(1);
      let next: Promise<unknown> | undefined;
      await list(2, () => {
        next = list(3);
      });
      order.push('decoded 2');
      await next;
    } finally {
      unsubscribe('undici:client:sendHeaders', onSent);
    }
    expect(order).toEqual(['sent 1', 'sent 2', 'sent 3', 'decoded 2']);
  });

  test.each([
    ['is rejected', respondWith(500), 'gateway.unavailable'],
    ['has a record that cannot be read', ok({ items: [{ id: 'x' }] }), 'gateway.unexpected-shape'],
    ['has no keys', ok({}), 'gateway.unexpected-shape'],
  ])('whose fourth page %s throws instead of returning a part', async (_what, handler, code) => {
    const server = await gatewayOf({
      'GET /api/token/': (request, response) => {
        const page = Number(new URL(request.url, 'http://x').searchParams.get('p'));
        const items = Array.from({ length: 100 }, (_, n) => record(page * 100 + n));
        return (page === 4 ? handler : ok({ items }))(request, response);
      },
    });
    expect((await faultOf(open(server.url).store.walk())).code).toBe(code);
  });
});
