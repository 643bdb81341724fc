// The floor: sends the requests of a measured command as fast as a bare loop over undici can. No checks, no plan; it only reads
// what the next request needs.
import { readFileSync } from 'node:fs';
import { type Dispatcher, Pool } from 'undici';
import type { KeyOrder } from './bare-orders.ts';

interface ListedKey {
  readonly id: number;
  readonly name: string;
}

const { url, userId, accessToken, requests, concurrency, names, pagesAtOnce } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as KeyOrder;
const pool = new Pool(url, { connections: concurrency });
const headers = {
  authorization: `Bearer ${accessToken}`,
  'new-api-user': String(userId),
  'content-type': 'application/json',
};

async function send<Data>(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<Data> {
  const answer = await pool.request({
    method,
    path,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read = (await answer.body.json()) as { success: boolean; message: string; data: Data };
  if (!read.success) throw new Error(`${method} ${path}: ${read.message}`);
  return read.data;
}

async function all<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  lanes = concurrency,
): Promise<void> {
  const left = [...items].reverse();
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, worker));
}

const times = (route: string): readonly number[] => Array.from({ length: requests[route] ?? 0 }, (_, index) => index);

const settings = (name: string, group: string): object => ({
  name,
  group,
  expired_time: -1,
  remain_quota: 5_000_000,
  unlimited_quota: false,
  model_limits_enabled: true,
  model_limits: 'alpha-chat-1,text-embedding-3-small',
  allow_ips: '10.0.0.0/8',
  cross_group_retry: false,
  smart_routing: false,
  smart_route_tiers: '',
});

const READS = ['GET /api/status', 'GET /api/user/self', 'GET /api/user/self/groups', 'GET /api/log/self'];
const KNOWN = new Set([...READS, 'GET /api/token/', 'POST /api/token/', 'GET /api/token/{id}', 'PUT /api/token/']);
/** The few requests of the lock of an account, which correctness does not need from a single run. */
const LOCKING = new Set(['GET /api/token/search', 'DELETE /api/token/{id}']);
const unsupported = Object.keys(requests).filter((route) => !KNOWN.has(route) && !LOCKING.has(route));
if (unsupported.length > 0) throw new Error(`the bare loop cannot send ${unsupported.join(', ')}`);

for (const route of READS) await all(times(route), () => send('GET', route.slice('GET '.length)));
await all(names.slice(0, requests['POST /api/token/'] ?? 0), (name) =>
  send('POST', '/api/token/', settings(name, 'default')),
);
const records: ListedKey[] = [];
const readPage = async (index: number): Promise<void> => {
  const path = `/api/token/?p=${index + 1}&size=100&exclude_smart_routing=false`;
  const { items } = await send<{ items: readonly ListedKey[] }>('GET', path);
  records.push(...items);
};
await all(times('GET /api/token/'), readPage, pagesAtOnce);
const updated = records.slice(0, requests['PUT /api/token/'] ?? 0);
await all(updated, ({ id, name }) => send('PUT', '/api/token/', { id, ...settings(name, 'vip') }));
const read = times('GET /api/token/{id}').flatMap((index) => records[index % records.length] ?? []);
await all(read, ({ id }) => send('GET', `/api/token/${id}`));
await pool.close();
