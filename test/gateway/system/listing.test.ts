import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type ReadPage, walkKeys, walkUsage } from '../../../src/gateway/system/listing.ts';
import type { BeforeDecoding } from '../../../src/gateway/system/system-api.ts';
import { usageFromWire } from '../../../src/wire/index.ts';
import { faultOf } from '../../http/client.ts';
import { respondWith } from '../../http/loopback.ts';
import { plainKey } from '../../plain-key.ts';
import { gatewayOf, nameOf, ok, open, record, requestsTo } from './scripted.ts';

interface Listing {
  /** Ids, newest first, as they are when a page is asked for; counts requests from 1. */
  readonly ids: (request: number) => readonly number[];
  /** The page size of the gateway for a requested size. */
  readonly size?: (asked: number) => number;
  /** The members of a page other than its items. */
  readonly extent?: (total: number, size: number) => object;
}

/** The ids from `to` down to 1. */
const downFrom = (to: number): number[] => Array.from({ length: to }, (_, index) => to - index);

async function listingOf({ ids, size = (asked) => asked, extent = (total) => ({ total }) }: Listing) {
  let requests = 0;
  return gatewayOf({
    'GET /api/token/': (request, response) => {
      requests += 1;
      const query = new URL(request.url, 'http://x').searchParams;
      const taken = size(Number(query.get('page_size')));
      const all = ids(requests);
      const from = (Number(query.get('p')) - 1) * taken;
      const items = all.slice(from, from + taken).map((n) => record(n));
      return ok({ items, ...extent(all.length, taken) })(request, response);
    },
  });
}

const keysFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => plainKey(first + n));
const HALVES = [keysFrom(1, 100), keysFrom(101, 100)] as const;

const idsOf = (keys: readonly { id: number }[]): number[] => keys.map(({ id }) => id).sort((a, b) => b - a);

describe('a listing with a total', () => {
  test.each([
    [0, 1],
    [1, 1],
    [99, 1],
    [100, 1],
    [101, 2],
    [200, 2],
    [1001, 11],
  ])('of %i keys costs %i requests', async (keys, requests) => {
    const server = await listingOf({ ids: () => downFrom(keys) });
    expect(idsOf(await open(server.url).store.walk())).toEqual(downFrom(keys));
    expect(requestsTo(server)).toHaveLength(requests);
  });

  test('includes Smart Routing keys', async () => {
    const server = await listingOf({ ids: () => [1] });
    await open(server.url).store.walk();
    expect(requestsTo(server).map(nameOf)).toEqual(['GET /api/token/?p=1&page_size=100&exclude_smart_routing=false']);
  });

  test('with smaller pages than requested is read completely', async () => {
    const server = await listingOf({ ids: () => downFrom(47), size: () => 10 });
    expect(idsOf(await open(server.url).store.walk())).toEqual(downFrom(47));
    expect(requestsTo(server)).toHaveLength(5);
  });

  test('with larger pages than requested is read completely', async () => {
    const server = await listingOf({ ids: () => downFrom(250), size: () => 1000 });
    expect(idsOf(await open(server.url).store.walk())).toEqual(downFrom(250));
    expect(requestsTo(server)).toHaveLength(1);
  });

  test('is read again when a key is deleted meanwhile, and omits no key', async () => {
    const server = await listingOf({ ids: (n) => downFrom(250).filter((id) => n === 1 || id !== 249) });
    const keys = await open(server.url, { concurrency: 1 }).store.walk();
    expect(idsOf(keys)).toEqual(downFrom(250).filter((id) => id !== 249));
    expect(requestsTo(server)).toHaveLength(6);
  });

  test('is read again when a key is created meanwhile, and repeats no key', async () => {
    const server = await listingOf({ ids: (n) => downFrom(n < 3 ? 250 : 251) });
    const keys = await open(server.url, { concurrency: 1 }).store.walk();
    expect(idsOf(keys)).toEqual(downFrom(251));
    expect(requestsTo(server)).toHaveLength(6);
  });

  test('that keeps changing is gateway.listing-moves', async () => {
    const server = await listingOf({ ids: (n) => downFrom(150 + n) });
    const fault = await faultOf(open(server.url).store.walk());
    expect(fault.code).toBe('gateway.listing-moves');
    expect(requestsTo(server)).toHaveLength(10);
  });

  test('that counts more than it lists is accepted when it is stable and nothing follows', async () => {
    const server = await listingOf({ ids: () => downFrom(150), extent: () => ({ total: 155 }) });
    expect(idsOf(await open(server.url).store.walk())).toEqual(downFrom(150));
    expect(requestsTo(server)).toHaveLength(5);
  });

  test('that counts more than it lists is not accepted while it changes', async () => {
    const all = downFrom(150);
    // As many keys in the first walk as in the second, and not the same.
    const ids = (n: number) => all.filter((id) => (n > 2 || id !== 77) && (n < 3 || n > 4 || id !== 78));
    const server = await listingOf({ ids, extent: () => ({ total: 155 }) });
    expect(idsOf(await open(server.url, { concurrency: 1 }).store.walk())).toEqual(all);
    expect(requestsTo(server)).toHaveLength(9);
  });

  test('that counts keys and lists none is gateway.unexpected-shape, not an empty account', async () => {
    const server = await gatewayOf({ 'GET /api/token/': ok({ total: 3, items: [] }) });
    const fault = await faultOf(open(server.url).store.walk());
    expect(fault).toMatchObject({
      code: 'gateway.unexpected-shape',
      message: 'The gateway counts 3 keys but lists none of them.',
    });
  });

  test.each([
    [100_000, 3, 'lists only 3 of them'],
    [100_000, 100, 'lists only 100 of them'],
    [100_001, 100, 'more than the 100,000'],
    [1e15, 3, 'more than the 100,000'],
    [Number.MAX_SAFE_INTEGER, 0, 'more than the 100,000'],
  ])(
    'that counts %d keys and lists %d is gateway.unexpected-shape after few requests',
    async (total, listed, words) => {
      const server = await listingOf({ ids: () => downFrom(listed), extent: () => ({ total }) });
      const fault = await faultOf(open(server.url).store.walk());
      expect(fault).toMatchObject({ code: 'gateway.unexpected-shape', message: expect.stringContaining(words) });
      expect(requestsTo(server).length).toBeLessThan(50);
    },
  );

  test('of no keys is an empty account', async () => {
    const server = await gatewayOf({ 'GET /api/token/': ok({ total: 0, items: [] }) });
    expect(await open(server.url).store.walk()).toEqual([]);
  });

  test('that counts less than it lists is never accepted', async () => {
    const server = await listingOf({ ids: () => downFrom(90), extent: () => ({ total: 80 }) });
    expect((await faultOf(open(server.url).store.walk())).code).toBe('gateway.listing-moves');
  });

  test('that ignores the page number is gateway.unexpected-shape', async () => {
    const server = await gatewayOf({
      'GET /api/token/': ok({
        total: 250,
        items: downFrom(250)
          .slice(0, 100)
          .map((n) => record(n)),
      }),
    });
    expect((await faultOf(open(server.url).store.walk())).code).toBe('gateway.unexpected-shape');
  });

  test('that is rejected on a later page throws instead of returning a part', async () => {
    const server = await gatewayOf({
      'GET /api/token/': (request, response) => {
        const first = request.url.includes('p=1&');
        const items = downFrom(100).map((n) => record(n));
        return (first ? ok({ total: 200, items }) : respondWith(500))(request, response);
      },
    });
    expect((await faultOf(open(server.url).store.walk())).code).toBe('gateway.unavailable');
  });
});

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

describe('pages that are requested ahead', () => {
  const total = 2_000;
  const pageOf = (page: number) => ({
    keys: keysFrom((page - 1) * 100 + 1, 100),
    total,
  });

  test('leave while an earlier page is under way, 16 at most', async () => {
    const asked: number[] = [];
    let [underWay, most] = [0, 0];
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const keys = await walkKeys(async (page) => {
      asked.push(page);
      underWay += 1;
      most = Math.max(most, underWay);
      if (page === 18) release();
      // Pages 3 to 17 were requested with this one; the next one leaves because page 2 was read.
      await (page === 3 ? released : undefined);
      underWay -= 1;
      return pageOf(page);
    });
    expect({ asked, most, keys: keys.length }).toEqual({
      asked: Array.from({ length: 20 }, (_, n) => n + 1),
      most: 16,
      keys: total,
    });
  });

  test('end before the keys are read again, where a page was empty', async () => {
    let [underWay, walks] = [0, 0];
    const held: (() => void)[] = [];
    const walk = walkKeys(async (page) => {
      if (page === 1) {
        expect(underWay).toBe(0);
        walks += 1;
      }
      underWay += 1;
      // What was requested ahead is answered last.
      if (page > 17) await new Promise<void>((resolve) => held.push(resolve));
      underWay -= 1;
      if (page === 17) {
        setImmediate(() => {
          for (const answer of held.splice(0)) answer();
        });
      }
      return page === 5 && walks === 1 ? { keys: [], total } : pageOf(page);
    });
    expect(await walk).toHaveLength(total);
    expect(walks).toBe(2);
  });

  test('are none beyond a group without a new key', async () => {
    const asked: number[] = [];
    const walk = walkKeys(async (page) => {
      asked.push(page);
      return { ...pageOf(Math.min(page, 3)), total: 100_000 };
    });
    expect(await faultOf(walk)).toMatchObject({ code: 'gateway.unexpected-shape' });
    // Pages 2 to 17 have new keys, 18 to 33 none; then everything is read again.
    expect(Math.max(...asked)).toBe(33);
    expect(asked).toHaveLength(2 * 33);
  });

  test('that fail after another page failed reject nothing that nobody awaits', async () => {
    const walk = walkKeys(async (page) => {
      if (page > 1) throw new Error(`page ${page}`);
      return pageOf(page);
    });
    await expect(walk).rejects.toThrow('page 2');
  });
});

describe('a listing that never ends', () => {
  /** Pages of new ids for ever, read without a network: a thousand pages are nothing then. */
  const endless =
    (size: number): ReadPage =>
    async (page) => ({ keys: Array.from({ length: size }, (_, n) => plainKey(page * size + n)) });

  test.each([
    ['full pages of new keys', 100, 1_001],
    ['pages of ten new keys', 10, 10_000],
  ])('of %s is gateway.unexpected-shape after what no account holds', async (_pages, size, most) => {
    let requests = 0;
    const read = endless(size);
    const walk = walkKeys((page) => {
      requests += 1;
      return read(page);
    });
    expect(await faultOf(walk)).toMatchObject({
      code: 'gateway.unexpected-shape',
      message: expect.stringContaining('more than the 100,000'),
    });
    expect(requests).toBeLessThanOrEqual(most);
  });
});

describe('a usage log that never ends', () => {
  const entry = (n: number) => ({ id: n, created_at: n, type: 2, token_id: 1, quota: 1, request_id: `r${n}` });

  test('because each page has the same entries is gateway.unexpected-shape', async () => {
    const entries = Array.from({ length: 100 }, (_, n) => entry(n + 1));
    const read = async (): Promise<number> => {
      let pages = 0;
      for await (const _ of walkUsage(async () => ({ entries }), usageFromWire)) pages += 1;
      return pages;
    };
    expect((await faultOf(read())).code).toBe('gateway.unexpected-shape');
  });
});
