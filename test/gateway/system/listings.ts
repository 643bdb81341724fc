import { plainKey } from '../../plain-key.ts';
import { gatewayOf, ok, record } from './scripted.ts';

interface Listing {
  /** Ids, newest first, as they are when a page is asked for; counts requests from 1. */
  readonly ids: (request: number) => readonly number[];
  /** The page size of the gateway for a requested size. */
  readonly size?: (asked: number) => number;
  /** The members of a page other than its items. */
  readonly extent?: (total: number, size: number) => object;
}

/** The ids from `to` down to 1. */
export const downFrom = (to: number): number[] => Array.from({ length: to }, (_, index) => to - index);

export async function listingOf({ ids, size = (asked) => asked, extent = (total) => ({ total }) }: Listing) {
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

export const keysFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => plainKey(first + n));

export const idsOf = (keys: readonly { id: number }[]): number[] => keys.map(({ id }) => id).sort((a, b) => b - a);
