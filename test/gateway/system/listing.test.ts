import { describe, expect, test } from 'vitest';
import { type ReadPage, walkKeys, walkUsage } from '../../../src/gateway/system/listing.ts';
import { usageFromWire } from '../../../src/wire/index.ts';
import { faultOf } from '../../http/client.ts';
import { respondWith } from '../../http/loopback.ts';
import { plainKey } from '../../plain-key.ts';
import { downFrom, idsOf, keysFrom, listingOf } from './listings.ts';
import { gatewayOf, nameOf, ok, open, record, requestsTo } from './scripted.ts';

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
